// One frame on the way from a pose expression to skinned vertices.
#include <stdint.h>
#include <stdio.h>

#include "base/mat.h"
#include "renderer_internal.h"
#include "skin/displacement.h"
#include "skin/morph.h"
#include "skin/normals_modes.h"
#include "skin/palette.h"

bool prepare_from_pose(const struct skin_plan *plan, const struct pose *pose, struct arena *arena,
	struct prepared *out, struct error *err) {
	const struct rig *rig = plan->rig;
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	double(*matrices)[12] = arena_alloc(arena, (size_t)rig->slot_count, sizeof *matrices);
	pose_to_world(rig, pose, world);
	palette_build(rig, (const double(*)[12])world, matrices);
	*out = (struct prepared){
		.plan = *plan,
		.rig = rig,
		.matrices = matrices,
		.weights = pose->weights,
	};
	const struct prepare_job job = {
		.rig = rig,
		.matrices = matrices,
		.world = world,
		.local = pose->local,
		.arena = arena,
	};
	return skin_plan_prepare(plan, &job, &out->palette, err);
}

/* Evaluates the pose, and finds the one clip that it is a moment of. */
static bool evaluate(const struct prepare_wish *wish, struct arena *arena, struct pose *pose,
	struct skin_plan_wish *plan, struct error *err) {
	struct pose_context context = {.rig = wish->rig, .arena = arena};
	*plan = (struct skin_plan_wish){
		.rig = wish->rig,
		.settings = wish->settings,
		.examples = wish->examples,
		.memory = wish->memory,
		.clip = -1,
		.stop = wish->stop,
	};
	if (!skin_plan_check(wish->settings, err) ||
		!pose_evaluate(&context, wish->pose, pose, err)) {
		return false;
	}
	if (wish->pose && wish->pose->kind == VALUE_OBJECT && value_member(wish->pose, "clip")) {
		plan->clip = context.clip;
		plan->time_s = context.time_s;
	}
	return true;
}

static bool check_device(const struct renderer *renderer, const struct skinning_settings *settings,
	struct error *err) {
	return settings->device != DEVICE_GPU || renderer->egl ||
		error_set(err, ERROR_NO_RENDERER,
			"device \"gpu\" is asked for, and the daemon has no graphics driver");
}

bool prepare(const struct renderer *renderer, const struct prepare_wish *wish, struct arena *arena,
	struct prepared *out, struct error *err) {
	struct skin_plan_wish planned;
	struct skin_plan plan;
	struct pose pose;
	if (!evaluate(wish, arena, &pose, &planned, err) ||
		!check_device(renderer, wish->settings, err) ||
		!skin_plan_make(renderer->library, &planned, &plan, err)) {
		return false;
	}
	const bool fine = prepare_from_pose(&plan, &pose, arena, out, err);
	out->on_gpu = fine && renderer_uses_gpu(renderer_info(renderer), wish->settings);
	if (!fine || (out->on_gpu && !context_check(renderer, err))) {
		skin_plan_finish(&plan);
		return false;
	}
	return true;
}

void prepared_finish(struct prepared *prepared) {
	skin_plan_finish(&prepared->plan);
}

static unsigned data_flags(const struct skin_data *data) {
	return data ? data->flags : 0;
}

static int fallbacks(const struct skin_data *data) {
	return data ? data->fallback_vertices : 0;
}

struct skinning_report prepared_report(const struct prepared *prepared) {
	return (struct skinning_report){
		.method = prepared->plan.asked.method->id,
		.device = prepared->on_gpu ? "gpu" : "cpu",
		.flags = data_flags(prepared->plan.asked.data) |
			data_flags(prepared->plan.base.data),
		.fallback_vertices = fallbacks(prepared->plan.base.data),
	};
}

const bool *prepared_mirrored(const struct prepared *prepared, struct arena *arena) {
	const struct rig *rig = prepared->rig;
	bool *mirrored = arena_alloc(arena, (size_t)rig->primitive_count, sizeof *mirrored);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		const int slot = primitive->vertex_count > 0
			? rig->influence_slots[primitive->first_influence]
			: 0;
		mirrored[i] = mat_determinant(prepared->matrices[primitive->first_slot + slot]) < 0;
	}
	return mirrored;
}

/* The vertices after morphing, in streams as gpu_rig.h has them; NULL where no target is active. */
static const float *morph_streams(const struct prepared *prepared, struct scratch *scratch) {
	const struct rig *rig = prepared->rig;
	if (!morph_is_active(rig, prepared->weights)) {
		return NULL;
	}
	const size_t count = (size_t)rig->vertex_count;
	float *streams = scratch_get(scratch, gpu_rig_stream_floats(rig));
	morph_apply(rig, prepared->weights, streams, streams + count * 3,
		rig->tangents ? streams + count * 6 : NULL);
	return streams;
}

