// Skinned vertices of several copies of a rig.
#include "gl/gpu_copies.h"

#include <stddef.h>

#include "bindings.glsl"
#include "gl/check.h"

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

struct gpu_loan gpu_copies_lend(
	const struct gpu_copies *copies, struct gpu_rig *gpu, size_t count) {
	const struct gpu_loan loan = {gpu, gpu->skinned, gpu->displaced};
	gpu->skinned = copies->skinned;
	gpu->displaced = 0;
	gpu->copies = (int)count;
	return loan;
}

void gpu_copies_take_back(struct gpu_loan *loan, const struct rig *rig) {
	gpu_rig_forget_displaced(loan->gpu, rig);
	loan->gpu->skinned = loan->skinned;
	loan->gpu->displaced = loan->displaced;
	loan->gpu->copies = 1;
}

/* A matrix of three columns takes three attributes. */
static void point_at_rows(GLuint location, size_t offset) {
	for (GLuint row = 0; row < ROWS; row++) {
		glEnableVertexAttribArray(location + row);
		glVertexAttribPointer(location + row, 4, GL_FLOAT, GL_FALSE,
			sizeof(struct gpu_figure), (const void *)(offset + row * 16));
		glVertexAttribDivisor(location + row, 1);
	}
}

void gpu_copies_point_at(const struct gpu_copies *copies, size_t first) {
	const size_t start = first * sizeof(struct gpu_figure);
	glBindBuffer(GL_ARRAY_BUFFER, copies->figures);
	point_at_rows(ATTRIBUTE_LOCATION_PLACEMENT, start + offsetof(struct gpu_figure, placement));
	point_at_rows(
		ATTRIBUTE_LOCATION_NORMAL_MAP, start + offsetof(struct gpu_figure, normal_map));
	glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void gpu_copies_use(const struct gpu_copies *copies, const struct gpu_rig *gpu,
	const struct gpu_figure *figures, size_t count) {
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
