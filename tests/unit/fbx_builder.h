/* FBX files for tests, in each of the format's spellings. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "model/rig.h"

enum fbx_spelling {
	FBX_ASCII,
	FBX_BINARY_7400,
	FBX_BINARY_7500,       // wider records
	FBX_BINARY_DEFLATED,   // 7400, arrays by zlib
	FBX_BINARY_BIG_ENDIAN, // 7400
	FBX_SPELLING_COUNT,
};

/* Zero it, set the spelling, begin, write, finish. */
struct fbx_builder {
	enum fbx_spelling spelling;
	struct buffer out;
	size_t starts[16], values_at[16]; // of the records that are open
	uint64_t counts[16];
	bool has_children[16];
	int depth;
	struct buffer connections; // as text, until they are written
};

/* The header with a version, and settings: axes and signs of right, up and front, the unit in
 * centimetres. Objects are open then. */
void fbx_begin(
	struct fbx_builder *b, int version, const int axes[3], const int signs[3], double cm);

/* The same for a file of version 7.4 in metres with y up. */
struct fbx_builder fbx_begin_metres(enum fbx_spelling spelling);

/* A record; its values; its end. */
void fbx_open(struct fbx_builder *b, const char *name);
void fbx_put_integer(struct fbx_builder *b, int64_t value);
void fbx_put_real(struct fbx_builder *b, double value);
void fbx_put_text(struct fbx_builder *b, const char *text);
void fbx_put_reals(struct fbx_builder *b, const char *name, const double *values, uint32_t count);
void fbx_put_integers(
	struct fbx_builder *b, const char *name, const int64_t *values, uint32_t count);
void fbx_put_bits(struct fbx_builder *b, const char *name, const uint32_t *bits, uint32_t count);
void fbx_close(struct fbx_builder *b);

/* The beginning of an object, which fbx_close() ends. */
void fbx_object(
	struct fbx_builder *b, const char *type, int64_t id, const char *name, const char *kind);

/* A property of one or three numbers, inside of Properties70, which is a record. */
void fbx_property(struct fbx_builder *b, const char *name, const double *values, int count);

/* A whole model with properties of three numbers: name, x, y, z; ended by a NULL name. */
struct fbx_property3 {
	const char *name;
	double values[3];
};
void fbx_model(struct fbx_builder *b, int64_t id, const char *name, const char *kind,
	const struct fbx_property3 *properties);

/* A whole mesh: points x y z, and corners as the format counts them. */
void fbx_mesh(struct fbx_builder *b, int64_t id, const double *points, uint32_t count,
	const int64_t *corners, uint32_t corner_count);

/* property NULL = to the object itself. */
void fbx_connect(struct fbx_builder *b, int64_t child, int64_t parent, const char *property);

/* Ends the file and imports it; the test fails where it is refused. finish returns the bytes. */
struct rig *fbx_build(struct fbx_builder *b);
void fbx_finish(struct fbx_builder *b);

/* Ends the file and expects that it is refused with such words. */
void fbx_expect_refusal(struct fbx_builder *b, enum error_code code, const char *words);

/* The world matrix of a joint at rest. */
void fbx_rest_world(const struct rig *rig, int joint, double out[12]);
