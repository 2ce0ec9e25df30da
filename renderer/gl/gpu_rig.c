// A rig's copy on the GPU.
#include "gl/gpu_rig.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bindings.glsl"
#include "gl/egl.h"
#include "gl/gpu_copies.h"

static GLuint buffer_create(
	struct gpu_rig *gpu, GLenum target, size_t bytes, const void *data, GLenum usage) {
	GLuint buffer;
	glGenBuffers(1, &buffer);
	glBindBuffer(target, buffer);
	// A buffer of no bytes cannot be bound for storage.
	glBufferData(target, (GLsizeiptr)(bytes ? bytes : 4), bytes ? data : NULL, usage);
	gpu->drawn.bytes += bytes;
	return buffer;
}

static void write_streams(const struct rig *rig) {
	const size_t count = (size_t)rig->vertex_count * sizeof(float);
	const GLenum target = GL_SHADER_STORAGE_BUFFER;
	glBufferSubData(target, 0, (GLsizeiptr)(count * 3), rig->positions);
	glBufferSubData(target, (GLintptr)(count * 3), (GLsizeiptr)(count * 3), rig->normals);
	if (rig->tangents) {
		glBufferSubData(
			target, (GLintptr)(count * 6), (GLsizeiptr)(count * 4), rig->tangents);
	}
}

static void upload_influences(struct gpu_rig *gpu, const struct rig *rig) {
	const size_t slots_bytes = rig->influence_count * sizeof *rig->influence_slots;
	const size_t weights_at = gpu_rig_weights_word(rig) * 4;
	const size_t weights_bytes = rig->influence_count * sizeof *rig->influence_weights;
	gpu->influences = buffer_create(gpu, GL_SHADER_STORAGE_BUFFER,
		gpu_rig_influence_words(rig) * 4, NULL, GL_STATIC_DRAW);
	gpu->weights_word = (GLuint)gpu_rig_weights_word(rig);
	glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)slots_bytes, rig->influence_slots);
	glBufferSubData(GL_SHADER_STORAGE_BUFFER, (GLintptr)weights_at, (GLsizeiptr)weights_bytes,
		rig->influence_weights);
}

/* Indices count from the rig's first vertex on the GPU: drawing from a base vertex needs ES 3.2. */
static void upload_indices(struct gpu_rig *gpu, const struct rig *rig) {
	uint32_t *indices = xcalloc((size_t)rig->index_count, sizeof *indices);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		for (int k = primitive->first_index;
			k < primitive->first_index + primitive->index_count; k++) {
			indices[k] = rig->indices[k] + (uint32_t)primitive->first_vertex;
		}
	}
	gpu->indices = buffer_create(gpu, GL_ELEMENT_ARRAY_BUFFER,
		(size_t)rig->index_count * sizeof *indices, indices, GL_STATIC_DRAW);
	free(indices);
}

void gpu_rig_point_at(const struct rig *rig, GLuint streams, size_t i) {
	const size_t start = i * gpu_rig_stream_floats(rig) * sizeof(float);
	const size_t normals = start + (size_t)rig->vertex_count * 3 * sizeof(float);
	glBindBuffer(GL_ARRAY_BUFFER, streams);
	glEnableVertexAttribArray(ATTRIBUTE_LOCATION_POSITION);
	glVertexAttribPointer(
		ATTRIBUTE_LOCATION_POSITION, 3, GL_FLOAT, GL_FALSE, 12, (const void *)start);
	glEnableVertexAttribArray(ATTRIBUTE_LOCATION_NORMAL);
	glVertexAttribPointer(
		ATTRIBUTE_LOCATION_NORMAL, 3, GL_FLOAT, GL_FALSE, 12, (const void *)normals);
	if (rig->tangents) {
		const size_t tangents = start + (size_t)rig->vertex_count * 6 * sizeof(float);
		glEnableVertexAttribArray(ATTRIBUTE_LOCATION_TANGENT);
		glVertexAttribPointer(ATTRIBUTE_LOCATION_TANGENT, 4, GL_FLOAT, GL_FALSE, 16,
			(const void *)tangents);
	}
	glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void gpu_rig_point_at_surface(const struct gpu_rig *gpu) {
	static const GLuint texcoord_locations[TEXCOORD_SETS] = {
		ATTRIBUTE_LOCATION_TEXCOORD, ATTRIBUTE_LOCATION_TEXCOORD_SECOND};
	for (int set = 0; set < TEXCOORD_SETS; set++) {
		const GLuint location = texcoord_locations[set];
		if (gpu->texcoords[set]) {
			glBindBuffer(GL_ARRAY_BUFFER, gpu->texcoords[set]);
			glEnableVertexAttribArray(location);
			glVertexAttribPointer(location, 2, GL_FLOAT, GL_FALSE, 8, NULL);
		}
	}
	if (gpu->colors) {
		glBindBuffer(GL_ARRAY_BUFFER, gpu->colors);
		glEnableVertexAttribArray(ATTRIBUTE_LOCATION_COLOR);
		glVertexAttribPointer(ATTRIBUTE_LOCATION_COLOR, 4, GL_FLOAT, GL_FALSE, 16, NULL);
	}
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	if (gpu->indices) {
		glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, gpu->indices);
	}
}

