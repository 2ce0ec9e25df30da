// GLB: the document's JSON, and the header and the chunks around it.
#include "export/glb.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define HEADER_BYTES 12
#define CHUNK_HEADER_BYTES 8
#define MAGIC 0x46546c67u
#define CHUNK_JSON 0x4e4f534au
#define CHUNK_BIN 0x004e4942u

static const char *const list_names[GLB_LIST_COUNT] = {
	[GLB_NODES] = "nodes",
	[GLB_MESHES] = "meshes",
	[GLB_SKINS] = "skins",
	[GLB_MATERIALS] = "materials",
	[GLB_TEXTURES] = "textures",
	[GLB_SAMPLERS] = "samplers",
	[GLB_IMAGES] = "images",
	[GLB_ANIMATIONS] = "animations",
	[GLB_ACCESSORS] = "accessors",
	[GLB_VIEWS] = "bufferViews",
};

void glb_finish(struct glb *glb) {
	for (int i = 0; i < GLB_LIST_COUNT; i++) {
		buffer_finish(&glb->lists[i].text);
	}
	free(glb->parts);
	free(glb->roots);
	*glb = (struct glb){0};
}

struct json_writer *glb_begin(struct glb *glb, enum glb_list list) {
	struct json_writer *json = &glb->lists[list].json;
	json->out = &glb->lists[list].text;
	glb->lists[list].count++;
	json_write_begin_object(json);
	return json;
}

void glb_add_root(struct glb *glb, int node) {
	glb->roots = xrealloc(glb->roots, (size_t)glb->root_count + 1, sizeof *glb->roots);
	glb->roots[glb->root_count++] = node;
}

void glb_use_extension(struct glb *glb, const char *name) {
	for (size_t i = 0; i < glb->extension_count; i++) {
		if (strcmp(glb->extensions[i], name) == 0) {
			return;
		}
	}
	assert(glb->extension_count < GLB_EXTENSIONS_MAX);
	glb->extensions[glb->extension_count++] = name;
}

static size_t round_up(size_t bytes) {
	return (bytes + 3) / 4 * 4;
}

int glb_add_view(
	struct glb *glb, const void *data, size_t size, size_t stride, enum glb_target target) {
	const int index = glb->lists[GLB_VIEWS].count;
	glb->parts = xrealloc(glb->parts, (size_t)index + 1, sizeof *glb->parts);
	glb->parts[index] = (struct glb_part){data, size};
	struct json_writer *json = glb_begin(glb, GLB_VIEWS);
	json_write_member_integer(json, "buffer", 0);
	json_write_member_integer(json, "byteOffset", (int64_t)glb->bin_bytes);
	json_write_member_integer(json, "byteLength", (int64_t)size);
	if (stride > 0) {
		json_write_member_integer(json, "byteStride", (int64_t)stride);
	}
	if (target != GLB_NO_TARGET) {
		json_write_member_integer(json, "target", target);
	}
	json_write_end_object(json);
	glb->bin_bytes += round_up(size);
	return index;
}

/* To the last digit: readers hold float32 numbers against these in double precision, where a
 * shorter decimal may be a little less or more. */
static void write_bound(
	struct json_writer *json, const char *name, const float *bound, size_t width) {
	json_write_key(json, name);
	json_write_begin_list(json);
	for (size_t i = 0; i < width; i++) {
		json_write_double(json, (double)bound[i]);
	}
	json_write_end_list(json);
}

int glb_add_accessor(struct glb *glb, const struct glb_accessor *accessor) {
	struct json_writer *json = glb_begin(glb, GLB_ACCESSORS);
	if (accessor->view >= 0) {
		json_write_member_integer(json, "bufferView", accessor->view);
		json_write_member_integer(json, "byteOffset", (int64_t)accessor->offset);
	}
	json_write_member_integer(json, "componentType", accessor->component);
	json_write_member_integer(json, "count", (int64_t)accessor->count);
	json_write_member_string(json, "type", accessor->type);
	if (accessor->min) {
		const size_t width = strcmp(accessor->type, "SCALAR") == 0 ? 1 : 3;
		write_bound(json, "min", accessor->min, width);
		write_bound(json, "max", accessor->max, width);
	}
	json_write_end_object(json);
	return glb->lists[GLB_ACCESSORS].count - 1;
}