void skin_on_cpu(
	const struct prepared *prepared, const struct skin_room *room, const struct streams *out) {
	const struct rig *rig = prepared->rig;
	const size_t count = (size_t)rig->vertex_count;
	const float *streams = morph_streams(prepared, room->morphed);
	const struct skin_job job = {
		.positions = streams ? streams : rig->positions,
		.normals = streams ? streams + count * 3 : rig->normals,
		.tangents = !out->tangents ? NULL
			: streams          ? streams + count * 6
					   : rig->tangents,
		.out_positions = out->positions,
		.out_normals = out->normals,
		.out_tangents = out->tangents,
	};
	float *spare = skin_plan_displaces(&prepared->plan)
		? scratch_get(room->displaced, count * 6)
		: NULL;
	skin_plan_run(&prepared->plan, &prepared->palette, &job, spare, false);
}

/* Room for the stages of a plan. */
#define STEPS_MAX 64

/* Fills what the shader knows of the options: all as numbers, choices and switches as constants. */
static void tell_options(const struct skin_option *const *list, const struct skin_options *options,
	enum normals normals, bool stretched, struct gpu_skin_step *step) {
	bool listed = list != NULL;
	size_t used = (size_t)snprintf(step->constants, sizeof step->constants,
		"const uint normals_by = %uu;\nconst bool stretched = %s;\n", (unsigned)normals,
		stretched ? "true" : "false");
	for (int i = 0; i < SKIN_OPTIONS_MAX; i++) {
		listed = listed && list[i];
		const bool constant = listed &&
			(list[i]->kind == SKIN_OPTION_CHOICE ||
				list[i]->kind == SKIN_OPTION_BOOLEAN);
		step->parameters[i] = (float)options->values[i];
		used += (size_t)snprintf(step->constants + used, sizeof step->constants - used,
			"const int option%d = %d;\n", i, constant ? (int)options->values[i] : 0);
	}
}

static struct gpu_skin_step kernel_step(const struct prepared *prepared) {
	const struct skin_plan *plan = &prepared->plan;
	struct gpu_skin_step step = {
		.shader = plan->base.method->kernel.shader,
		.per_primitive = true,
		.from_displaced = skin_plan_displaces(plan),
		.palette = prepared->palette.floats,
		.palette_floats = prepared->palette.count,
		.entry_floats = plan->base.method->kernel.entry_floats,
		.data = plan->base.data,
		.normals_data = plan->normals == NORMALS_EXACT ? plan->normals_data : NULL,
	};
	tell_options(plan->base.method->options, &plan->base.options,
		plan->normals == NORMALS_RECOMPUTE ? NORMALS_OWN : plan->normals,
		skin_plan_is_stretched(plan, &prepared->palette), &step);
	return step;
}

static struct gpu_skin_step displacement_step(const struct prepared *prepared) {
	const struct skin_plan *plan = &prepared->plan;
	struct gpu_skin_step step = {
		.shader = "displace.comp",
		.to_displaced = true,
		.palette = prepared->palette.coefficients,
		.palette_floats = ((size_t)prepared->palette.coefficient_count + 3) / 4 * 4,
		.data = plan->asked.data,
	};
	tell_options(NULL, &plan->asked.options, NORMALS_OWN, false, &step);
	return step;
}

/* Adds the passes of a stage, each as often as its option says. */
static size_t add_passes(const struct skin_finish_stage *stage,
	const struct skin_option *const *list, const struct skin_options *options,
	const struct skin_data *data, struct gpu_skin_step *steps, size_t count) {
	for (int i = 0; i < SKIN_PASSES_MAX && stage->passes[i].shader; i++) {
		const struct skin_pass *pass = &stage->passes[i];
		const int times = pass->option < 0 ? 1 : (int)options->values[pass->option];
		for (int k = 0; k < times && count < STEPS_MAX; k++) {
			steps[count] = (struct gpu_skin_step){
				.shader = pass->shader, .data = data, .pass = k};
			tell_options(list, options, NORMALS_OWN, false, &steps[count++]);
		}
	}
	return count;
}

static size_t make_steps(const struct prepared *prepared, struct gpu_skin_step *steps) {
	const struct skin_plan *plan = &prepared->plan;
	const struct normals_mode *mode = normals_mode(plan->normals);
	size_t count = 0;
	if (skin_plan_displaces(plan)) {
		steps[count++] = displacement_step(prepared);
	}
	steps[count++] = kernel_step(prepared);
	count = add_passes(&plan->asked.method->finish, plan->asked.method->options,
		&plan->asked.options, plan->asked.data, steps, count);
	if (mode) {
		const struct skin_options none = {{0}};
		count = add_passes(&mode->finish, NULL, &none, plan->normals_data, steps, count);
	}
	return count;
}

bool skin_on_gpu(struct renderer *renderer, const struct prepared *prepared, bool tangents,
	struct gpu_rig *gpu, struct error *err) {
	const float *streams = morph_streams(prepared, &renderer->morphed);
	if (streams || gpu->morphed) {
		gpu_rig_set_vertices(gpu, prepared->rig, streams);
	}
	struct gpu_skin_step steps[STEPS_MAX];
	const struct gpu_skin_job job = {
		.rig = prepared->rig,
		.gpu = gpu,
		.steps = steps,
		.step_count = make_steps(prepared, steps),
		.tangents = tangents,
		.scratch_floats = (size_t)prepared->plan.asked.method->finish.scratch_floats,
	};
	return gpu_skin_run(renderer->skin, &job, err);
}
