// One frame on the way from a pose expression to skinned vertices.
#include "skinned/prepare.h"

#include <math.h>

#include "base/mat.h"
#include "skin/displacement.h"
#include "skin/method.h"
#include "skin/palette.h"
#include "state/context.h"
#include "state/state.h"

bool prepare_from_pose(const struct skin_plan *plan, const struct pose *pose, struct arena *arena,
	struct prepared *out, struct error *err) {
	const struct rig *rig = plan->rig;
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	double(*matrices)[12] = arena_alloc(arena, (size_t)rig->slot_count, sizeof *matrices);
	pose_to_moving(rig, pose, world);
	palette_build(rig, (const double(*)[12])world, matrices);
	*out = (struct prepared){
		.plan = *plan,
		.rig = rig,
		.matrices = matrices,
		.weights = pose->weights,
		.pose = *pose,
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
static bool evaluate(const struct prepare_params *params, struct arena *arena, struct pose *pose,
	struct skin_plan_params *plan, double *time_s, struct error *err) {
	const struct posed_subject *subject = &params->subject;
	struct pose_run lone = {.arena = arena, .sources = subject->sources, .stop = subject->stop};
	struct pose_run *run = params->run ? params->run : &lone;
	struct pose_context context = pose_context_make(subject->rig, arena, run);
	context.time.clock_s = subject->clock_s;
	*plan = (struct skin_plan_params){
		.subject = *subject, .memory = params->memory, .clip = -1};
	if (!skin_plan_check(subject->rig, &subject->skinning, err) ||
		!pose_evaluate(&context, subject->pose, pose, err)) {
		return false;
	}
	*time_s = context.time_s;
	const struct value *expression = subject->pose;
	if (expression && expression->kind == VALUE_OBJECT && value_member(expression, "clip")) {
		plan->clip = context.clip;
		plan->time_s = context.time_s;
	}
	return true;
}

static bool check_device(const struct renderer *renderer, const struct skinning_settings *settings,
	struct error *err) {
	return settings->device != DEVICE_GPU || renderer_has_shaders(renderer_info(renderer)) ||
		error_set(err, ERROR_NO_RENDERER, "device \"gpu\" is asked for, but %s",
			renderer->back_end
				? "there is no graphics driver: posed draws by itself here"
				: "there is no graphics driver");
}

bool prepare(const struct renderer *renderer, const struct prepare_params *params,
	struct arena *arena, struct prepared *out, struct error *err) {
	struct skin_plan_params planned;
	struct skin_plan plan;
	struct pose pose;
	double time_s;
	if (!evaluate(params, arena, &pose, &planned, &time_s, err) ||
		!check_device(renderer, &params->subject.skinning, err) ||
		!skin_plan_make(renderer->library, &planned, &plan, err)) {
		return false;
	}
	const bool ok = prepare_from_pose(&plan, &pose, arena, out, err);
	out->expression = params->subject.pose;
	out->time_s = time_s;
	out->on_gpu = ok && skin_plan_shader(&plan) &&
		renderer_uses_gpu(renderer_info(renderer), &params->subject.skinning);
	if (!ok || (out->on_gpu && !context_check(renderer, err))) {
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

static int fallbacks(const struct skin_plan *plan) {
	const struct skin_data *requested = plan->requested.data, *base = plan->base.data;
	return (requested ? requested->fallback_vertices : 0) +
		(base && base != requested ? base->fallback_vertices : 0);
}

struct skinning_report prepared_report(const struct prepared *prepared) {
	const struct skin_plan *plan = &prepared->plan;
	const struct skin_data *requested = plan->requested.data;
	const bool fitted = requested && plan->requested.method->recipe->needs_examples;
	return (struct skinning_report){
		.method = plan->requested.method->id,
		.device = prepared->on_gpu ? "gpu" : "cpu",
		.vertices = prepared->rig->vertex_count,
		.flags = data_flags(plan->kmax.data) | data_flags(requested) |
			data_flags(plan->base.data),
		.fallback_vertices = fallbacks(plan),
		.batches = skin_plan_batches(plan),
		.fitted = fitted,
		.residual_max = fitted ? requested->residual_max : 0,
		.residual_rms = fitted ? requested->residual_rms : 0,
		.dropped_weight = plan->kmax.data ? plan->kmax.data->dropped_weight : 0,
	};
}

void prepared_add_outcome(const struct prepared *prepared, struct skinning_report *report) {
	report->flags |= *prepared->palette.outcome;
}

/* What becomes of a volume at a primitive's first vertex. */
static double growth_of(const struct prepared *prepared, const struct primitive *primitive) {
	const int slot = primitive->vertex_count > 0
		? prepared->rig->influence_slots[primitive->first_influence]
		: 0;
	return mat_determinant(prepared->matrices[primitive->first_slot + slot]);
}

const bool *prepared_mirrored(const struct prepared *prepared, struct arena *arena) {
	const struct rig *rig = prepared->rig;
	bool *mirrored = arena_alloc(arena, (size_t)rig->primitive_count, sizeof *mirrored);
	for (int i = 0; i < rig->primitive_count; i++) {
		mirrored[i] = growth_of(prepared, &rig->primitives[i]) < 0;
	}
	return mirrored;
}

/* Of a number >= 0, by Newton's method: the same on every machine. 0 where it is not finite. */
static double cube_root(double x) {
	double unit = 1;
	if (!(x > 1e-30 && x < 1e30)) {
		return 0;
	}
	for (; x < 1; x *= 8) {
		unit /= 2;
	}
	for (; x >= 8; x /= 8) {
		unit *= 2;
	}
	double root = 1.5;
	for (int i = 0; i < 7; i++) {
		root -= (root - x / (root * root)) / 3;
	}
	return root * unit;
}

const float *prepared_scales(const struct prepared *prepared, struct arena *arena) {
	const struct rig *rig = prepared->rig;
	float *scales = arena_alloc(arena, (size_t)rig->primitive_count + 1, sizeof *scales);
	for (int i = 0; i < rig->primitive_count; i++) {
		scales[i] = (float)cube_root(fabs(growth_of(prepared, &rig->primitives[i])));
	}
	return scales;
}
