/* Examples of a rig: the requests that put them, the form in which they are stored, and what is
 * answered about them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/value.h"
#include "query.h"

/* --- Requests --- */

/* A vertex that is elsewhere than a pose has it. */
struct example_offset {
	size_t vertex;
	const struct value *source;
	float by[3]; // in the world
};

/* The JSON body of a PUT. */
struct example_request {
	const struct value *pose;    // the expression
	const struct value *targets; // morph weights by node, instead of positions; NULL = none
	const struct example_offset *offsets; // [offset_count] likewise, in ascending order
	size_t offset_count;
	const struct value *positions; // the member that gives them; NULL = one of those does
	size_t vertices;               // 0 without positions
	float *numbers; // [vertices][3] positions and then, with normals, [vertices][3]; in the
			// arena
	bool normals;
};

/* Reads it. Fails with ERROR_INVALID_VALUE, ERROR_UNKNOWN_MEMBER or ERROR_TOO_LARGE, and the place.
 */
bool example_read(struct arena *arena, const struct value *body, struct example_request *out,
	struct error *err);

/* The query of a PUT of octets or of a GLB. */
struct example_query {
	const struct value *pose; // an object's member "pose", for error_at() to name
	bool normals;             // octets: they follow the positions
};

/* Reads it: pose=JSON and, where attributes may be given (octets), attributes=position,normal.
 * Fails with ERROR_INVALID_VALUE, ERROR_INVALID_JSON or ERROR_UNKNOWN_MEMBER, and the place. */
bool example_read_query(struct arena *arena, const struct query_parameter *parameters, size_t count,
	bool octets, struct example_query *out, struct error *err);

/* Makes an error within the expression of the parameter "pose" one of that parameter. Always
 * returns false. */
bool example_blame_parameter(struct error *err);

/* Checks that the numbers can be an example's: finite, and normals with a length, which is made 1
 * where it is not within float32's accuracy. Fails with ERROR_INVALID_VALUE and the vertex. */
bool example_check(float *positions, float *normals, size_t vertices, struct error *err);

/* --- The stored form: a head, positions, normals where there are any, the pose as JSON. --- */

struct example_form {
	const char *pose; // [pose_bytes] JSON text, not ended by NUL
	size_t pose_bytes;
	size_t vertices;
	const float *positions; // [vertices][3]
	const float *normals;   // [vertices][3]; NULL = none
};

/* Appends the stored form. False with ERROR_TOO_LARGE when memory is out. */
bool example_pack(const struct example_form *example, struct buffer *out, struct error *err);

#define EXAMPLE_HEAD_BYTES 32

/* The offsets of the parts of a stored form, in bytes from its start. */
struct example_layout {
	size_t vertices;
	bool normals;
	size_t pose_at, pose_bytes;
};

/* Reads the head of a stored form of so many bytes; false when it is none. */
bool example_read_head(const unsigned char head[static EXAMPLE_HEAD_BYTES], size_t size,
	struct example_layout *out);

/* Takes a stored form apart; what is in *out is borrowed from the bytes, which are aligned as
 * floats. False when it is none. */
bool example_unpack(const void *bytes, size_t size, struct example_form *out);

/* Bytes of the vertices: positions, and normals where there are any. */
size_t example_vertex_bytes(size_t vertices, bool normals);

/* --- Answers --- */

/* An example as the list shows it. */
struct example_summary {
	const char *name;
	const char *content; // "sha256:..."
	const char *pose;    // [pose_bytes] JSON text
	size_t pose_bytes;
	size_t vertices;
	bool normals;
};

void example_write_summary(const struct example_summary *example, struct buffer *out);
void example_write_list(const struct example_summary *examples, size_t count, struct buffer *out);

/* The example with its vertices: what PUT takes, and the members of the list. */
void example_write(
	const struct example_summary *example, const struct example_form *form, struct buffer *out);
