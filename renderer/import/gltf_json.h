/* Reading the members of a glTF document: every value knows its place, such as `nodes[3].skin`, and
 * every refusal names it. Absent members leave the output as it is: set the default before. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "import/json_tree.h"

struct rig;

/* A value and where it stands. What it points to is borrowed: the document, the outer item and the
 * name must outlive it. */
struct gltf_item {
	const struct json_value *json; // NULL = absent
	const struct gltf_item *outer; // NULL for the document itself
	const char *name;              // as a member of outer; NULL = an element of it
	size_t index;                  // as an element of outer
};

#define GLTF_PLACE_BYTES 160

/* Writes "meshes[0].primitives[1].attributes.POSITION"; "document" for the document itself. */
void gltf_place(const struct gltf_item *item, char place[static GLTF_PLACE_BYTES]);

/* Sets ERROR_BROKEN_ASSET with the item's place in front. Always returns false. */
__attribute__((format(printf, 3, 4))) bool gltf_broken(
	const struct gltf_item *item, struct error *err, const char *format, ...);

/* Adds a warning with the item's place in front. */
__attribute__((format(printf, 3, 4))) void gltf_warn(
	struct rig *rig, const struct gltf_item *item, const char *format, ...);

/* All members of an object, in an order of their own; none of what is no object. */
size_t gltf_member_count(const struct gltf_item *object);
struct gltf_item gltf_member_at(const struct gltf_item *object, size_t i);

/* The member of an object, of any type; json NULL where it is absent. */
struct gltf_item gltf_member(const struct gltf_item *object, const char *name);

/* Typed members: false with the place when the member is there and of another type. gltf_list and
 * gltf_object leave member->json NULL for an absent one. */
bool gltf_object(const struct gltf_item *object, const char *name, struct gltf_item *member,
	struct error *err);
bool gltf_list(const struct gltf_item *object, const char *name, struct gltf_item *member,
	struct error *err);
bool gltf_string(
	const struct gltf_item *object, const char *name, const char **value, struct error *err);

/* A string that is one of names (ended by NULL): *value is its position. */
bool gltf_choice(const struct gltf_item *object, const char *name, const char *const *names,
	int *value, struct error *err);
bool gltf_boolean(const struct gltf_item *object, const char *name, bool *value, struct error *err);

/* A whole number >= 0. */
bool gltf_size(const struct gltf_item *object, const char *name, size_t *value, struct error *err);

/* An index below count. */
bool gltf_index(
	const struct gltf_item *object, const char *name, int count, int *index, struct error *err);

/* A list of exactly count numbers that are finite float32, or one number. */
bool gltf_numbers(const struct gltf_item *object, const char *name, size_t count, float *numbers,
	struct error *err);
bool gltf_number(
	const struct gltf_item *object, const char *name, float *number, struct error *err);

/* Lists. Absent ones have 0 elements. */
size_t gltf_list_size(const struct gltf_item *list);
struct gltf_item gltf_element(const struct gltf_item *list, size_t i);

/* The i-th element, which must be an object. */
bool gltf_element_object(
	const struct gltf_item *list, size_t i, struct gltf_item *element, struct error *err);

/* The i-th element, which must be an index below count. */
bool gltf_element_index(
	const struct gltf_item *list, size_t i, int count, int *index, struct error *err);
