// Copies of a rig, skinned and drawn frame after frame.
#include "methods_crowd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "bindings.glsl"
#include "gl/egl.h"
#include "gl/gpu_rig.h"
#include "methods_examples.h"
#include "pose/sample/sampler.h"
#include "skinned/skin.h"
#include "state/context.h"
#include "state/state.h"

#define SIZE 16 // pixels a side
#define FRAMES_A_SECOND 60
#define LOOP_SECONDS 2.0 // the clip is played in this time, whatever its own

static const char vertex_text[] =
	"#version 310 es\n"
	"layout(location = 0) in vec3 position;\n"
	"layout(location = 0) uniform vec4 scale;\n"
	"layout(location = 1) uniform vec4 shift;\n"
	"void main() { gl_Position = vec4(position, 1.0) * scale + shift; }\n";

static const char fragment_text[] = "#version 310 es\n"
				    "precision mediump float;\n"
				    "out vec4 color;\n"
				    "void main() { color = vec4(1.0); }\n";

struct crowd {
	struct renderer *renderer;
	struct rig *rig;
	struct examples *examples;
	int clip; // position in rig->clips
	int copies;
	struct crowd_work work;
	struct skin_plan plan; // of the work
	long frames;           // since it was created, for the time

	/* The rig's places on the GPU: [group_count] with streams and vertex arrays of their own,
	 * each for as many copies as fall to it: all or one. */
	struct gpu_rig *groups;
	int group_count;
	const struct rig *there; // of which groups are: the plan's, or one before; NULL = none
	GLuint indices;          // of a group of all copies; 0 = groups have the rig's
	GLuint program, framebuffer, color;
	GLuint timer; // a query; 0 = the driver has none

	struct arena *arena;                    // of one frame
	struct arena *standing;                 // of the work
	struct prepared *prepared;              // [copies] in either
	struct scratch out, morphed, displaced; // of the CPU
};

static unsigned char *read_file(const char *path, size_t *size, struct error *err) {
	FILE *file = fopen(path, "rb");
	long length = -1;
	unsigned char *bytes = NULL;
	if (file && fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) > 0) {
		rewind(file);
		bytes = xcalloc((size_t)length, 1);
		*size = fread(bytes, 1, (size_t)length, file);
	}
	if (file) {
		fclose(file);
	}
	if (!bytes || *size != (size_t)length) {
		free(bytes);
		error_set(err, ERROR_INTERNAL, "cannot read %s", path);
		return NULL;
	}
	return bytes;
}

static bool load(struct crowd *crowd, const struct crowd_source *source, struct error *err) {
	size_t size;
	unsigned char *bytes = read_file(source->path, &size, err);
	crowd->rig = bytes ? renderer_import(bytes, size, err) : NULL;
	free(bytes);
	if (!crowd->rig) {
		return false;
	}
	crowd->clip = rig_find_clip(crowd->rig, source->clip);
	if (crowd->clip < 0) {
		return error_set(err, ERROR_UNKNOWN_CLIP, "%s has no such clip", source->path);
	}
	crowd->examples = methods_examples(crowd->rig, source->joints, err);
	return crowd->examples != NULL;
}

static GLuint compile(GLenum stage, const char *text) {
	const GLuint shader = glCreateShader(stage);
	glShaderSource(shader, 1, &text, NULL);
	glCompileShader(shader);
	return shader;
}

static bool make_program(struct crowd *crowd, struct error *err) {
	const GLuint shaders[] = {
		compile(GL_VERTEX_SHADER, vertex_text), compile(GL_FRAGMENT_SHADER, fragment_text)};
	crowd->program = glCreateProgram();
	for (int i = 0; i < 2; i++) {
		glAttachShader(crowd->program, shaders[i]);
		glDeleteShader(shaders[i]);
	}
	glLinkProgram(crowd->program);
	GLint linked = GL_FALSE;
	glGetProgramiv(crowd->program, GL_LINK_STATUS, &linked);
	char words[600] = "";
	glGetProgramInfoLog(crowd->program, sizeof words, NULL, words);
	return linked || error_set(err, ERROR_INTERNAL, "the benchmark's shaders: %s", words);
}

