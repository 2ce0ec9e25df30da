/* What is kept beside a rig under names of its own, examples and clips:
 * `pose COMMAND VERB RIG [NAME [FILE]]`. */
#pragma once

#include "base/arena.h"
#include "base/buffer.h"
#include "commands.h"
#include "forms.h"

/* Where the arguments stand. */
enum { KEPT_VERB = 1, KEPT_RIG, KEPT_NAME, KEPT_FILE };

struct kept {
	const char *collection; // in the path: "clips"
	const struct arguments *arguments;
	struct arena *arena;
};

struct kept_verb {
	const char *name;
	size_t least, most; // arguments with it
	int (*run)(const struct kept *kept);
};

/* Runs the verb that the arguments name, of [count]; prints the usage where there is none. Returns
 * the exit status. */
int kept_run(const struct kept *kept, const struct kept_verb *verbs, size_t count,
	const char *command, const char *usage);

/* The path of the one that the arguments name, or of all where they name none. In the arena. */
const char *kept_path(const struct kept *kept);

/* Gets what is at a path in the one of [count] forms that is asked for, as form_choose() has it,
 * and writes it where -o says. The exit status. */
int kept_get(
	const struct kept *kept, const char *path, const struct form *const *forms, size_t count);

/* Puts a body to a path, kept_path() with a query or without. The exit status. */
int kept_put(
	const struct kept *kept, const char *path, const char *type, const struct buffer *body);

int kept_delete(const struct kept *kept);
