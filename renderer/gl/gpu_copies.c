// Skinned vertices of several copies of a rig.
#include "gl/gpu_copies.h"

#include <stddef.h>
#include <stdlib.h>

#include "bindings.glsl"
#include "gl/egl.h"
#include "model/material.h"

#define ROWS 3

bool gpu_copies_create(struct gpu_copies *copies, size_t bytes, struct error *err) {
	glGenBuffers(1, &copies->skinned);
	glGenBuffers(1, &copies->figures);
	glGenVertexArrays(1, &copies->vertex_array);
	copies->bytes = bytes;
	glBindBuffer(GL_SHADER_STORAGE_BUFFER, copies->skinned);
	glBufferData(
		GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(bytes ? bytes : 4), NULL, GL_DYNAMIC_COPY);
	glBindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
	if (!gl_check("making room for a crowd", err)) {
		gpu_copies_finish(copies);
		return false;
	}
	return true;
}

void gpu_copies_finish(struct gpu_copies *copies) {
	glDeleteBuffers(1, &copies->skinned);
	glDeleteBuffers(1, &copies->figures);
	glDeleteVertexArrays(1, &copies->vertex_array);
	*copies = (struct gpu_copies){0};
}

static size_t copy_bytes(const struct rig *rig) {
	return gpu_rig_stream_floats(rig) * sizeof(float);
}

void gpu_copies_keep(const struct gpu_copies *copies, const struct gpu_rig *gpu,
	const struct rig *rig, size_t i) {
	const size_t bytes = copy_bytes(rig);
	glBindBuffer(GL_COPY_READ_BUFFER, gpu->skinned);
	glBindBuffer(GL_COPY_WRITE_BUFFER, copies->skinned);
	glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, (GLintptr)(i * bytes),
		(GLsizeiptr)bytes);
	glBindBuffer(GL_COPY_READ_BUFFER, 0);
	glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

void gpu_copies_lend(struct gpu_copies *copies, struct gpu_rig *gpu, size_t count) {
	copies->lent_skinned = gpu->skinned;
	copies->lent_displaced = gpu->displaced;
	gpu->skinned = copies->skinned;
	gpu->displaced = 0;
	gpu->drawn.copies = (int)count;
}

void gpu_copies_take_back(struct gpu_copies *copies, struct gpu_rig *gpu, const struct rig *rig) {
	gpu_rig_forget_displaced(gpu, rig);
	gpu->skinned = copies->lent_skinned;
	gpu->displaced = copies->lent_displaced;
	gpu->drawn.copies = 1;
}

/* A matrix of three columns takes three attributes. */
static void point_at_rows(GLuint location, size_t offset) {
	for (GLuint row = 0; row < ROWS; row++) {
		glEnableVertexAttribArray(location + row);
		glVertexAttribPointer(location + row, 4, GL_FLOAT, GL_FALSE,
			sizeof(struct drawn_figure), (const void *)(offset + row * 16));
		glVertexAttribDivisor(location + row, 1);
	}
}

void gpu_copies_point_at(const struct gpu_copies *copies, size_t first) {
	const size_t start = first * sizeof(struct drawn_figure);
	glBindBuffer(GL_ARRAY_BUFFER, copies->figures);
	point_at_rows(
		ATTRIBUTE_LOCATION_PLACEMENT, start + offsetof(struct drawn_figure, placement));
	point_at_rows(
		ATTRIBUTE_LOCATION_NORMAL_MAP, start + offsetof(struct drawn_figure, normal_map));
	glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void gpu_copies_use(const struct gpu_copies *copies, const struct gpu_rig *gpu,
	const struct drawn_figure *figures, size_t count) {
	glBindVertexArray(copies->vertex_array);
	for (GLuint location = 0; location <= ATTRIBUTE_LOCATION_TANGENT; location++) {
		glDisableVertexAttribArray(location);
	}
	gpu_rig_point_at_surface(gpu);
	glBindBuffer(GL_ARRAY_BUFFER, copies->figures);
	glBufferData(
		GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *figures), figures, GL_STREAM_DRAW);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
}

static GLint gl_wrap(enum wrap wrap) {
	switch (wrap) {
	case WRAP_CLAMP:
		return GL_CLAMP_TO_EDGE;
	case WRAP_MIRROR:
		return GL_MIRRORED_REPEAT;
	case WRAP_REPEAT:
		break;
	}
	return GL_REPEAT;
}

/* An image on its way to smaller ones: the file's pixels first, then pixels of our own. */
struct level {
	int width, height;
	const unsigned char *rgba;
	unsigned char *owned;
};

static void halve(struct level *level, bool encoded) {
	unsigned char *half = mipmap_halve(level->rgba, encoded, &level->width, &level->height);
	free(level->owned);
	level->rgba = level->owned = half;
}

static void upload_levels(const struct image *image, bool all, bool encoded, size_t *bytes) {
	const GLint format = encoded ? GL_SRGB8_ALPHA8 : GL_RGBA8;
	GLint greatest = 0;
	glGetIntegerv(GL_MAX_TEXTURE_SIZE, &greatest);
	struct level level = {.width = image->width, .height = image->height, .rgba = image->rgba};
	while (level.width > greatest || level.height > greatest) {
		halve(&level, encoded);
	}
	glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
	for (GLint i = 0;; i++) {
		glTexImage2D(GL_TEXTURE_2D, i, format, level.width, level.height, 0, GL_RGBA,
			GL_UNSIGNED_BYTE, level.rgba);
		*bytes += (size_t)level.width * (size_t)level.height * 4;
		if (!all || (level.width == 1 && level.height == 1)) {
			break;
		}
		halve(&level, encoded);
	}
	free(level.owned);
}

GLuint upload_texture(
	const struct rig *rig, const struct texture *texture, bool encoded, size_t *bytes) {
	GLuint name;
	glGenTextures(1, &name);
	glBindTexture(GL_TEXTURE_2D, name);
	upload_levels(&rig->images[texture->image], !texture->no_mipmaps, encoded, bytes);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, gl_wrap(texture->wrap_u));
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, gl_wrap(texture->wrap_v));
	glTexParameteri(
		GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, texture->nearest ? GL_NEAREST : GL_LINEAR);
	// Numbers come from the nearest level alone: software drivers then take half the time for a
	// texture, and where levels meet is only seen in colours.
	const GLint smooth = encoded ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR_MIPMAP_NEAREST;
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
		texture->no_mipmaps        ? (texture->nearest ? GL_NEAREST : GL_LINEAR)
			: texture->nearest ? GL_NEAREST_MIPMAP_LINEAR
					   : smooth);
	glBindTexture(GL_TEXTURE_2D, 0);
	return name;
}

GLuint upload_white(void) {
	static const unsigned char white[4] = {255, 255, 255, 255};
	GLuint name;
	glGenTextures(1, &name);
	glBindTexture(GL_TEXTURE_2D, name);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, white);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glBindTexture(GL_TEXTURE_2D, 0);
	return name;
}
