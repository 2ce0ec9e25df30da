/* {"transition": [A, B], "time": t, "at": [ta, tb], "tolerance": metres, "loop": mode}: the clip A
 * until it passes through a pose that B passes through too, and B from there on. */
#include "pose/motion/transition.h"

#include <math.h>

#include "base/loop.h"
#include "base/utf8.h"
#include "pose/find.h"
#include "pose/operations.h"
#include "pose/sample/sampler.h"

struct request {
	const struct value *list, *at_source;
	double time_s, at_s[2], tolerance;
	int loop;
};

/* Kept for a place in the expression. */
struct note {
	bool found;
	struct transition transition;
};

static bool refuse_distance(const struct transition_job *job, const struct transition *found,
	const struct value *source, double tolerance, struct error *err) {
	char from[100], to[100];
	utf8_quote(job->from->name, from, sizeof from);
	utf8_quote(job->to->name, to, sizeof to);
	return value_error(source, err, ERROR_INVALID_VALUE,
		"clips %s and %s are %.4g apart %s, at %.4f s and %.4f s; \"tolerance\" is %g, "
		"beyond which \"crossfade\" or \"inertialize\" can join them",
		from, to, found->distance,
		source == job->source ? "where they are nearest" : "there", found->from_s,
		found->to_s, tolerance);
}

static bool check_at(
	const struct request *request, const struct transition_job *job, struct error *err) {
	const struct clip *clips[2] = {job->from, job->to};
	for (int i = 0; i < 2; i++) {
		if (!(request->at_s[i] >= 0 && request->at_s[i] <= clips[i]->duration_s)) {
			return value_error(&request->at_source->items[i], err, ERROR_INVALID_VALUE,
				"%.15g s is not within the clip, which lasts %g s",
				request->at_s[i], clips[i]->duration_s);
		}
	}
	return true;
}

static bool find_transition(const struct request *request, const struct transition_job *job,
	struct transition *out, struct error *err) {
	if (request->at_source) {
		if (!check_at(request, job, err) ||
			!pose_run_spend(job->run, job->source, 6 * job->rig->joint_count, err)) {
			return false;
		}
		transition_measure(job, request->at_s[0], request->at_s[1], out);
	} else {
		int count;
		if (!transition_find(job, out, 1, &count, err)) {
			return false;
		}
		if (count == 0) {
			return value_error(job->source, err, ERROR_INVALID_VALUE,
				"the clips take joints farther than float32 reaches");
		}
	}
	return out->distance <= request->tolerance ||
		refuse_distance(job, out, request->at_source ? request->at_source : job->source,
			request->tolerance, err);
}

static bool read_clips(struct pose_context *context, const struct value *list,
	struct transition_job *job, struct error *err) {
	if (list->kind != VALUE_LIST || list->count != 2) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"transition\" must be a list of two clips");
	}
	*job = (struct transition_job){
		.rig = context->rig,
		.from = pose_find_clip(context->rig, &list->items[0], err),
		.source = list,
		.run = context->run,
	};
	job->to = job->from ? pose_find_clip(context->rig, &list->items[1], err) : NULL;
	return job->to;
}

/* The clip that is shown, and the time on its own key axis. */
static const struct clip *find_moment(struct pose_context *context, enum loop loop,
	const struct transition_job *job, const struct transition *at, double time_s) {
	const bool first = context->time.at == CLIPS_AT_TIME ? time_s < at->from_s
							     : context->time.at == CLIPS_AT_START;
	const struct clip *clip = first ? job->from : job->to;
	if (!first) {
		time_s += at->to_s - at->from_s;
	}
	if (context->time.at == CLIPS_AT_TIME) {
		// The first clip has passed none: loops of the second are not those of the whole.
		pose_loops_add(&context->run->loops, &(struct pose_loops){.known = true});
	}
	context->time_s =
		pose_find_moment(context, first ? LOOP_CLAMP : loop, 0, time_s, clip->duration_s);
	return clip;
}

#define AT(field) offsetof(struct request, field)

static const struct member rows[] = {
	{"transition", MEMBER_ANY, .offset = AT(list), .required = true},
	{"time", MEMBER_NUMBER, .offset = AT(time_s)},
	{"at", MEMBER_VECTOR, .offset = AT(at_s), .count = 2, .source_offset = AT(at_source)},
	{"tolerance", MEMBER_NUMBER, .offset = AT(tolerance), .most = 1e9, .standard = 0.01},
	{"loop", MEMBER_CHOICE, .offset = AT(loop), .choices = loop_names, .standard = LOOP_CLAMP},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool evaluate_transition(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct request request = {0};
	struct transition_job job;
	if (!value_read_table(value, &members, &request, err) ||
		!read_clips(context, request.list, &job, err)) {
		return false;
	}
	struct note *note = pose_run_recall(context->run, value, sizeof *note);
	if (!note->found && !find_transition(&request, &job, &note->transition, err)) {
		return false;
	}
	note->found = true;
	const struct transition *at = &note->transition;
	const double duration_s = at->from_s + job.to->duration_s - at->to_s;
	double time_s = request.time_s;
	if (!pose_time_pass(&context->time, value, duration_s, &time_s, err)) {
		return false;
	}
	pose_note_length(context, duration_s, time_s);
	const struct clip *clip = find_moment(context, (enum loop)request.loop, &job, at, time_s);
	context->clip = (int)(clip - context->rig->clips);
	clip_sample(context->rig, clip, context->time_s, out);
	return true;
}

const struct operation operation_transition = {"transition",
	"from one clip to another where both pass through a pose", evaluate_transition, &members,
	.is_quick = false};
