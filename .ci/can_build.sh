#!/bin/sh
# Says what a build lacks on this machine, and how to get it: can_build.sh LIBRARY..., by the names
# that pkg-config has for them. CC, CXX and FONT come from the Makefile.
set -eu
here=$(dirname "$0")
lacks=""

for program in ${CC%% *} ${CXX%% *} pkg-config; do
	command -v "$program" >/dev/null || lacks="$lacks $program"
done
for library in "$@"; do
	pkg-config --exists "$library" 2>/dev/null || lacks="$lacks $library"
done
# Libraries that pkg-config knows nothing of.
for header in gif_lib.h meshoptimizer.h lapacke.h suitesparse/cholmod.h; do
	echo "#include <$header>" | $CC -E - >/dev/null 2>&1 || lacks="$lacks $header"
done
[ -e "$FONT" ] || lacks="$lacks $FONT"
[ -n "$lacks" ] || exit 0

echo "posed cannot be built here yet. Not found:$lacks"
packages=$("$here/packages.sh" build --missing)
if [ -n "$packages" ]; then
	as_root=""
	[ "$(id -u)" = 0 ] || as_root="sudo "
	cat <<-END

		These Debian packages are missing:$packages

		Install them, and run make again:
		  ${as_root}apt-get update
		  ${as_root}apt-get install --no-install-recommends$packages

		Or let \`make run\` install them, build, and start posed with demo rigs.
	END
fi
exit 1
