// Skinning on the GPU.
#include "gl/gpu_skin.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "gl/egl.h"
#include "gl/program.h"
#include "skin_bindings.glsl"

#define PROGRAMS_MAX 256

/* The standard's least GL_MAX_COMPUTE_WORK_GROUP_COUNT. */
#define GROUPS_MAX 65535

struct gpu_skin {
	struct {
		const char *shader;
		char constants[GPU_SKIN_CONSTANTS_BYTES];
		GLuint program;
	} programs[PROGRAMS_MAX]; // one per shader and constants that were used
	size_t program_count;
	GLuint palette; // storage buffer
	GLuint scratch; // likewise, between steps
	size_t scratch_bytes;
	GLuint nothing; // bound where a step has no data
};

/* Every driver for a GPU of the last ten years offers more; the standard asks for four only. */
static bool check_limits(struct error *err) {
	struct gl_limits limits;
	gl_limits_get(&limits);
	const int wanted = BUFFER_SCRATCH + 1;
	return limits.compute_blocks >= wanted ||
		error_set(err, ERROR_NO_RENDERER,
			"the driver gives compute shaders %d storage buffers, skinning takes %d",
			limits.compute_blocks, wanted);
}

struct gpu_skin *gpu_skin_create(struct error *err) {
	if (!check_limits(err)) {
		return NULL;
	}
	struct gpu_skin *skin = xcalloc(1, sizeof *skin);
	glGenBuffers(1, &skin->palette);
	glGenBuffers(1, &skin->scratch);
	glGenBuffers(1, &skin->nothing);
	glBindBuffer(GL_SHADER_STORAGE_BUFFER, skin->nothing);
	glBufferData(GL_SHADER_STORAGE_BUFFER, 16, NULL, GL_STATIC_DRAW);
	glBindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
	if (!gl_check("preparing to skin", err)) {
		gpu_skin_destroy(skin);
		return NULL;
	}
	return skin;
}

static void forget_programs(struct gpu_skin *skin) {
	for (size_t i = 0; i < skin->program_count; i++) {
		glDeleteProgram(skin->programs[i].program);
	}
	skin->program_count = 0;
}

void gpu_skin_destroy(struct gpu_skin *skin) {
	if (!skin) {
		return;
	}
	forget_programs(skin);
	const GLuint buffers[] = {skin->palette, skin->scratch, skin->nothing};
	glDeleteBuffers(sizeof buffers / sizeof *buffers, buffers);
	free(skin);
}

static GLuint find_program(
	struct gpu_skin *skin, const struct gpu_skin_step *step, struct error *err) {
	for (size_t i = 0; i < skin->program_count; i++) {
		if (strcmp(skin->programs[i].shader, step->shader) == 0 &&
			strcmp(skin->programs[i].constants, step->constants) == 0) {
			return skin->programs[i].program;
		}
	}
	if (skin->program_count == PROGRAMS_MAX) {
		forget_programs(skin);
	}
	const GLuint program = program_create(&step->shader, 1, step->constants, err);
	if (program) {
		const size_t i = skin->program_count++;
		skin->programs[i].shader = step->shader;
		snprintf(skin->programs[i].constants, GPU_SKIN_CONSTANTS_BYTES, "%s",
			step->constants);
		skin->programs[i].program = program;
	}
	return program;
}

/* A run of vertices with their influences and slots. */
struct span {
	GLuint first_vertex, vertex_count, first_slot, influence_count;
	GLuint first_influence;
};

static void dispatch(const struct gpu_rig *gpu, struct span span) {
	const GLuint step = GROUPS_MAX * SKIN_GROUP_SIZE;
	for (GLuint done = 0; done < span.vertex_count; done += step) {
		const GLuint left = span.vertex_count - done;
		const GLuint part = left < step ? left : step;
		glUniform4ui(UNIFORM_SPAN, span.first_vertex + done, part, span.first_slot,
			span.influence_count);
		glUniform2ui(UNIFORM_INFLUENCES, span.first_influence + done * span.influence_count,
			gpu->weights_word);
		glDispatchCompute((part + SKIN_GROUP_SIZE - 1) / SKIN_GROUP_SIZE,
			(GLuint)gpu->drawn.copies, 1);
	}
}

static void dispatch_primitives(const struct gpu_rig *gpu, const struct rig *rig) {
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		dispatch(gpu,
			(struct span){
				.first_vertex = (GLuint)primitive->first_vertex,
				.vertex_count = (GLuint)primitive->vertex_count,
				.first_slot = (GLuint)primitive->first_slot,
				.influence_count = (GLuint)primitive->influence_count,
				.first_influence = (GLuint)primitive->first_influence,
			});
	}
}

static void dispatch_batches(const struct gpu_skin_job *job, const struct gpu_skin_step *step) {
	assert(job->drawn->copies == 1); // their matrices are uniforms
	const float *matrices = step->palette + step->entry_floats * job->rig->slot_count;
	for (size_t i = 0; i < step->batch_count; i++) {
		const struct skin_batch *batch = &step->batches[i];
		const struct primitive *primitive = &job->rig->primitives[batch->primitive];
		glUniform4fv(UNIFORM_MATRICES, (GLsizei)batch->matrix_count * 3,
			matrices + (size_t)batch->first_matrix * 12);
		dispatch(gpu_rig_of_const(job->drawn),
			(struct span){
				.first_vertex = batch->first_row,
				.vertex_count = batch->row_count,
				.first_slot = (GLuint)primitive->first_slot,
				.influence_count = (GLuint)primitive->influence_count,
			});
	}
}

