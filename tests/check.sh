#!/bin/sh
# make check: warnings as errors with gcc and clang, formatting, include directions, each header
# on its own. CXXFLAGS=... check.sh CFLAGS SOURCE... -- HEADER...
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

tests/check_direction.sh
echo "check: directions hold"
# shellcheck disable=SC2086
clang-format --dry-run -Werror $sources $cxx_sources $headers
echo "check: formatting holds"
for header in $headers; do
	printf '#include "%s"\n' "$header" > "$scratch/$(echo "$header" | tr / _).c"
done
# gcc really compiles: some of its warnings follow values through optimised code.
# shellcheck disable=SC2086
printf '%s\n' $sources "$scratch"/*.c |
	xargs -P "$(nproc)" -I FILE gcc $flags -I. -Werror -c FILE -o /dev/null
# shellcheck disable=SC2086
printf '%s\n' $cxx_sources | xargs -P "$(nproc)" -I FILE g++ $CXXFLAGS -Werror -c FILE -o /dev/null
echo "check: gcc has no warnings, and every header compiles alone"
# shellcheck disable=SC2086
printf '%s\n' $sources "$scratch"/*.c |
	xargs -P "$(nproc)" -n 8 clang $flags -I. -Werror -fsyntax-only
# shellcheck disable=SC2086
clang++ $CXXFLAGS -Werror -fsyntax-only $cxx_sources
echo "check: clang has no warnings, and every header compiles alone"