static void describe_vertices(struct gpu_rig *gpu, const struct rig *rig) {
	glGenVertexArrays(1, &gpu->vertex_array);
	glBindVertexArray(gpu->vertex_array);
	gpu_rig_point_at(rig, gpu->skinned, 0);
	gpu_rig_point_at_surface(gpu);
	glBindVertexArray(0);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
}

/* Each texture in the ways that materials use it. */
static void upload_textures(struct gpu_rig *gpu, const struct rig *rig) {
	const size_t count = (size_t)rig->texture_count;
	gpu->texture_count = rig->texture_count;
	for (int encoded = 0; encoded < 2; encoded++) {
		gpu->textures[encoded] = xcalloc(count, sizeof *gpu->textures[encoded]);
	}
	for (int i = 0; i < rig->material_count; i++) {
		for (int use = 0; use < TEXTURE_USE_COUNT; use++) {
			const int texture = rig->materials[i].textures[use].texture;
			const bool encoded = material_textures[use].encoded;
			if (texture >= 0 && !gpu->textures[encoded][texture]) {
				gpu->textures[encoded][texture] = upload_texture(
					rig, &rig->textures[texture], encoded, &gpu->drawn.bytes);
			}
		}
	}
}

GLuint gpu_rig_texture(
	const struct gpu_rig *gpu, const struct material *material, enum texture_use use) {
	const int texture = material->textures[use].texture;
	return texture >= 0 ? gpu->textures[material_textures[use].encoded][texture] : 0;
}

struct gpu_rig *gpu_rig_create(const struct rig *rig, size_t *bytes, struct error *err) {
	struct gpu_rig *gpu = xcalloc(1, sizeof *gpu);
	gpu->drawn.id = rig->id;
	gpu->drawn.copies = 1;
	const size_t stream_bytes = gpu_rig_stream_floats(rig) * sizeof(float);
	const GLenum storage = GL_SHADER_STORAGE_BUFFER;
	gpu->vertices = buffer_create(gpu, storage, stream_bytes, NULL, GL_STATIC_DRAW);
	write_streams(rig);
	gpu->drawn.reach = rig_reach(rig->positions, rig->vertex_count);
	upload_influences(gpu, rig);
	gpu->skinned = buffer_create(gpu, storage, stream_bytes, NULL, GL_DYNAMIC_COPY);
	glBindBuffer(storage, 0);
	for (int set = 0; set < TEXCOORD_SETS; set++) {
		if (rig->texcoords[set]) {
			gpu->texcoords[set] = buffer_create(gpu, GL_ARRAY_BUFFER,
				(size_t)rig->vertex_count * 2 * sizeof(float), rig->texcoords[set],
				GL_STATIC_DRAW);
		}
	}
	if (rig->colors) {
		gpu->colors = buffer_create(gpu, GL_ARRAY_BUFFER,
			(size_t)rig->vertex_count * 4 * sizeof(float), rig->colors, GL_STATIC_DRAW);
	}
	if (rig->index_count > 0) {
		upload_indices(gpu, rig);
	}
	describe_vertices(gpu, rig);
	upload_textures(gpu, rig);
	*bytes = gpu->drawn.bytes;
	if (!gl_check("uploading a rig", err)) {
		gpu_rig_destroy(gpu);
		return NULL;
	}
	return gpu;
}

void gpu_rig_destroy(struct gpu_rig *gpu) {
	if (!gpu) {
		return;
	}
	const GLuint buffers[] = {gpu->vertices, gpu->influences, gpu->skinned, gpu->displaced,
		gpu->texcoords[0], gpu->texcoords[1], gpu->colors, gpu->indices, gpu->edges};
	for (int i = 0; i < gpu->data_count; i++) {
		glDeleteBuffers(1, &gpu->data[i].buffer);
	}
	glDeleteBuffers(sizeof buffers / sizeof *buffers, buffers);
	glDeleteVertexArrays(1, &gpu->vertex_array);
	for (int encoded = 0; encoded < 2; encoded++) {
		if (gpu->textures[encoded]) {
			glDeleteTextures(gpu->texture_count, gpu->textures[encoded]);
		}
		free(gpu->textures[encoded]);
	}
	free(gpu);
}

