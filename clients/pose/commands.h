/* The commands of `pose`: one row each. */
#pragma once

#include "options.h"

struct command {
	const char *name;
	const char *usage; // its arguments; a choice of words is written "put|list"
	const char *help;
	size_t least, most; // arguments behind the name
	unsigned bit;       // FOR_ bit of its options
	int (*run)(const struct command *command, const struct arguments *arguments); // exit status
};

/* The table, ended by a NULL name. */
extern const struct command commands[];
