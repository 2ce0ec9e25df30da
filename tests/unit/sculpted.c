// Examples for fits, made by another method than the one that is fitted.
#include "sculpted.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "json_value.h"
#include "model/examples.h"
#include "rigs.h"
#include "skin/method.h"
#include "skin/palette.h"

static const struct skinning_method *find(const char *id) {
	const struct value value = {.kind = VALUE_STRING, .string = (char *)id};
	const struct skinning_method *method = skin_method_find(&value, NULL);
	assert(method);
	return method;
}

/* Skins with given matrices. */
static void run(const struct rig *rig, const struct skinning_method *method,
	const double (*matrices)[12], const float *positions, const float *normals,
	float *out_positions, float *out_normals) {
	struct arena *arena = arena_create();
	struct skin_library *library = skin_library_create(NULL, 0);
	struct skin_plan plan = plan_of(method, rig, library);
	const struct skin_palette palette = palette_of(&plan, matrices, arena);
	const struct skin_job job = {.positions = positions,
		.normals = normals,
		.out_positions = out_positions,
		.out_normals = out_normals};
	skin_plan_run(&plan, &palette, &job, NULL, false);
	skin_plan_finish(&plan);
	skin_library_destroy(library);
	arena_destroy(arena);
}

static bool run_base(void *context, int example, const float *positions, const float *normals,
	float *out_positions, float *out_normals, struct error *err) {
	(void)err;
	const struct sculpted *s = context;
	run(s->rig, s->base, s->examples[example].matrices, positions, normals, out_positions,
		out_normals);
	return true;
}

static struct fit_example example_of(struct sculpted *s, const struct pose *pose);

struct sculpted *sculpted_create(struct rig *rig, const char *base, const char *truth) {
	struct sculpted *s = xcalloc(1, sizeof *s);
	s->rig = rig;
	s->arena = arena_create();
	s->base = find(base);
	s->truth = find(truth);
	s->input = (struct fit_input){
		.rig = rig, .examples = s->examples, .skin = run_base, .context = s};
	const struct pose rest = sculpted_pose(s);
	s->rest = example_of(s, &rest);
	s->input.rest = &s->rest;
	return s;
}

void sculpted_destroy(struct sculpted *s) {
	rig_release(s->rig);
	arena_destroy(s->arena);
	free(s);
}

struct pose sculpted_pose(struct sculpted *s) {
	return pose_rest(s->rig, s->arena);
}

static double (*matrices_of(struct sculpted *s, const struct pose *pose))[12] {
	double(*world)[12] = arena_alloc(s->arena, (size_t)s->rig->joint_count, sizeof *world);
	double(*matrices)[12] = arena_alloc(s->arena, (size_t)s->rig->slot_count, sizeof *matrices);
	pose_to_world(s->rig, pose, world);
	palette_build(s->rig, world, matrices);
	return matrices;
}

void sculpted_skin(struct sculpted *s, const struct skinning_method *method,
	const struct pose *pose, const float *positions, const float *normals, float *out_positions,
	float *out_normals) {
	float *ignored = arena_alloc(s->arena, (size_t)s->rig->vertex_count, 3 * sizeof *ignored);
	run(s->rig, method, matrices_of(s, pose), positions, normals, out_positions,
		out_normals ? out_normals : ignored);
}

float *sculpted_truth(
	struct sculpted *s, const struct pose *pose, double amount, float *out_normals) {
	const size_t count = (size_t)s->rig->vertex_count;
	float *rest = arena_alloc(s->arena, count, 3 * sizeof *rest);
	float *out = arena_alloc(s->arena, count, 3 * sizeof *out);
	memcpy(rest, s->rig->positions, count * 3 * sizeof *rest);
	for (int v = 0; s->sculpt && v < s->rig->vertex_count; v++) {
		s->sculpt(s->rig, v, amount, rest + v * 3);
	}
	sculpted_skin(s, s->truth, pose, rest, s->rig->normals, out, out_normals);
	return out;
}

/* The pose as an example that nobody has sculpted. */
static struct fit_example example_of(struct sculpted *s, const struct pose *pose) {
	const size_t joints = (size_t)s->rig->joint_count;
	struct transform *local = arena_alloc(s->arena, joints, sizeof *local);
	double(*world)[12] = arena_alloc(s->arena, joints, sizeof *world);
	memcpy(local, pose->local, joints * sizeof *local);
	pose_to_world(s->rig, pose, world);
	return (struct fit_example){
		.local = local,
		.world = (const double(*)[12])world,
		.matrices = (const double(*)[12])matrices_of(s, pose),
		.rest_positions = s->rig->positions,
		.rest_normals = s->rig->normals,
	};
}

void sculpted_add(struct sculpted *s, const char *name, const struct pose *pose, double amount) {
	assert(s->count < SCULPTED_MAX);
	float *normals = arena_alloc(s->arena, (size_t)s->rig->vertex_count, 3 * sizeof *normals);
	struct fit_example *example = &s->examples[s->count++];
	*example = example_of(s, pose);
	example->name = name;
	example->positions = sculpted_truth(s, pose, amount, normals);
	example->normals = normals;
	s->input.example_count = s->count;
}

double sculpted_rms(const struct sculpted *s, const float *a, const float *b) {
	double sum = 0;
	for (int i = 0; i < s->rig->vertex_count * 3; i++) {
		sum += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
	}
	return sqrt(sum / s->rig->vertex_count);
}

struct pose sculpted_pose_of(struct sculpted *s, int example) {
	const struct pose pose = sculpted_pose(s);
	memcpy(pose.local, s->examples[example].local,
		(size_t)s->rig->joint_count * sizeof *pose.local);
	return pose;
}

/* The expression of an example's pose. */
static const struct value *expression_of(struct sculpted *s, int example, struct arena *arena) {
	char *text = arena_printf(arena, "{'set':'rest','joints':{");
	const char *comma = "";
	for (int j = 0; j < s->rig->joint_count; j++) {
		const struct joint *joint = &s->rig->joints[j];
		const float *q = s->examples[example].local[j].rotation;
		if (memcmp(q, joint->rest.rotation, sizeof joint->rest.rotation) != 0) {
			text = arena_printf(arena, "%s%s'%s':{'rotation':[%.9g,%.9g,%.9g,%.9g]}",
				text, comma, joint->name, (double)q[0], (double)q[1], (double)q[2],
				(double)q[3]);
			comma = ",";
		}
	}
	return json_value(arena, arena_printf(arena, "%s}}", text));
}

struct examples *sculpted_examples(struct sculpted *s) {
	const size_t bytes = (size_t)s->rig->vertex_count * 3 * sizeof(float);
	struct examples *examples = examples_create(s->count, s->rig->vertex_count);
	for (int i = 0; i < s->count; i++) {
		struct example *item = &examples->items[i];
		item->name = arena_printf(examples->arena, "%02d %s", i, s->examples[i].name);
		item->pose = expression_of(s, i, examples->arena);
		const bool enough = examples_allocate(examples, i, true, NULL);
		assert(enough);
		memcpy(item->positions, s->examples[i].positions, bytes);
		memcpy(item->normals, s->examples[i].normals, bytes);
	}
	return examples;
}
