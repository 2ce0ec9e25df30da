/* A GLB while it is written: lists of glTF objects as JSON text, and the parts of the buffer that
 * they refer to. Source: Khronos Group, glTF 2.0 Specification, version 2.0.1, section 4.4. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/json_write.h"

/* The document's lists, in the order in which they are written. */
enum glb_list {
	GLB_NODES,
	GLB_MESHES,
	GLB_SKINS,
	GLB_MATERIALS,
	GLB_TEXTURES,
	GLB_SAMPLERS,
	GLB_IMAGES,
	GLB_ANIMATIONS,
	GLB_ACCESSORS,
	GLB_VIEWS,
	GLB_LIST_COUNT,
};

#define GLB_EXTENSIONS_MAX 16

/* Zero it before use; glb_finish frees it. */
struct glb {
	struct {
		struct buffer text; // objects with commas between them
		struct json_writer json;
		int count;
	} lists[GLB_LIST_COUNT];
	struct glb_part {
		const void *data; // borrowed until glb_write
		size_t size;
	} * parts;        // [lists[GLB_VIEWS].count]
	size_t bin_bytes; // of all parts, each filled up to a multiple of four
	int *roots;       // [root_count] nodes of the one scene
	int root_count;
	const char *extensions[GLB_EXTENSIONS_MAX]; // that the document uses; constant strings
	size_t extension_count;
};

void glb_finish(struct glb *glb);

/* Begins one more object of a list. The caller writes its members, then ends it. */
struct json_writer *glb_begin(struct glb *glb, enum glb_list list);

/* Makes a node one of the scene's roots; the others are children of nodes. */
void glb_add_root(struct glb *glb, int node);

/* Says that the document uses an extension; saying so again changes nothing. */
void glb_use_extension(struct glb *glb, const char *name);

enum glb_target {
	GLB_NO_TARGET, // pictures, keys
	GLB_VERTICES = 34962,
	GLB_INDICES = 34963,
};

/* Adds a part of the buffer and its view; returns the view's index. data is read by glb_write;
 * stride is that of vertices, else 0. */
int glb_add_view(
	struct glb *glb, const void *data, size_t size, size_t stride, enum glb_target target);

enum glb_component { GLB_U16 = 5123, GLB_U32 = 5125, GLB_F32 = 5126 };

struct glb_accessor {
	int view;      // -1 = none: all are 0
	size_t offset; // bytes
	enum glb_component component;
	const char *type; // "VEC3"
	size_t count;
	const float *min, *max; // [3], of scalars [1]; NULL = not written
};

/* Returns the accessor's index. */
int glb_add_accessor(struct glb *glb, const struct glb_accessor *accessor);

/* The least and the greatest of each coordinate of [count][3] positions, at least one. */
void glb_find_extent(
	const float *positions, size_t count, float min[static 3], float max[static 3]);

/* Appends the file to out. Fails with ERROR_TOO_LARGE where it would have more than max_bytes, and
 * then out is as it was. */
bool glb_write(const struct glb *glb, const char *generator, size_t max_bytes, struct buffer *out,
	struct error *err);
