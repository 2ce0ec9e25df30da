#!/bin/sh
# Joins the decoder of .pclip files into one C file, which wants nothing but pclip.h beside it:
# one_file.sh > pclip.c
set -eu
cd "$(dirname "$0")"
cat <<'TEXT'
// A decoder of .pclip files, made of clients/c/pclip*.c and their private headers by
// clients/c/one_file.sh of posed. Compile it with your own sources, with pclip.h beside it, and link
// libm.
TEXT
sed 's/^/\/\/ /; s/ $//' ../../LICENSE
# Private headers come once each, where they are first included; tables wherever they are.
exec awk '
	function put(file, line, name) {
		while ((getline line < file) > 0) {
			if (match(line, /^#include "pclip_[a-z_]+\.(h|inc)"/)) {
				split(line, name, "\"")
				if (!(name[2] in seen)) put(name[2])
			} else if (line == "#include \"pclip.h\"") {
				if (!public++) print line
			} else if (line != "#pragma once") {
				print line
			}
		}
		close(file)
		if (file ~ /\.h$/) seen[file] = 1
	}
	BEGIN {
		for (i = 1; i < ARGC; i++) {
			print ""
			put(ARGV[i])
		}
	}' pclip.c pclip_[a-z]*.c
