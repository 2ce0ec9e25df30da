/* The requirements of glTF's JSON schemas, as tables. Source: glTF 2.0, appendix A, and its text
 * on references. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The type of a member. */
enum gltf_schema_kind {
	SCHEMA_TEXT,
	SCHEMA_TEXT_OF, // one of choices
	SCHEMA_VERSION,
	SCHEMA_FLAG,
	SCHEMA_WHOLE,     // from least to most
	SCHEMA_WHOLE_OF,  // one of numbers
	SCHEMA_INDEX,     // into the document's list
	SCHEMA_INDICES,   // not empty, none twice
	SCHEMA_INDEX_MAP, // by names of attributes
	SCHEMA_INDEX_MAPS,
	SCHEMA_NUMBER,  // from least to most
	SCHEMA_NUMBERS, // count of them, or 1 to 16 where that is 0
	SCHEMA_OBJECT,  // of type
	SCHEMA_OBJECTS, // not empty
};

struct gltf_schema_type;

struct gltf_schema_member {
	const char *name;
	enum gltf_schema_kind kind;
	bool required, above; // above: least itself is not allowed
	double least, most;
	size_t count;
	const char *list;  // SCHEMA_INDEX and SCHEMA_INDICES
	const char *needs; // another member of the object
	const char *const *choices;
	const size_t *numbers; // ended by 0
	const struct gltf_schema_type *type;
};

struct gltf_schema_type {
	const struct gltf_schema_member *members; // ended by one without a name
	const char *one_of[2];                    // exactly one of these members must be there
};

/* Of the document itself. */
extern const struct gltf_schema_type gltf_schema_root;