/* A buffer of no bytes cannot be bound for storage. */
static void bind_or_nothing(struct gpu_skin *skin, GLuint binding, GLuint buffer) {
	glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer ? buffer : skin->nothing);
}

static void bind_palette(
	struct gpu_skin *skin, const struct gpu_skin_job *job, const struct gpu_skin_step *step) {
	const size_t floats = step->palette ? (size_t)job->drawn->copies *
			(gpu_skin_entry_floats(job->rig, step) + step->extra_floats)
					    : 0;
	if (floats > 0) {
		glBindBuffer(GL_SHADER_STORAGE_BUFFER, skin->palette);
		glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(floats * sizeof(float)),
			step->palette, GL_STREAM_DRAW);
	}
	bind_or_nothing(skin, BUFFER_PALETTE, floats > 0 ? skin->palette : 0);
}

static void bind_scratch(struct gpu_skin *skin, const struct gpu_skin_job *job) {
	assert(job->scratch_floats == 0 || job->drawn->copies == 1); // which would share it
	const size_t bytes = job->scratch_floats * (size_t)job->rig->vertex_count * sizeof(float);
	if (bytes > skin->scratch_bytes) {
		glBindBuffer(GL_SHADER_STORAGE_BUFFER, skin->scratch);
		glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)bytes, NULL, GL_DYNAMIC_COPY);
		skin->scratch_bytes = bytes;
	}
	bind_or_nothing(skin, BUFFER_SCRATCH, bytes > 0 ? skin->scratch : 0);
}

static void set_uniforms(const struct gpu_skin_job *job, const struct gpu_skin_step *step) {
	const struct gpu_skin_uniforms uniforms =
		gpu_skin_uniforms(job->rig, job->drawn->copies, job->tangents, step);
	glUniform2uiv(UNIFORM_STREAMS, 1, uniforms.streams);
	glUniform4uiv(UNIFORM_SECTIONS, SKIN_SECTIONS_MAX / 4, uniforms.sections);
	glUniform4uiv(UNIFORM_NORMALS_SECTIONS, SKIN_SECTIONS_MAX / 4, uniforms.normals_sections);
	glUniform4fv(UNIFORM_PARAMETERS, 2, step->parameters);
	glUniform1ui(UNIFORM_PASS, uniforms.pass);
	glUniform1ui(UNIFORM_EXTRA, uniforms.extra);
	glUniform4uiv(UNIFORM_COPY, 1, uniforms.copy);
}

static bool run_step(struct gpu_skin *skin, const struct gpu_skin_job *job,
	const struct gpu_skin_step *step, struct error *err) {
	const GLuint program = find_program(skin, step, err);
	if (!program) {
		return false;
	}
	struct gpu_rig *gpu = gpu_rig_of(job->drawn);
	const GLenum storage = GL_SHADER_STORAGE_BUFFER;
	const bool displaced = step->from_displaced || step->to_displaced;
	const GLuint spare = displaced ? gpu_rig_displaced(gpu, job->rig) : 0;
	bind_palette(skin, job, step);
	bind_or_nothing(skin, BUFFER_DATA, gpu_rig_data(gpu, step->data));
	bind_or_nothing(skin, BUFFER_NORMALS_DATA, gpu_rig_data(gpu, step->normals_data));
	bind_scratch(skin, job);
	glBindBufferBase(storage, BUFFER_VERTICES, step->from_displaced ? spare : gpu->vertices);
	glBindBufferBase(storage, BUFFER_INFLUENCES, gpu->influences);
	glBindBufferBase(storage, BUFFER_SKINNED, step->to_displaced ? spare : gpu->skinned);
	glUseProgram(program);
	set_uniforms(job, step);
	if (step->batch_count > 0) {
		dispatch_batches(job, step);
	} else if (step->per_primitive) {
		dispatch_primitives(gpu, job->rig);
	} else {
		dispatch(gpu, (struct span){.vertex_count = (GLuint)job->rig->vertex_count});
	}
	return true;
}

bool gpu_skin_run(struct gpu_skin *skin, const struct gpu_skin_job *job, struct error *err) {
	bool ok = true;
	for (size_t i = 0; ok && i < job->step_count; i++) {
		if (i > 0) {
			glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
		}
		ok = run_step(skin, job, &job->steps[i], err);
	}
	glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT |
		GL_BUFFER_UPDATE_BARRIER_BIT);
	glUseProgram(0);
	for (GLuint binding = BUFFER_VERTICES; binding <= BUFFER_SCRATCH; binding++) {
		glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, 0);
	}
	glBindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
	if (!gl_check("skinning", err)) {
		gpu_rig_forget_data(gpu_rig_of(job->drawn), job->rig);
		skin->scratch_bytes = 0;
		return false;
	}
	return ok;
}

static bool read_floats(GLuint buffer, size_t start, size_t count, float *out, struct error *err) {
	if (count == 0) {
		return true;
	}
	const GLsizeiptr bytes = (GLsizeiptr)(count * sizeof *out);
	glBindBuffer(GL_COPY_READ_BUFFER, buffer);
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

bool gpu_skin_read(
	const struct gpu_rig *gpu, size_t start, size_t count, float *out, struct error *err) {
	return read_floats(gpu->skinned, start, count, out, err);
}

bool gpu_skin_read_scratch(
	const struct gpu_skin *skin, size_t start, size_t count, float *out, struct error *err) {
	return read_floats(skin->scratch, start, count, out, err);
}
