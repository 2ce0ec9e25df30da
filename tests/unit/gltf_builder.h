/* Small glTF assets made in a test: data first, then the rest of the document as JSON. */
#pragma once

#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"
#include "model/asset_facts.h"
#include "model/rig.h"

enum { I8 = 5120, U8 = 5121, I16 = 5122, U16 = 5123, U32 = 5125, F32 = 5126 };

/* Zero it before use; gltf_builder_finish frees it. */
struct gltf_builder {
	struct buffer bin;       // of the one buffer
	struct buffer views;     // JSON, without the brackets
	struct buffer accessors; // JSON, without the brackets
	int view_count, accessor_count;
	const char *more_buffers; // JSON after the first buffer, ", {...}"; NULL = none
};

void gltf_builder_finish(struct gltf_builder *b);

/* Adds bytes at the next multiple of four and a view of them; returns its index. */
int add_view(struct gltf_builder *b, const void *bytes, size_t size);

/* Adds bytes at the next multiple of four; returns where they start. */
size_t add_bytes(struct gltf_builder *b, const void *bytes, size_t size);

/* Adds a view as JSON; returns its index. */
__attribute__((format(printf, 2, 3))) int add_view_text(
	struct gltf_builder *b, const char *format, ...);

/* Adds an accessor as JSON; returns its index. */
__attribute__((format(printf, 2, 3))) int add_accessor(
	struct gltf_builder *b, const char *format, ...);

/* Adds count elements, their view and their accessor; returns the accessor's index. */
int add_data(struct gltf_builder *b, const char *type, int component, size_t count,
	const void *bytes, size_t size);

/* The whole document as GLB or as JSON with a data URI; members is what follows the accessors, such
 * as "\"nodes\": [{}]". The caller frees it. */
unsigned char *build_glb(const struct gltf_builder *b, const char *members, size_t *size);
unsigned char *build_json(const struct gltf_builder *b, const char *members, size_t *size);

/* Builds a GLB, imports it, and frees the builder. */
struct rig *import_built(struct gltf_builder *b, const char *members, struct error *err);

/* The same by a lenient import; *facts is to be freed with asset_facts_destroy(). */
struct rig *import_built_lenient(
	struct gltf_builder *b, const char *members, struct asset_facts **facts, struct error *err);

/* Imports a document without data. */
struct rig *import_text(const char *json, struct error *err);

/* Fails the test unless the document is refused with this code and a text that contains this. */
void expect_refusal(const char *json, enum error_code code, const char *text);
void expect_built_refusal(
	struct gltf_builder *b, const char *members, enum error_code code, const char *text);

/* True if a warning of the rig contains the text. */
int has_warning(const struct rig *rig, const char *text);

/* The number of a rig's warnings, without the one of a file that draws nothing and those of rules
 * that the small files here break, such as missing required members. */
int count_warnings(const struct rig *rig);

/* import_built() that must succeed. */
struct rig *import_sound(struct gltf_builder *b, const char *members);

/* Four positions, and a builder that has them as accessor 0. */
extern const float quad_positions[12];
struct gltf_builder quad(void);

/* expect_built_refusal() of a quad as a broken asset. */
void refuse_quad(const char *members, const char *text);
