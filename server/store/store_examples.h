/* Examples of rigs: poses with their desired vertices (format: protocol/example.h). When a rig is
 * replaced, it keeps its examples if the joints and the vertex counts are the same.
 *
 * Any thread. */
#pragma once

#include "example.h"
#include "store/store.h"
#include "store/store_items.h"

struct store_example {
	struct store_hold *hold; // the rig, loaded; store_put_example() releases its examples
	const char *name;        // keeps name_check()
	const struct example_form *form;
	enum put_mode mode;
	const char *as; // as item_put.as
};

/* Stores an example of a held rig. Fails as items_put() does, and with ERROR_TOO_LARGE (too many
 * examples, or too many bytes). *content is "sha256:...", in the arena. */
bool store_put_example(struct store *store, const struct store_example *example,
	struct arena *arena, const char **content, bool *created, struct error *err);

/* The number of a hold's examples, and the record of the i-th by name, borrowed from the hold. */
size_t store_example_count(const struct store_hold *hold);
const struct item_record *store_example_at(const struct store_hold *hold, size_t i);

/* An example by its name; NULL with ERROR_UNKNOWN_EXAMPLE and the known names. */
const struct item_record *store_find_example(
	const struct store_hold *hold, const char *name, struct error *err);

/* Summarizes an example for lists. Reads its pose from the disk, and the first time all of it, to
 * check it against its hash. Strings in the arena. False with ERROR_STORE_DAMAGED. */
bool store_summarize_example(const struct store_hold *hold, const struct item_record *record,
	struct arena *arena, struct example_summary *out, struct error *err);

/* Reads an example and checks it against its hash: malloc memory, to which *form points. NULL with
 * ERROR_STORE_DAMAGED or ERROR_TOO_LARGE. */
void *store_read_example(const struct store_hold *hold, const struct item_record *record,
	struct example_form *form, struct error *err);

/* Loads all examples of a hold, which must have some, unless they are in memory; borrowed from the
 * hold. NULL with ERROR_STORE_DAMAGED or ERROR_TOO_LARGE. */
struct examples *store_load_examples(
	struct store *store, struct store_hold *hold, struct error *err);

/* The same if they are in memory already; false if not. */
bool store_peek_examples(struct store *store, struct store_hold *hold);

/* Computes the topology that decides if examples fit another version of their rig. */
void topology_hash(const struct rig *rig, struct topology_hash *out);