/* A place for one more: a free one, or that of the least recently used, whose buffer goes. */
static int data_place(struct gpu_rig *gpu) {
	if (gpu->data_count < GPU_RIG_DATA_MAX) {
		return gpu->data_count++;
	}
	int oldest = 0;
	for (int i = 1; i < gpu->data_count; i++) {
		if (gpu->data[i].last_use < gpu->data[oldest].last_use) {
			oldest = i;
		}
	}
	glDeleteBuffers(1, &gpu->data[oldest].buffer);
	gpu->drawn.bytes -= gpu->data[oldest].bytes;
	return oldest;
}

GLuint gpu_rig_data(struct gpu_rig *gpu, const struct skin_data *data) {
	if (!data) {
		return 0;
	}
	int i = 0;
	while (i < gpu->data_count && gpu->data[i].id != data->id) {
		i++;
	}
	if (i == gpu->data_count) {
		const size_t bytes = data->word_count * sizeof *data->words;
		i = data_place(gpu);
		gpu->data[i].id = data->id;
		gpu->data[i].bytes = bytes;
		gpu->data[i].buffer = buffer_create(
			gpu, GL_SHADER_STORAGE_BUFFER, bytes, data->words, GL_STATIC_DRAW);
	}
	gpu->data[i].last_use = ++gpu->data_uses;
	return gpu->data[i].buffer;
}

/* Bytes of the displaced vertices of all copies. */
static size_t displaced_bytes(const struct gpu_rig *gpu, const struct rig *rig) {
	return (size_t)gpu->drawn.copies * gpu_rig_stream_floats(rig) * sizeof(float);
}

void gpu_rig_forget_displaced(struct gpu_rig *gpu, const struct rig *rig) {
	if (gpu->displaced) {
		glDeleteBuffers(1, &gpu->displaced);
		gpu->displaced = 0;
		gpu->drawn.bytes -= displaced_bytes(gpu, rig);
	}
}

void gpu_rig_forget_data(struct gpu_rig *gpu, const struct rig *rig) {
	for (int i = 0; i < gpu->data_count; i++) {
		glDeleteBuffers(1, &gpu->data[i].buffer);
		gpu->drawn.bytes -= gpu->data[i].bytes;
	}
	gpu->data_count = 0;
	gpu_rig_forget_displaced(gpu, rig);
}

GLuint gpu_rig_displaced(struct gpu_rig *gpu, const struct rig *rig) {
	if (!gpu->displaced) {
		gpu->displaced = buffer_create(gpu, GL_SHADER_STORAGE_BUFFER,
			displaced_bytes(gpu, rig), NULL, GL_DYNAMIC_COPY);
	}
	return gpu->displaced;
}

void gpu_rig_set_vertices(struct gpu_rig *gpu, const struct rig *rig, const float *streams) {
	glBindBuffer(GL_SHADER_STORAGE_BUFFER, gpu->vertices);
	if (streams) {
		glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0,
			(GLsizeiptr)(gpu_rig_stream_floats(rig) * sizeof(float)), streams);
	} else {
		write_streams(rig);
	}
	gpu->drawn.morphed = streams != NULL;
	gpu->drawn.reach = rig_reach(streams ? streams : rig->positions, rig->vertex_count);
	glBindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
}

void gpu_rig_set_edges(struct gpu_rig *gpu, const uint32_t (*edges)[2], size_t count) {
	gpu->edges = buffer_create(
		gpu, GL_SHADER_STORAGE_BUFFER, count * sizeof *edges, edges, GL_STATIC_DRAW);
	gpu->edge_count = count;
	gpu->drawn.has_edges = true;
	glBindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
}

void gpu_rig_put(const struct rig *rig, GLuint streams, size_t i, const float *positions,
	const float *normals, const float *tangents) {
	const GLintptr start = (GLintptr)(i * gpu_rig_stream_floats(rig) * sizeof(float));
	const GLsizeiptr count = (GLsizeiptr)((size_t)rig->vertex_count * sizeof(float));
	glBindBuffer(GL_ARRAY_BUFFER, streams);
	glBufferSubData(GL_ARRAY_BUFFER, start, count * 3, positions);
	glBufferSubData(GL_ARRAY_BUFFER, start + count * 3, count * 3, normals);
	if (tangents) {
		glBufferSubData(GL_ARRAY_BUFFER, start + count * 6, count * 4, tangents);
	}
	glBindBuffer(GL_ARRAY_BUFFER, 0);
}
