/* What this program does instead of serving when its first argument says so. */
#pragma once

#include <stddef.h>

struct command {
	const char *name;
	/* arguments[0] is the command's name. Returns the exit status. */
	int (*run)(int argument_count, char **arguments);
	const char *purpose; // its line in --help
};

/* The command of this name; NULL = none. */
const struct command *command_find(const char *name);

/* All of them in order; NULL after the last. */
const struct command *command_at(size_t i);
