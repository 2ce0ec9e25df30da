// {"clip": name, "time": seconds | "phase": share, "loop": mode}: a clip sampled at a time.
#include <math.h>

#include "pose/find.h"
#include "pose/loop.h"
#include "pose/operations.h"
#include "pose/sample.h"

/* From the time that is asked for to the one that is shown. False where there is no such number. */
static bool pass_time(const struct pose_time *time, const struct clip *clip, double *time_s) {
	*time_s = time->speed * (*time_s + time->clock_s);
	if (time->reversed) {
		*time_s = clip->duration_s - *time_s;
	}
	return isfinite(*time_s);
}

bool operation_clip(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	const struct value *name = NULL, *time_place = NULL, *phase_place = NULL;
	double time_s = 0, phase = 0;
	int loop = LOOP_CLAMP;
	const struct member members[] = {
		{"clip", MEMBER_ANY, &name, .required = true},
		{"time", MEMBER_NUMBER, &time_s, .place = &time_place},
		{"phase", MEMBER_NUMBER, &phase, .least = 0, .most = 1, .place = &phase_place},
		{"loop", MEMBER_CHOICE, &loop, .choices = loop_names},
	};
	if (!value_read_members(value, members, sizeof members / sizeof *members, err)) {
		return false;
	}
	const struct clip *clip = pose_find_clip(context->rig, name, err);
	if (!clip) {
		return false;
	}
	if (time_place && phase_place) {
		return value_error(phase_place, err, ERROR_INVALID_VALUE,
			"\"time\" and \"phase\" say the same thing; give one of them");
	}
	if (phase_place) {
		time_s = phase * clip->duration_s;
	}
	if (!pass_time(&context->time, clip, &time_s)) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"the clip's time is farther than numbers reach");
	}
	if (context->clips) {
		context->clips[clip - context->rig->clips] = true;
	}
	context->clip = (int)(clip - context->rig->clips);
	context->time_s = loop_time((enum loop)loop, time_s, clip->duration_s);
	clip_sample(context->rig, clip, context->time_s, out);
	return true;
}
