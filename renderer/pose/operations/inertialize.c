/* {"inertialize": P, "from": Q, "elapsed": s, "duration": s, "step": s}: P after a jump to it from
 * Q, with what Q was away from it running out. */
#include "base/utf8.h"
#include "pose/motion/inertia.h"
#include "pose/operations.h"

struct request {
	const struct value *to, *from;
	double elapsed_s, duration_s, step_s;
};

/* Kept for a place in the expression: the same at whatever moment it is asked for. */
struct note {
	struct inertia_pose *inertia; // NULL = not made yet
};

#define POSES 4

static bool evaluate_jump(struct pose_context *context, const struct request *request,
	struct pose_slot *const slots[static POSES], struct error *err) {
	// By the clock, the moment that is named is 0 for the old pose, and the jump for both.
	const double from_s = -context->time.clock_s;
	const double to_s = from_s - request->elapsed_s;
	for (int i = 0; i < POSES; i++) {
		const double later_s = (i % 2 == 0 ? from_s : to_s) - (i < 2 ? 0 : request->step_s);
		if (!slots[i] ||
			!pose_evaluate_later(context, i % 2 == 0 ? request->from : request->to,
				later_s, &slots[i]->pose, err)) {
			return false;
		}
	}
	return true;
}

static const struct inertia_pose *find_inertia(struct pose_context *context,
	const struct value *source, const struct request *request, struct error *err) {
	struct note *note = pose_run_recall(context->run, source, sizeof *note);
	if (note->inertia) {
		return note->inertia;
	}
	struct pose_slot *slots[POSES];
	for (int i = 0; i < POSES; i++) {
		slots[i] = pose_pool_take(&context->spare, context->rig, context->arena, err);
	}
	if (evaluate_jump(context, request, slots, err)) {
		const struct inertia_job job = {
			.from = &slots[0]->pose,
			.to = &slots[1]->pose,
			.from_before = &slots[2]->pose,
			.to_before = &slots[3]->pose,
			.step_s = request->step_s,
			.duration_s = request->duration_s,
		};
		note->inertia = inertia_pose_make(context->rig, &job, context->run->arena);
	}
	for (int i = 0; i < POSES; i++) {
		pose_pool_give(&context->spare, slots[i]);
	}
	return note->inertia;
}

#define AT(field) offsetof(struct request, field)

static const struct member rows[] = {
	{"inertialize", MEMBER_ANY, .offset = AT(to), .required = true},
	{"from", MEMBER_ANY, .offset = AT(from), .required = true},
	{"elapsed", MEMBER_NUMBER, .offset = AT(elapsed_s), .required = true, .least = 0,
		.most = 1e9},
	{"duration", MEMBER_NUMBER, .offset = AT(duration_s), .least = 0.001, .most = 60,
		.standard = 0.3},
	{"step", MEMBER_NUMBER, .offset = AT(step_s), .least = 0.0001, .most = 1,
		.standard = 1.0 / 60},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool evaluate_inertialize(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct request request = {0};
	if (!value_read_table(value, &members, &request, err)) {
		return false;
	}
	const struct inertia_pose *inertia = find_inertia(context, value, &request, err);
	if (!inertia) {
		return false;
	}
	const double since_s = request.elapsed_s + context->time.clock_s;
	if (since_s < 0) {
		return pose_evaluate_later(context, request.from, request.elapsed_s, out, err);
	}
	int joint;
	if (!pose_evaluate_into(context, request.to, out, err)) {
		return false;
	}
	if (!inertia_pose_add(context->rig, inertia, since_s, out, &joint)) {
		char name[160];
		utf8_quote(context->rig->joints[joint].name, name, sizeof name);
		return value_error(value, err, ERROR_INVALID_VALUE,
			"what is left of \"from\" takes joint %s farther than float32 reaches",
			name);
	}
	return true;
}

const struct operation operation_inertialize = {"inertialize", "a jump to a pose, smoothed out",
	evaluate_inertialize, &members, .is_quick = false};
