/* What posed does when its first argument is a word: "posed health". */
#pragma once

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
