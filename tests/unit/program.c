// Runs one test file of those in this program: PROGRAM NAME. Without a name, runs the only one or
// prints the names of all.
#include "program.h"

#include <stdio.h>
#include <string.h>

#include "sandbox/importer.h"

static int list(void) {
	for (const struct test_program *test = test_programs; test->name; test++) {
		puts(test->name);
	}
	return 0;
}

static int run(const char *name) {
	for (const struct test_program *test = test_programs; test->name; test++) {
		if (strcmp(test->name, name) == 0) {
			return test->run();
		}
	}
	fprintf(stderr, "there is no test %s here\n", name);
	return 2;
}

int main(int argument_count, char **arguments) {
	// The importer starts this program once more, as it does with posed.
	if (import_helper_is_wanted(argument_count, arguments)) {
		return import_helper_main();
	}
	if (argument_count > 1) {
		return run(arguments[1]);
	}
	return test_programs[1].name ? list() : test_programs[0].run();
}