static void make_target(struct crowd *crowd) {
	glGenRenderbuffers(1, &crowd->color);
	glBindRenderbuffer(GL_RENDERBUFFER, crowd->color);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIZE, SIZE);
	glGenFramebuffers(1, &crowd->framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, crowd->framebuffer);
	glFramebufferRenderbuffer(
		GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, crowd->color);
	glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

/* Indices into the positions of all copies, whose streams lie one behind the other. */
static GLuint make_indices(const struct rig *rig, int copies) {
	const int count = rig->index_count > 0 ? rig->index_count : rig->vertex_count;
	const GLuint stride = (GLuint)(gpu_rig_stream_floats(rig) / 3);
	GLuint *indices = xcalloc((size_t)count * (size_t)copies, sizeof *indices), *next = indices;
	for (int copy = 0; copy < copies; copy++) {
		for (int i = 0; i < rig->primitive_count; i++) {
			const struct primitive *p = &rig->primitives[i];
			const int own = p->index_count > 0 ? p->index_count : p->vertex_count;
			for (int k = 0; k < own; k++) {
				const GLuint vertex = p->index_count > 0
					? rig->indices[p->first_index + k]
					: (GLuint)k;
				*next++ = (GLuint)copy * stride + (GLuint)p->first_vertex + vertex;
			}
		}
	}
	GLuint buffer;
	glGenBuffers(1, &buffer);
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)(next - indices) * sizeof *indices),
		indices, GL_STATIC_DRAW);
	free(indices);
	return buffer;
}

/* Streams for what skinning writes, and a vertex array that reads them. */
static void make_group(struct crowd *crowd, const struct gpu_rig *first, struct gpu_rig *group) {
	const size_t copies = (size_t)(crowd->copies / crowd->group_count);
	const size_t bytes = copies * gpu_rig_stream_floats(crowd->plan.rig) * sizeof(float);
	glGenBuffers(1, &group->skinned);
	glGenVertexArrays(1, &group->vertex_array);
	glBindVertexArray(group->vertex_array);
	glBindBuffer(GL_ARRAY_BUFFER, group->skinned);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)bytes, NULL, GL_DYNAMIC_COPY);
	glEnableVertexAttribArray(ATTRIBUTE_LOCATION_POSITION);
	glVertexAttribPointer(ATTRIBUTE_LOCATION_POSITION, 3, GL_FLOAT, GL_FALSE, 12, NULL);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, crowd->indices ? crowd->indices : first->indices);
	glBindVertexArray(0);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
}

static void destroy_groups(struct crowd *crowd) {
	for (int i = 0; crowd->there && i < crowd->group_count; i++) {
		glDeleteBuffers(1, &crowd->groups[i].skinned);
		glDeleteVertexArrays(1, &crowd->groups[i].vertex_array);
		if (crowd->indices) {
			glDeleteBuffers(1, &crowd->groups[i].displaced); // its own, see share()
		}
	}
	glDeleteBuffers(1, &crowd->indices);
	crowd->indices = 0;
	crowd->there = NULL;
}

static void make_groups(struct crowd *crowd, const struct gpu_rig *first) {
	const int wanted = crowd->work.at_once ? 1 : crowd->copies;
	if (crowd->there == crowd->plan.rig && crowd->group_count == wanted) {
		return;
	}
	destroy_groups(crowd);
	crowd->group_count = wanted;
	if (crowd->work.at_once) {
		crowd->indices = make_indices(crowd->plan.rig, crowd->copies);
	}
	for (int i = 0; i < wanted; i++) {
		crowd->groups[i].displaced = 0;
		make_group(crowd, first, &crowd->groups[i]);
	}
	crowd->there = crowd->plan.rig;
}

