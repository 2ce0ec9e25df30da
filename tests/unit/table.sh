#!/bin/sh
# table.sh NAME...: the C source of the table in program.h.
set -eu
echo '#include "tests/unit/program.h"'
printf 'int %s_main(void);\n' "$@"
echo 'const struct test_program test_programs[] = {'
for name in "$@"; do
	printf '\t{"%s", %s_main},\n' "$name" "$name"
done
printf '\t{0},\n};\n'