void glb_find_extent(
	const float *positions, size_t count, float min[static 3], float max[static 3]) {
	for (size_t k = 0; k < 3; k++) {
		min[k] = max[k] = positions[k];
		for (size_t i = 1; i < count; i++) {
			min[k] = fminf(min[k], positions[i * 3 + k]);
			max[k] = fmaxf(max[k], positions[i * 3 + k]);
		}
	}
}

/* The one scene; glTF has no empty lists, so that without nodes it has no member. */
static void write_scene(const struct glb *glb, struct json_writer *json) {
	json_write_member_integer(json, "scene", 0);
	json_write_key(json, "scenes");
	json_write_begin_list(json);
	json_write_begin_object(json);
	if (glb->root_count > 0) {
		json_write_key(json, "nodes");
		json_write_begin_list(json);
		for (int i = 0; i < glb->root_count; i++) {
			json_write_integer(json, glb->roots[i]);
		}
		json_write_end_list(json);
	}
	json_write_end_object(json);
	json_write_end_list(json);
}

static void write_lists(const struct glb *glb, struct json_writer *json) {
	for (int i = 0; i < GLB_LIST_COUNT; i++) {
		const struct buffer *text = &glb->lists[i].text;
		if (glb->lists[i].count > 0) {
			json_write_key(json, list_names[i]);
			json_write_begin_list(json);
			buffer_append(json->out, text->data, text->size);
			json_write_end_list(json);
		}
	}
	if (glb->bin_bytes > 0) {
		json_write_key(json, "buffers");
		json_write_begin_list(json);
		json_write_begin_object(json);
		json_write_member_integer(json, "byteLength", (int64_t)glb->bin_bytes);
		json_write_end_object(json);
		json_write_end_list(json);
	}
}

static void write_document(const struct glb *glb, const char *generator, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_key(&json, "asset");
	json_write_begin_object(&json);
	json_write_member_string(&json, "version", "2.0");
	json_write_member_string(&json, "generator", generator);
	json_write_end_object(&json);
	if (glb->extension_count > 0) {
		json_write_key(&json, "extensionsUsed");
		json_write_begin_list(&json);
		for (size_t i = 0; i < glb->extension_count; i++) {
			json_write_string(&json, glb->extensions[i]);
		}
		json_write_end_list(&json);
	}
	write_scene(glb, &json);
	write_lists(glb, &json);
	json_write_end_object(&json);
	// The chunk is filled up with spaces.
	buffer_append(out, "   ", round_up(out->size) - out->size);
}

static void put_u32(struct buffer *out, size_t value) {
	const unsigned char bytes[] = {(unsigned char)value, (unsigned char)(value >> 8),
		(unsigned char)(value >> 16), (unsigned char)(value >> 24)};
	buffer_append(out, bytes, sizeof bytes);
}

static void put_parts(const struct glb *glb, struct buffer *out) {
	for (int i = 0; i < glb->lists[GLB_VIEWS].count; i++) {
		const struct glb_part *part = &glb->parts[i];
		buffer_append(out, part->data, part->size);
		buffer_append(out, "\0\0", round_up(part->size) - part->size);
	}
}

bool glb_write(const struct glb *glb, const char *generator, size_t max_bytes, struct buffer *out,
	struct error *err) {
	struct buffer json = {0};
	write_document(glb, generator, &json);
	const size_t bin_chunk = glb->bin_bytes > 0 ? CHUNK_HEADER_BYTES + glb->bin_bytes : 0;
	const size_t bytes = HEADER_BYTES + CHUNK_HEADER_BYTES + json.size + bin_chunk;
	const size_t most = max_bytes < UINT32_MAX ? max_bytes : UINT32_MAX;
	if (bytes > most) {
		buffer_finish(&json);
		return error_set(err, ERROR_TOO_LARGE,
			"a GLB of %zu bytes is more than the %zu bytes of an answer", bytes, most);
	}
	buffer_reserve(out, bytes);
	put_u32(out, MAGIC);
	put_u32(out, 2);
	put_u32(out, bytes);
	put_u32(out, json.size);
	put_u32(out, CHUNK_JSON);
	buffer_append(out, json.data, json.size);
	buffer_finish(&json);
	if (bin_chunk > 0) {
		put_u32(out, glb->bin_bytes);
		put_u32(out, CHUNK_BIN);
		put_parts(glb, out);
	}
	return true;
}