/* Gives a group all that is not its own from the rig's first place on the GPU, which has been
 * skinned once, so that the method's data is there, too. */
static void share(struct crowd *crowd, const struct gpu_rig *first, struct gpu_rig *group) {
	const struct gpu_rig own = *group;
	*group = *first;
	group->drawn.copies = crowd->copies / crowd->group_count;
	group->skinned = own.skinned;
	group->vertex_array = own.vertex_array;
	group->displaced = group->drawn.copies > 1 ? own.displaced : first->displaced;
}

static bool make_device(struct crowd *crowd, struct error *err) {
	if (!make_program(crowd, err)) {
		return false;
	}
	make_target(crowd);
	if (epoxy_has_gl_extension("GL_EXT_disjoint_timer_query")) {
		glGenQueriesEXT(1, &crowd->timer);
	}
	return gl_check("making a crowd", err);
}

struct crowd *crowd_create(struct renderer *renderer, const struct crowd_source *source, int copies,
	struct error *err) {
	struct crowd *crowd = xcalloc(1, sizeof *crowd);
	crowd->renderer = renderer;
	crowd->copies = copies;
	crowd->arena = arena_create();
	crowd->standing = arena_create();
	crowd->prepared = xcalloc((size_t)copies, sizeof *crowd->prepared);
	crowd->groups = xcalloc((size_t)copies, sizeof *crowd->groups);
	if (!load(crowd, source, err) || (renderer->back_end && !make_device(crowd, err))) {
		crowd_destroy(crowd);
		return NULL;
	}
	return crowd;
}

void crowd_destroy(struct crowd *crowd) {
	if (!crowd) {
		return;
	}
	if (crowd->renderer->back_end) {
		destroy_groups(crowd);
		glDeleteProgram(crowd->program);
		glDeleteFramebuffers(1, &crowd->framebuffer);
		glDeleteRenderbuffers(1, &crowd->color);
	}
	if (crowd->timer) {
		glDeleteQueriesEXT(1, &crowd->timer);
	}
	skin_plan_finish(&crowd->plan);
	free(crowd->groups);
	free(crowd->prepared);
	scratch_finish(&crowd->out);
	scratch_finish(&crowd->morphed);
	scratch_finish(&crowd->displaced);
	arena_destroy(crowd->arena);
	arena_destroy(crowd->standing);
	examples_release(crowd->examples);
	rig_release(crowd->rig);
	free(crowd);
}

/* Poses a copy: each is a share of the loop ahead of the one before. */
static bool prepare_copy(struct crowd *crowd, int copy, struct arena *arena,
	struct prepared *prepared, struct error *err) {
	const struct clip *clip = &crowd->rig->clips[crowd->clip];
	const double time_s =
		(double)crowd->frames / FRAMES_A_SECOND + LOOP_SECONDS * copy / crowd->copies;
	struct skin_plan plan = crowd->plan;
	plan.time_s = fmod(time_s / LOOP_SECONDS, 1) * clip->duration_s;
	struct pose pose = pose_rest(crowd->rig, arena);
	clip_sample(crowd->rig, clip, plan.time_s, &pose);
	return prepare_from_pose(&plan, &pose, arena, prepared, err);
}

static bool make_plan(struct crowd *crowd, struct error *err) {
	const struct crowd_work *work = &crowd->work;
	const struct value id = {.kind = VALUE_STRING, .string = work->method->id, .key = "method"};
	const struct value choice = {.kind = VALUE_STRING,
		.string = work->choice,
		.key = work->option ? work->option->name : NULL};
	const struct value members[] = {id, choice};
	const struct value object = {
		.kind = VALUE_OBJECT, .count = work->option ? 2 : 1, .items = members};
	const struct skinning_settings settings = {.method = &id, .object = &object};
	const struct skin_plan_params params = {
		.subject = {.rig = crowd->rig, .skinning = settings, .examples = crowd->examples},
		.clip = crowd->clip,
	};
	skin_plan_finish(&crowd->plan);
	return skin_plan_make(crowd->renderer->library, &params, &crowd->plan, err);
}

