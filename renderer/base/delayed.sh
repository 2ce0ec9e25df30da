#!/bin/sh
# Writes a C file with trampolines for the functions of a shared library that these objects call:
# delayed.sh NAME LIBRARY.so OBJECT... See delayed.h.
set -eu
name=$1 library=$2
shift 2

file=$(LC_ALL=C readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]$/\1/p')
[ -n "$file" ] || {
	echo "delayed.sh: $library is no shared library" >&2
	exit 1
}
package=$(dpkg-query -S "*/$file" 2>/dev/null | sed -n '1s/:.*//p' || true)

# The symbols of the library that the objects lack, with their types.
symbols=$({
	nm -D --defined-only "$library" | sed 's/@.*//'
	echo objects
	nm -u "$@"
} | awk '$0 == "objects" { wanted = 1 } !wanted { type[$3] = $2 }
	wanted && $2 in type && !seen[$2]++ { print type[$2], $2 }' | sort)
[ -n "$symbols" ] || {
	echo "delayed.sh: nothing of $library is called" >&2
	exit 1
}
if data=$(echo "$symbols" | grep -v '^[TWi] '); then
	printf 'delayed.sh: data of %s cannot be loaded on demand:\n%s\n' "$library" "$data" >&2
	exit 1
fi

echo "$symbols" | awk -v name="$name" -v file="$file" -v package="$package" '
	{ symbol[NR] = $2 }
	END {
		print "// Made by delayed.sh."
		print "#include \"base/delayed.h\"\n"
		print "static const char *const names[] = {"
		for (i = 1; i <= NR; i++) printf "\t\"%s\",\n", symbol[i]
		print "};\n"
		printf "__attribute__((used)) static delayed_function *places[] __asm__(\"places_of_%s\") = {\n", name
		for (i = 1; i <= NR; i++) print "\tdelayed_not_loaded,"
		print "};\n"
		printf "struct delayed_library delayed_%s = {\"%s\", \"%s\", names, places, %d, 0, \"\"};\n\n", name, file, package, NR
		print "__asm__(\".text\\n\""
		for (i = 1; i <= NR; i++)
			printf "\t\".globl %s\\n.hidden %s\\n.type %s,@function\\n%s:\\n\"\n" \
				"\t\"endbr64\\njmp *places_of_%s+%d(%%rip)\\n.size %s,.-%s\\n\"\n", \
				symbol[i], symbol[i], symbol[i], symbol[i], name, 8 * (i - 1), symbol[i], symbol[i]
		print "\t\".previous\\n\");"
	}'
