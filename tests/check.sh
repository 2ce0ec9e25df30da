#!/bin/sh
# make check: warnings as errors with gcc and clang, formatting, include directions, each header
# on its own. GCC=yes|no CXXFLAGS=... check.sh CFLAGS SOURCE... -- HEADER...
# GCC=no: the sources have just been built with gcc and warnings as errors.
set -eu
cd "$(dirname "$0")/.."
flags=$1
shift
sources="" cxx_sources="" headers="" seen_headers=no
for file in "$@"; do
	case "$file" in
	--) seen_headers=yes ;;
	*.cpp) cxx_sources="$cxx_sources $file" ;;
	*) [ $seen_headers = yes ] && headers="$headers $file" || sources="$sources $file" ;;
	esac
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# side_by_side MOST COMMAND...: the command with at most so many of the lines that come in, on all
# processors.
side_by_side() {
	most=$1
	shift
	xargs -P "$(nproc)" -n "$most" "$@"
}

tests/check_direction.sh
echo "check: directions hold"
# shellcheck disable=SC2086
printf '%s\n' $sources $cxx_sources $headers | side_by_side 100 clang-format --dry-run -Werror
echo "check: formatting holds"
for header in $headers; do
	printf '#include "%s"\n' "$header" > "$scratch/$(echo "$header" | tr / _).c"
done
# gcc really compiles: some of its warnings follow values through optimised code.
# shellcheck disable=SC2086
if [ "$GCC" != no ]; then
	printf '%s\n' $cxx_sources | side_by_side 1 g++ $CXXFLAGS -Werror -o /dev/null -c
	printf '%s\n' $sources | side_by_side 1 gcc $flags -I. -Werror -o /dev/null -c
fi
# shellcheck disable=SC2086
printf '%s\n' "$scratch"/*.c | side_by_side 8 gcc $flags -I. -Werror -fsyntax-only
echo "check: gcc has no warnings, and every header compiles alone"
# shellcheck disable=SC2086
printf '%s\n' $cxx_sources | side_by_side 1 clang++ $CXXFLAGS -Werror -fsyntax-only
# shellcheck disable=SC2086
printf '%s\n' $sources "$scratch"/*.c | side_by_side 8 clang $flags -I. -Werror -fsyntax-only
echo "check: clang has no warnings, and every header compiles alone"