/* True if the work of one copy does not touch the others'. */
static bool check_at_once(const struct skin_plan *plan, struct error *err) {
	const struct skin_kernel_stage *kernel = &plan->base.method->kernel;
	size_t batches = 0;
	if (kernel->batches) {
		kernel->batches(plan->base.data, &batches);
	}
	return (batches == 0 && plan->requested.method->finish.scratch_floats == 0 &&
		       gpu_rig_stream_floats(plan->rig) % 3 == 0) ||
		error_set(err, ERROR_INVALID_VALUE, "there is no form for copies at once");
}

/* Skins the rig in its first place on the GPU, which brings the method's data there. */
static bool skin_first(struct crowd *crowd, struct gpu_rig *first, struct error *err) {
	struct prepared prepared;
	if (!skin_plan_shader(&crowd->plan)) {
		return error_set(err, ERROR_INVALID_VALUE, "it is for the CPU alone");
	}
	const bool ok = (!crowd->work.at_once || check_at_once(&crowd->plan, err)) &&
		prepare_copy(crowd, 0, crowd->arena, &prepared, err) &&
		skin_on_gpu(crowd->renderer, &prepared, false, &first->drawn, err);
	arena_reset(crowd->arena);
	return ok;
}

/* Makes groups beside the rig's first place on the GPU. */
static bool begin_on_gpu(struct crowd *crowd, struct error *err) {
	struct drawn_rig *drawn = drawn_rigs_get(crowd->renderer, crowd->plan.rig, err);
	struct gpu_rig *first = gpu_rig_of(drawn);
	if (!drawn || (crowd->work.on_gpu && !skin_first(crowd, first, err))) {
		return false;
	}
	make_groups(crowd, first);
	for (int i = 0; i < crowd->group_count; i++) {
		share(crowd, first, &crowd->groups[i]);
	}
	return gl_check("making copies", err);
}

bool crowd_begin(struct crowd *crowd, const struct crowd_work *work, struct error *err) {
	if (!crowd->renderer->back_end && (work->on_gpu || work->drawn)) {
		return error_set(err, ERROR_NO_RENDERER, "there is no graphics driver");
	}
	crowd->work = *work;
	arena_reset(crowd->standing);
	bool ok = make_plan(crowd, err) && (!crowd->renderer->back_end || begin_on_gpu(crowd, err));
	for (int i = 0; ok && !work->drawn && i < crowd->copies; i++) {
		ok = prepare_copy(crowd, i, crowd->standing, &crowd->prepared[i], err);
	}
	return ok;
}

static bool skin_group_on_gpu(struct crowd *crowd, int group, struct error *err) {
	const struct prepared *prepared =
		&crowd->prepared[group * (crowd->copies / crowd->group_count)];
	// Groups share what steps hand on to one another.
	if (!prepared->plan.requested.method->kernel.skin) {
		glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
	}
	return skin_on_gpu(crowd->renderer, prepared, false, &crowd->groups[group].drawn, err);
}

static void skin_copy_on_cpu(struct crowd *crowd, int copy) {
	const struct rig *rig = crowd->plan.rig;
	const size_t count = (size_t)rig->vertex_count;
	float *out = scratch_get(&crowd->out, count * 6);
	const struct streams streams = {.positions = out, .normals = out + count * 3};
	const struct skin_room room = {&crowd->morphed, &crowd->displaced};
	skin_on_cpu(&crowd->prepared[copy], &room, &streams);
	if (crowd->work.drawn) {
		gpu_rig_put(rig, crowd->groups[copy].skinned, 0, streams.positions, streams.normals,
			NULL);
	}
}

