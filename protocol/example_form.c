// Examples as they are stored, and what is answered about them.
#include <string.h>

#include "base/json_write.h"
#include "example.h"

#define AXES ((size_t)3)

/* The head: this, and four 32-bit numbers, little-endian as everything. */
static const char magic[] = "posed example 1\n";

#define MAGIC_BYTES (sizeof magic - 1)

struct head {
	char magic[MAGIC_BYTES];
	uint32_t vertices, normals, pose_bytes, unused;
};

_Static_assert(sizeof(struct head) == EXAMPLE_HEAD_BYTES, "the head has no gaps");

size_t example_vertex_bytes(size_t vertices, bool normals) {
	return vertices * AXES * sizeof(float) * (normals ? 2 : 1);
}

bool example_pack(const struct example_form *example, struct buffer *out, struct error *err) {
	struct head head = {
		.vertices = (uint32_t)example->vertices,
		.normals = example->normals != NULL,
		.pose_bytes = (uint32_t)example->pose_bytes,
	};
	memcpy(head.magic, magic, MAGIC_BYTES);
	const size_t stream = example_vertex_bytes(example->vertices, false);
	const size_t most = sizeof head + 2 * stream + example->pose_bytes;
	if (!buffer_try_reserve(out, most, "the example", err)) {
		return false;
	}
	buffer_append(out, &head, sizeof head);
	buffer_append(out, example->positions, stream);
	if (example->normals) {
		buffer_append(out, example->normals, stream);
	}
	buffer_append(out, example->pose, example->pose_bytes);
	return true;
}

bool example_read_head(const unsigned char bytes[static EXAMPLE_HEAD_BYTES], size_t size,
	struct example_layout *out) {
	struct head head;
	memcpy(&head, bytes, sizeof head);
	*out = (struct example_layout){
		.vertices = head.vertices,
		.normals = head.normals == 1,
		.pose_at = sizeof head + example_vertex_bytes(head.vertices, head.normals == 1),
		.pose_bytes = head.pose_bytes,
	};
	return memcmp(head.magic, magic, MAGIC_BYTES) == 0 && head.normals <= 1 &&
		out->pose_at <= size && size - out->pose_at == out->pose_bytes;
}

bool example_unpack(const void *bytes, size_t size, struct example_form *out) {
	struct example_layout layout;
	if (size < EXAMPLE_HEAD_BYTES || !example_read_head(bytes, size, &layout)) {
		return false;
	}
	const char *start = bytes;
	const float *positions = (const float *)(start + EXAMPLE_HEAD_BYTES);
	*out = (struct example_form){
		.pose = start + layout.pose_at,
		.pose_bytes = layout.pose_bytes,
		.vertices = layout.vertices,
		.positions = positions,
		.normals = layout.normals ? positions + layout.vertices * AXES : NULL,
	};
	return true;
}

/* All members but the closing brace. */
static void begin_example(struct json_writer *json, const struct example_summary *example) {
	json_write_begin_object(json);
	json_write_member_string(json, "name", example->name);
	json_write_member_string(json, "content", example->content);
	json_write_key(json, "pose");
	buffer_append(json->out, example->pose, example->pose_bytes);
	json->separate = true;
	json_write_member_integer(json, "vertices", (int64_t)example->vertices);
	json_write_member_integer(
		json, "bytes", (int64_t)example_vertex_bytes(example->vertices, example->normals));
}

static void write_summary(struct json_writer *json, const struct example_summary *example) {
	begin_example(json, example);
	json_write_member_bool(json, "normals", example->normals);
	json_write_end_object(json);
}

void example_write_summary(const struct example_summary *example, struct buffer *out) {
	struct json_writer json = {.out = out};
	write_summary(&json, example);
}

void example_write_list(const struct example_summary *examples, size_t count, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_key(&json, "examples");
	json_write_begin_list(&json);
	for (size_t i = 0; i < count; i++) {
		write_summary(&json, &examples[i]);
	}
	json_write_end_list(&json);
	json_write_end_object(&json);
}

static void write_vectors(
	struct json_writer *json, const char *name, const float *vectors, size_t count) {
	json_write_key(json, name);
	json_write_begin_list(json);
	for (size_t i = 0; i < count; i++) {
		json_write_floats(json, vectors + i * AXES, AXES);
	}
	json_write_end_list(json);
}

void example_write(const struct example_summary *example, const struct example_form *form,
	struct buffer *out) {
	struct json_writer json = {.out = out};
	begin_example(&json, example);
	write_vectors(&json, "positions", form->positions, form->vertices);
	if (form->normals) {
		write_vectors(&json, "normals", form->normals, form->vertices);
	}
	json_write_end_object(&json);
}
