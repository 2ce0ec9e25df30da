/* A rig's copy on the GPU: what skinning reads and drawing needs. For the thread whose context is
 * current. */
#pragma once

#include <epoxy/gl.h>

#include "draw/back_end.h"
#include "model/rig.h"
#include "model/skin_data.h"

/* Methods' data that a rig keeps at most. */
#define GPU_RIG_DATA_MAX 16

struct gpu_rig {
	struct drawn_rig drawn;
	GLuint vertices;     // positions, normals, tangents as in rig: streams of floats
	GLuint influences;   // slots (uint16) padded to a word, then weights (float)
	GLuint weights_word; // word of influences at which the weights start
	GLuint skinned;      // the same streams as vertices, of the last pose; drawn.copies of them
	GLuint displaced;    // the same, before the kernel; 0 = no method has asked so far
	GLuint texcoords[TEXCOORD_SETS]; // 0 = none
	GLuint colors;                   // 0 = none
	GLuint indices;                  // 0 = none
	GLuint edges; // pairs of vertices (uint32), each edge once; 0 = set_edges() was not called
	size_t edge_count;
	/* [texture_count] each: as numbers, and as sRGB where RGB are. 0 = no material uses it so.
	 */
	GLuint *textures[2];
	GLuint vertex_array; // position, normal and tangent of skinned, texcoords, indices
	int texture_count;
	struct {
		uint64_t id; // skin_data->id
		size_t bytes;
		uint64_t last_use;
		GLuint buffer;
	} data[GPU_RIG_DATA_MAX]; // of methods that skinned it, in no order
	int data_count;
	uint64_t data_uses;
};

/* The copy that stands behind the seam. */
static inline struct gpu_rig *gpu_rig_of(struct drawn_rig *drawn) {
	return (struct gpu_rig *)drawn;
}

static inline const struct gpu_rig *gpu_rig_of_const(const struct drawn_rig *drawn) {
	return (const struct gpu_rig *)drawn;
}

/* The texture object of a material's texture; 0 = it has none. */
GLuint gpu_rig_texture(
	const struct gpu_rig *gpu, const struct material *material, enum texture_use use);

/* Uploads a rig. *bytes is what it takes, also when it does not fit: NULL with ERROR_TOO_LARGE when
 * the driver has no room, or ERROR_CONTEXT_LOST. */
struct gpu_rig *gpu_rig_create(const struct rig *rig, size_t *bytes, struct error *err);
void gpu_rig_destroy(struct gpu_rig *gpu); // takes NULL

/* Overwrites the vertices before skinning, for morph targets; NULL puts the rig's own back.
 * streams is [gpu_rig_stream_floats]. */
void gpu_rig_set_vertices(struct gpu_rig *gpu, const struct rig *rig, const float *streams);

/* The buffer of a method's data, uploaded if need be; the least recently used makes room, so that
 * the last few that were asked for stay. 0 without data. */
GLuint gpu_rig_data(struct gpu_rig *gpu, const struct skin_data *data);

/* Deletes all buffers of methods' data and of displaced vertices: what was not uploaded for want of
 * room must not be taken for what it should be. They are made again when they are needed. */
void gpu_rig_forget_data(struct gpu_rig *gpu, const struct rig *rig);

/* The buffer of displaced vertices, made if need be; and its end. */
GLuint gpu_rig_displaced(struct gpu_rig *gpu, const struct rig *rig);
void gpu_rig_forget_displaced(struct gpu_rig *gpu, const struct rig *rig);

/* Uploads the edges of the rig's triangles, [count] pairs of vertices. */
void gpu_rig_set_edges(struct gpu_rig *gpu, const uint32_t (*edges)[2], size_t count);

/* Writes vertices that were skinned on the CPU into such streams, as the i-th copy in the buffer.
 *
 * positions, normals  [vertex_count][3] each
 * tangents            [vertex_count][4]; NULL = they stay what they are */
void gpu_rig_put(const struct rig *rig, GLuint streams, size_t i, const float *positions,
	const float *normals, const float *tangents);

/* Has the vertex array that is bound take positions, normals and tangents from such streams: those
 * of the i-th copy in a buffer. */
void gpu_rig_point_at(const struct rig *rig, GLuint streams, size_t i);

/* The same for what all copies share: texture coordinates, colours and indices. */
void gpu_rig_point_at_surface(const struct gpu_rig *gpu);
