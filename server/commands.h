/* What posed does when its first argument is a word: "posed health". */
#pragma once

#include <stdbool.h>

struct command {
	const char *name;
	// Gets the arguments from its name on. Returns the exit status.
	int (*run)(int argument_count, char **arguments);
	const char *purpose; // for --help
};

/* The command of that name; NULL if there is none. */
const struct command *command_find(const char *name);

/* The command at an index; NULL behind the last. */
const struct command *command_at(unsigned index);

/* Takes an argument of a command's own out of a list that ends with NULL; false if it is not there.
 */
bool command_take_argument(int *count, char **arguments, const char *name);
