// Skinning on the GPU.
#include "gl/gpu_skin.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bindings.glsl"
#include "gl/check.h"
#include "gl/program.h"

#define PROGRAMS_MAX 64

/* The standard's least GL_MAX_COMPUTE_WORK_GROUP_COUNT. */
#define GROUPS_MAX 65535

struct gpu_skin {
	struct {
		const char *shader;
		GLuint program;
	} programs[PROGRAMS_MAX]; // one per method that was used
	size_t program_count;
	GLuint palette; // storage buffer
};

struct gpu_skin *gpu_skin_create(struct error *err) {
	struct gpu_skin *skin = xcalloc(1, sizeof *skin);
	glGenBuffers(1, &skin->palette);
	if (!gl_check("preparing to skin", err)) {
		gpu_skin_destroy(skin);
		return NULL;
	}
	return skin;
}

void gpu_skin_destroy(struct gpu_skin *skin) {
	if (!skin) {
		return;
	}
	for (size_t i = 0; i < skin->program_count; i++) {
		glDeleteProgram(skin->programs[i].program);
	}
	glDeleteBuffers(1, &skin->palette);
	free(skin);
}

static GLuint find_program(struct gpu_skin *skin, const char *shader, struct error *err) {
	for (size_t i = 0; i < skin->program_count; i++) {
		if (strcmp(skin->programs[i].shader, shader) == 0) {
			return skin->programs[i].program;
		}
	}
	assert(skin->program_count < PROGRAMS_MAX);
	const GLuint program = program_create(&shader, 1, err);
	if (program) {
		skin->programs[skin->program_count].shader = shader;
		skin->programs[skin->program_count++].program = program;
	}
	return program;
}

static void dispatch(const struct gpu_rig *gpu, const struct primitive *primitive) {
	const GLuint step = GROUPS_MAX * SKIN_GROUP_SIZE;
	const GLuint count = (GLuint)primitive->vertex_count;
	const GLuint influences = (GLuint)primitive->influence_count;
	for (GLuint done = 0; done < count; done += step) {
		const GLuint part = count - done < step ? count - done : step;
		glUniform4ui(UNIFORM_SPAN, (GLuint)primitive->first_vertex + done, part,
			(GLuint)primitive->first_slot, influences);
		glUniform2ui(UNIFORM_INFLUENCES,
			(GLuint)primitive->first_influence + done * influences, gpu->weights_word);
		glDispatchCompute((part + SKIN_GROUP_SIZE - 1) / SKIN_GROUP_SIZE, 1, 1);
	}
}

bool gpu_skin_run(struct gpu_skin *skin, const struct gpu_skin_job *job, struct error *err) {
	const GLuint program = find_program(skin, job->shader, err);
	if (!program) {
		return false;
	}
	const struct rig *rig = job->rig;
	const GLsizeiptr palette_bytes =
		(GLsizeiptr)((size_t)rig->slot_count * (size_t)job->entry_floats * sizeof(float));
	const GLenum storage = GL_SHADER_STORAGE_BUFFER;
	glBindBuffer(storage, skin->palette);
	glBufferData(storage, palette_bytes, job->palette, GL_STREAM_DRAW);
	glBindBufferBase(storage, BUFFER_VERTICES, job->gpu->vertices);
	glBindBufferBase(storage, BUFFER_INFLUENCES, job->gpu->influences);
	glBindBufferBase(storage, BUFFER_PALETTE, skin->palette);
	glBindBufferBase(storage, BUFFER_SKINNED, job->gpu->skinned);
	glUseProgram(program);
	glUniform2ui(UNIFORM_STREAMS, (GLuint)rig->vertex_count, job->tangents ? 1 : 0);
	for (int i = 0; i < rig->primitive_count; i++) {
		dispatch(job->gpu, &rig->primitives[i]);
	}
	glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
	glUseProgram(0);
	for (GLuint binding = BUFFER_VERTICES; binding <= BUFFER_SKINNED; binding++) {
		glBindBufferBase(storage, binding, 0);
	}
	glBindBuffer(storage, 0);
	return gl_check("skinning", err);
}

bool gpu_skin_read(
	const struct gpu_rig *gpu, size_t start, size_t count, float *out, struct error *err) {
	if (count == 0) {
		return true;
	}
	const GLsizeiptr bytes = (GLsizeiptr)(count * sizeof *out);
	glBindBuffer(GL_COPY_READ_BUFFER, gpu->skinned);
	const void *mapped = glMapBufferRange(
		GL_COPY_READ_BUFFER, (GLintptr)(start * sizeof *out), bytes, GL_MAP_READ_BIT);
	if (mapped) {
		memcpy(out, mapped, (size_t)bytes);
		glUnmapBuffer(GL_COPY_READ_BUFFER);
	}
	glBindBuffer(GL_COPY_READ_BUFFER, 0);
	// A lost context gives no memory and need not raise an error.
	return gl_check("reading vertices", err) &&
		(mapped || error_set(err, ERROR_INTERNAL, "reading vertices: nothing is mapped"));
}
