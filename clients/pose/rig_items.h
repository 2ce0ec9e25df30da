/* Items that are stored beside a rig under names of their own, examples and clips:
 * `pose COMMAND VERB RIG [NAME [FILE]]`. */
#pragma once

#include "base/arena.h"
#include "base/buffer.h"
#include "commands.h"
#include "forms.h"

/* The positions of the arguments. */
enum { KEPT_VERB = 1, KEPT_RIG, KEPT_NAME, KEPT_FILE };

struct rig_item {
	const char *collection; // in the path: "clips"
	const struct arguments *arguments;
	struct arena *arena;
};

struct rig_item_verb {
	const char *name;
	size_t least, most; // arguments with it
	int (*run)(const struct rig_item *item);
};

/* Runs the verb that the arguments name, of [count]; prints the usage where there is none. Returns
 * the exit status. */
int rig_item_run(const struct rig_item *item, const struct rig_item_verb *verbs, size_t count,
	const char *command, const char *usage);

/* The path of the one that the arguments name, or of all where they name none. In the arena. */
const char *rig_item_path(const struct rig_item *item);

/* Gets what is at a path in the one of [count] forms that is asked for, as form_choose() has it,
 * and writes it where -o says. The exit status. */
int rig_item_get(const struct rig_item *item, const char *path, const struct form *const *forms,
	size_t count);

/* Puts a body to a path, rig_item_path() with a query or without. The exit status. */
int rig_item_put(
	const struct rig_item *item, const char *path, const char *type, const struct buffer *body);

int rig_item_delete(const struct rig_item *item);
