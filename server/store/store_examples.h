/* The examples of the store's rigs: poses with the vertices that they are to have (protocol's
 * example.h says how each is stored). An example belongs to its rig: it is there from the moment
 * that its put returned true, and goes with the rig. When another content takes a rig's name, its
 * examples stay if its joints and its numbers of vertices are the same.
 *
 * Any thread. */
#pragma once

#include "example.h"
#include "store/store.h"
#include "store/store_items.h"

/* What is put. */
struct store_example {
	struct store_hold
		*hold;    // the rig that it is for, loaded; lets go of the examples that it held
	const char *name; // keeps name_check()
	const struct example_form *form;
	enum put_mode mode;
	const char *as; // as item_put.as
};

/* Puts an example of a rig that is held. When it returns true, the example survives a power loss,
 * and *created tells whether the name is new. Fails with ERROR_UNKNOWN_RIG, ERROR_CONFLICT (the rig
 * has another content by now), ERROR_PRECONDITION_FAILED (as items_put),
 * ERROR_TOO_LARGE (too many, or too much), ERROR_STORE_FULL, ERROR_STORE_UNWRITABLE or
 * ERROR_INTERNAL.
 *
 * content  its own, "sha256:...", in the arena */
bool store_put_example(struct store *store, const struct store_example *example,
	struct arena *arena, const char **content, bool *created, struct error *err);

/* The number of a hold's examples, and what the index knows of the i-th by name, which is the
 * hold's. */
size_t store_example_count(const struct store_hold *hold);
const struct item_record *store_example_at(const struct store_hold *hold, size_t i);

/* An example by its name; NULL with ERROR_UNKNOWN_EXAMPLE and those that there are. */
const struct item_record *store_find_example(
	const struct store_hold *hold, const char *name, struct error *err);

/* What the list says of an example: its pose is read from the disk, and at first all of it, which
 * is held against its hash. Strings in the arena. False with ERROR_STORE_DAMAGED. */
bool store_summarize_example(const struct store_hold *hold, const struct item_record *record,
	struct arena *arena, struct example_summary *out, struct error *err);

/* All of an example: malloc memory, to which *form points. The bytes are held against their hash.
 * NULL with ERROR_STORE_DAMAGED or ERROR_TOO_LARGE. */
void *store_read_example(const struct store_hold *hold, const struct item_record *record,
	struct example_form *form, struct error *err);

/* All examples of a hold, read now if they are not in memory; borrowed from the hold, which has
 * some (hold->sets). NULL with ERROR_STORE_DAMAGED or ERROR_TOO_LARGE. */
struct examples *store_load_examples(
	struct store *store, struct store_hold *hold, struct error *err);

/* The same if they are in memory already: whether they are. The hold has some. */
bool store_peek_examples(struct store *store, struct store_hold *hold);

/* Computes the topology that decides if examples fit another version of their rig. */
void topology_hash(const struct rig *rig, struct topology_hash *out);
