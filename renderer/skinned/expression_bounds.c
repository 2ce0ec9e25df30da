// The box around a rig's vertices over all that a pose expression does while time passes.
#include <math.h>
#include <string.h>

#include "base/fnv.h"
#include "pose/operations.h"
#include "skinned/bounds.h"
#include "skinned/box_search.h"
#include "state/state.h"
#include "view/camera.h"

/* Most moments of an expression that are looked at, some hundred of which a usual clip takes. Half
 * of them are spread evenly. */
#define MOMENTS_MAX 1024

/* Share of the joints that one run may pose that all moments may cost. */
#define WORK_SHARE 0.5

/* Share of a span that its first and last moment stand off, so that what repeats does not start
 * over there by rounding. */
#define EDGE 1e-7

/* Parts of a second that times are told apart by. */
#define TIME_PARTS 1e6

/* An expression while it is looked at. */
struct motion {
	struct skin_plan plan; // borrows what it holds
	const struct body_vertices *body;
	const struct value *expression;
	struct arena *notes; // of the run
	struct arena *spare; // of one moment
	struct pose_run run;
};

static struct motion motion_begin(const struct skin_plan *plan, const struct body_vertices *body,
	const struct posed_subject *subject) {
	struct arena *notes = arena_create();
	return (struct motion){
		.plan = *plan,
		.body = body,
		.expression = subject->pose,
		.notes = notes,
		.spare = arena_create(),
		.run = {.arena = notes, .sources = subject->sources, .stop = subject->stop},
	};
}

static void motion_end(struct motion *motion) {
	arena_destroy(motion->spare);
	arena_destroy(motion->notes);
}

/* The pose at a time by the expression's clock; there until the next one. */
static bool evaluate(struct motion *motion, double clock_s, struct pose *pose, struct error *err) {
	arena_reset(motion->spare);
	struct pose_context context =
		pose_context_make(motion->plan.rig, motion->spare, &motion->run);
	context.time.clock_s = clock_s;
	const bool ok = pose_evaluate(&context, motion->expression, pose, err);
	motion->plan.clip = context.clip;
	motion->plan.time_s = context.time_s;
	return ok;
}

static bool look(void *context, double time_s, struct bounds *out, struct error *err) {
	struct motion *motion = context;
	struct pose pose;
	return evaluate(motion, time_s, &pose, err) &&
		pose_bounds(&motion->plan, motion->body, &pose, out, err);
}

/* As many moments as half a run has joints for, as the next one costs. */
static bool find_most(struct motion *motion, size_t *most, struct error *err) {
	const size_t before = motion->run.joints;
	struct pose ignored;
	if (!evaluate(motion, 0, &ignored, err)) {
		return false;
	}
	const double each = fmax((double)(motion->run.joints - before), 1);
	*most = (size_t)fmin(MOMENTS_MAX, WORK_SHARE * (double)POSE_RUN_JOINTS / each);
	return true;
}

/* From the start of the longest clip to its end. */
static bool search_motion(struct motion *motion, double start_s, double length_s,
	struct bounds *out, struct error *err) {
	struct box_search search = {.look = look, .context = motion, .stop = motion->run.stop};
	if (!find_most(motion, &search.most, err)) {
		return false;
	}
	bounds_add_even_moments(&search, start_s + EDGE * length_s, (1 - 2 * EDGE) * length_s);
	return box_search_run(&search, pose_is_quick(motion->expression), out, err);
}

static bool is_time_of_clip(const struct value *value) {
	return value->kind == VALUE_NUMBER && value->key && strcmp(value->key, "time") == 0 &&
		value_member(value->parent, "clip");
}

/* Times of clips count from the start of the longest one, so that the same motion has the same
 * number whatever the moment that it is asked for at. */
static uint64_t hash_value(uint64_t hash, const struct value *value, double start_s) {
	const double number = is_time_of_clip(value) ? rint((value->number + start_s) * TIME_PARTS)
						     : value->number;
	const double numbers[] = {value->kind, number + 0.0, value->boolean, (double)value->count};
	hash = fnv_mix(hash, numbers, sizeof numbers);
	const char *const texts[] = {value->key, value->string};
	for (int i = 0; i < 2; i++) {
		hash = texts[i] ? fnv_mix(hash, texts[i], strlen(texts[i]) + 1) : hash;
	}
	for (size_t i = 0; i < value->count; i++) {
		hash = hash_value(hash, &value->items[i], start_s);
	}
	return hash;
}

static uint64_t hash_of(const struct posed_subject *subject, double start_s) {
	const struct pose_sources *sources = subject->sources;
	uint64_t hash = hash_value(FNV_START, subject->pose, start_s);
	for (size_t i = 0; sources && i < sources->count; i++) {
		const struct pose_source *source = &sources->items[i];
		hash = fnv_mix(hash, source->name, strlen(source->name) + 1);
		hash = fnv_mix(hash, &source->rig->clips_id, sizeof source->rig->clips_id);
	}
	return hash;
}

/* The known motion, computed on first use. The expression was evaluated at its own moment. */
static bool find_motion_bounds(struct renderer *renderer, struct motion *motion,
	const struct posed_subject *subject, struct bounds *out, struct error *err) {
	const double length_s = motion->run.clip_s, start_s = motion->run.clip_start_s;
	const struct bounds_key key = {.rig = motion->plan.rig->clips_id,
		.clip = -1,
		.expression = hash_of(subject, start_s),
		.plan = skin_plan_signature(&motion->plan),
		.part = motion->body->part};
	if (bounds_recall(renderer, &key, out)) {
		return true;
	}
	if (!search_motion(motion, start_s, length_s, out, err)) {
		return false;
	}
	bounds_keep(renderer, &key, out);
	return true;
}

static bool find_bounds(struct renderer *renderer, struct motion *motion,
	const struct posed_subject *subject, struct bounds *out, struct error *err) {
	struct pose pose;
	if (!evaluate(motion, 0, &pose, err)) {
		return false;
	}
	if (subject->pose && value_member(subject->pose, "clip")) {
		return clip_bounds(renderer, &motion->plan, motion->body, motion->plan.clip,
			subject->stop, out, err);
	}
	struct bounds own;
	if (!pose_bounds(&motion->plan, motion->body, &pose, &own, err)) {
		return false;
	}
	if (motion->run.clip_s <= 0) {
		*out = own;
		return true;
	}
	if (!find_motion_bounds(renderer, motion, subject, out, err)) {
		return false;
	}
	bounds_add_beyond(out, &own, BOUNDS_SLACK);
	return true;
}

bool expression_bounds(struct renderer *renderer, const struct skin_plan *plan,
	const struct body_vertices *body, const struct posed_subject *subject, struct bounds *out,
	struct error *err) {
	struct motion motion = motion_begin(plan, body, subject);
	const bool ok = find_bounds(renderer, &motion, subject, out, err);
	motion_end(&motion);
	return ok;
}