static bool skin_all(struct crowd *crowd, struct error *err) {
	bool ok = true;
	for (int i = 0; ok && crowd->work.drawn && i < crowd->copies; i++) {
		ok = prepare_copy(crowd, i, crowd->arena, &crowd->prepared[i], err);
	}
	for (int i = 0; ok && crowd->work.on_gpu && i < crowd->group_count; i++) {
		ok = skin_group_on_gpu(crowd, i, err);
	}
	for (int i = 0; ok && !crowd->work.on_gpu && i < crowd->copies; i++) {
		skin_copy_on_cpu(crowd, i);
	}
	arena_reset(crowd->arena);
	return ok;
}

/* The rig's box fills the picture, so that no triangle is culled as a whole. */
static void set_view(const struct crowd *crowd) {
	const struct bounds *box = &crowd->rig->bounds;
	float scale[4] = {0, 0, 0, 1}, shift[4] = {0};
	for (int k = 0; k < 3; k++) {
		const double size = fmax(box->max[k] - box->min[k], 1e-6);
		scale[k] = (float)(1.6 / size);
		shift[k] = (float)(-0.8 * (box->max[k] + box->min[k]) / size);
	}
	glUniform4fv(0, 1, scale);
	glUniform4fv(1, 1, shift);
}

static void draw_group(const struct crowd *crowd, const struct gpu_rig *group) {
	const struct rig *rig = crowd->plan.rig;
	const int count = rig->index_count > 0 ? rig->index_count : rig->vertex_count;
	glBindVertexArray(group->vertex_array);
	if (crowd->indices || group->indices) {
		glDrawElements(GL_TRIANGLES, count * group->drawn.copies, GL_UNSIGNED_INT, NULL);
	} else {
		glDrawArrays(GL_TRIANGLES, 0, count);
	}
}

static void draw_all(const struct crowd *crowd) {
	glBindFramebuffer(GL_FRAMEBUFFER, crowd->framebuffer);
	glViewport(0, 0, SIZE, SIZE);
	glClearColor(0, 0, 0, 0);
	glClear(GL_COLOR_BUFFER_BIT);
	glUseProgram(crowd->program);
	set_view(crowd);
	for (int i = 0; i < crowd->group_count; i++) {
		draw_group(crowd, &crowd->groups[i]);
	}
	glBindVertexArray(0);
	glUseProgram(0);
	glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static bool make_frame(struct crowd *crowd, struct error *err) {
	const bool ok = skin_all(crowd, err);
	if (ok && crowd->work.drawn) {
		draw_all(crowd);
	}
	crowd->frames++;
	return ok;
}

/* Waits for the frame, and says what the driver's timer measured. */
static double wait_s(struct crowd *crowd) {
	GLuint64 nanoseconds = 0;
	if (crowd->renderer->back_end) {
		glFinish();
	}
	if (crowd->timer) {
		glGetQueryObjectui64vEXT(crowd->timer, GL_QUERY_RESULT, &nanoseconds);
	}
	return (double)nanoseconds * 1e-9;
}

static double cpu_now_s(void) {
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

bool crowd_run(struct crowd *crowd, double seconds, struct crowd_times *times, struct error *err) {
	*times = (struct crowd_times){
		.vertices = (long)crowd->copies * crowd->plan.rig->vertex_count};
	const double start = clock_now_s(), cpu_start = cpu_now_s();
	do {
		if (crowd->timer) {
			glBeginQueryEXT(GL_TIME_ELAPSED_EXT, crowd->timer);
		}
		const bool ok = make_frame(crowd, err);
		if (crowd->timer) {
			glEndQueryEXT(GL_TIME_ELAPSED_EXT);
		}
		if (!ok) {
			return false;
		}
		times->gpu_s += wait_s(crowd);
		times->frames++;
		times->wall_s = clock_now_s() - start;
	} while (times->wall_s < seconds);
	times->cpu_s = cpu_now_s() - cpu_start;
	return !crowd->renderer->back_end || gl_check("running a crowd", err);
}
