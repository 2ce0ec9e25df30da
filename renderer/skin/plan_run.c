// A plan at work: the palette of a pose, and the kernels that skin by it.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/lanes.h"
#include "base/vec.h"
#include "skin/displacement.h"
#include "skin/method.h"
#include "skin/plan.h"
#include "skin/rigid.h"

/* For rounding, and for matrices that a method makes between two. */
#define SIZE_ROOM 4

/* Matrices and distances below these take no vertex near to the end of float32. */
#define MODEST_SIZE 1e9f
#define MODEST_DISTANCE 1e18f

/* A place in the arena for count floats at a multiple of 64 bytes. */
static float *aligned_floats(struct arena *arena, size_t count) {
	char *memory = arena_alloc(arena, count * sizeof(float) + 64, 1);
	return (float *)(void *)(((uintptr_t)memory + 63) / 64 * 64);
}

static struct prepare_job job_for(
	const struct skin_plan *plan, const struct skin_part *part, const struct prepare_job *job) {
	struct prepare_job own = *job;
	own.options = &part->options;
	own.option_list = part->method->options;
	own.data = part->data;
	own.memory = plan->memory;
	own.clip = plan->clip;
	own.time_s = plan->time_s;
	return own;
}

static void prepare_displacement(
	const struct skin_plan *plan, const struct prepare_job *job, struct skin_palette *out) {
	const struct skin_displacement_stage *stage = &plan->requested.method->displacement;
	const struct prepare_job own = job_for(plan, &plan->requested, job);
	out->coefficient_count = stage->coefficient_count(plan->requested.data);
	out->coefficients = aligned_floats(job->arena, (size_t)out->coefficient_count + 3);
	stage->coefficients(&own, out->coefficients);
}

static void prepare_finish(
	const struct skin_plan *plan, const struct prepare_job *job, struct skin_palette *out) {
	const struct skin_finish_stage *stage = &plan->requested.method->finish;
	const struct prepare_job own = job_for(plan, &plan->requested, job);
	out->number_count = stage->number_count(plan->requested.data);
	out->numbers = aligned_floats(job->arena, out->number_count);
	stage->numbers(&own, out->numbers);
}

/* A blend of matrices by weights that sum to 1 is no larger than the largest of them. */
static void measure(const struct prepare_job *job, struct skin_palette *out) {
	double size_square = 0, translation = 0;
	for (int i = 0; i < job->rig->slot_count; i++) {
		const double *m = job->matrices[i];
		const double square =
			vec3_dot(m, m) + vec3_dot(m + 4, m + 4) + vec3_dot(m + 8, m + 8);
		size_square = fmax(size_square, square);
		for (int row = 0; row < 3; row++) {
			translation = fmax(translation, fabs(m[row * 4 + 3]));
		}
	}
	out->matrix_size_square = (float)(size_square * SIZE_ROOM);
	out->farthest_translation = (float)translation;
}

/* Writes the entries of a kernel for rigid joints. False for a joint that the options refuse. */
static bool write_entries(const struct skin_kernel_stage *kernel, struct prepare_job *job,
	float *entry, struct error *err) {
	if (kernel->write_entry && !(job->joints = rigid_joints(job, err))) {
		return false;
	}
	for (int i = 0; kernel->write_entry && i < job->rig->slot_count; i++) {
		kernel->write_entry(job, i, entry);
		rigid_write_stretch(&job->joints[i], entry + kernel->stretch_at);
		entry += kernel->entry_floats;
	}
	return true;
}

bool skin_plan_prepare(const struct skin_plan *plan, const struct prepare_job *job,
	struct skin_palette *out, struct error *err) {
	const struct skin_kernel_stage *kernel = &plan->base.method->kernel;
	struct prepare_job own = job_for(plan, &plan->base, job);
	*out = (struct skin_palette){.outcome = arena_alloc(job->arena, 1, sizeof *out->outcome)};
	measure(job, out);
	out->count = (size_t)job->rig->slot_count * (size_t)kernel->entry_floats +
		(kernel->extra_floats ? kernel->extra_floats(job->rig, plan->base.data) : 0);
	out->floats = aligned_floats(job->arena, out->count);
	if (skin_plan_displaces(plan)) {
		prepare_displacement(plan, job, out);
	}
	if (plan->requested.method->finish.numbers) {
		prepare_finish(plan, job, out);
	}
	return write_entries(kernel, &own, out->floats, err) &&
		(!kernel->prepare || kernel->prepare(&own, out->floats, err));
}

bool skin_plan_keeps_near(
	const struct skin_plan *plan, const struct skin_palette *palette, float farthest) {
	const struct skin_recipe *recipe = plan->requested.method->recipe;
	const bool free = recipe && (recipe->needs_examples || recipe->needs_clip);
	return !free && palette->matrix_size_square < MODEST_SIZE * MODEST_SIZE &&
		palette->farthest_translation < MODEST_DISTANCE && farthest < MODEST_DISTANCE;
}

static void displace(const struct skin_plan *plan, const struct skin_palette *palette,
	struct skin_job *job, float *spare) {
	const size_t floats = (size_t)plan->rig->vertex_count * 3;
	memcpy(spare, job->positions, floats * sizeof *spare);
	memcpy(spare + floats, job->normals, floats * sizeof *spare);
	displacement_apply(
		plan->rig, plan->requested.data, palette->coefficients, spare, spare + floats);
	job->positions = spare;
	job->normals = spare + floats;
}

void skin_plan_run(const struct skin_plan *plan, const struct skin_palette *palette,
	const struct skin_job *job, float *spare, bool plain) {
	struct skin_job own = *job;
	own.rig = plan->rig;
	own.palette = palette->floats;
	if (skin_plan_displaces(plan)) {
		displace(plan, palette, &own, spare);
	}
	own.options = &plan->base.options;
	own.data = plan->base.data;
	own.matrix_size_square = palette->matrix_size_square;
	own.outcome = palette->outcome;
	own.normals_by = plan->normals == NORMALS_RECOMPUTE ? NORMALS_OWN : plan->normals;
	own.gradients = plan->normals == NORMALS_EXACT
		? skin_data_read_floats(plan->normals_data, 0)
		: NULL;
	const struct skin_kernel_stage *kernel = &plan->base.method->kernel;
	skin_kernel *skin = kernel->skin_avx2 && !plain && LANES_CPU_HAS_AVX2() ? kernel->skin_avx2
										: kernel->skin;
	for (int i = 0; i < plan->rig->primitive_count; i++) {
		skin(&own, &plan->rig->primitives[i]);
	}
	own.options = &plan->requested.options;
	own.data = plan->requested.data;
	own.palette = palette->numbers;
	if (plan->requested.method->finish.finish) {
		plan->requested.method->finish.finish(&own);
	}
	const struct normals_mode *mode = normals_mode(plan->normals);
	if (mode && mode->finish.finish) {
		own.data = plan->normals_data;
		mode->finish.finish(&own);
	}
}
