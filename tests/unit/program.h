/* The tests of a folder in one program, each by the name of its file: the Makefile renames the
 * main() of each to NAME_main(), and table.sh writes their table. */
#pragma once

struct test_program {
	const char *name; // NULL behind the last
	int (*run)(void); // its main(): returns the exit status
};

extern const struct test_program test_programs[];
