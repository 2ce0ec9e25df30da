/* The commands of `pose`: one row each. */
#pragma once

#include "options.h"

/* Exit statuses. */
enum { EXIT_FINE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

struct command {
	const char *name;
	const char *usage; // its arguments
	const char *help;
	size_t least, most; // arguments behind the name
	unsigned bit;       // FOR_ bit of its options
	int (*run)(const struct command *command, const struct arguments *arguments);
};

/* The table, ended by a NULL name. */
extern const struct command commands[];
