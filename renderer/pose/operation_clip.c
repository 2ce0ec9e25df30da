// {"clip": name, "time": seconds | "phase": share, "loop": mode}: a clip sampled at a time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "pose/loop.h"
#include "pose/operations.h"
#include "pose/sample.h"

static const struct clip *find_by_index(const struct rig *rig, double index) {
	return index >= 0 && index < rig->clip_count && index == floor(index)
		? &rig->clips[(int)index]
		: NULL;
}

static const struct clip *find_by_text(const struct rig *rig, const char *text) {
	const int found = rig_find_clip(rig, text);
	if (found >= 0) {
		return &rig->clips[found];
	}
	const bool decimal =
		text[0] && strlen(text) < 9 && text[strspn(text, "0123456789")] == '\0';
	return decimal ? find_by_index(rig, atoi(text)) : NULL;
}

static bool refuse_clip(const struct rig *rig, const struct value *value, struct error *err) {
	char names[512 + 4]; // room for "..." behind a cut list
	const size_t room = sizeof names - 4;
	size_t used = 0;
	for (int i = 0; i < rig->clip_count && used < room; i++) {
		used += (size_t)snprintf(
			names + used, room - used, "%s%s", i ? ", " : "", rig->clips[i].name);
	}
	if (used >= room) {
		utf8_trim(names);
		strcpy(names + strlen(names), "...");
	}
	char asked[160];
	if (value->kind == VALUE_STRING) {
		utf8_quote(value->string, asked, sizeof asked);
	} else {
		snprintf(asked, sizeof asked, "%.15g", value->number);
	}
	if (rig->clip_count == 0) {
		return value_error(
			value, err, ERROR_UNKNOWN_CLIP, "no clip %s; the rig has no clips", asked);
	}
	return value_error(
		value, err, ERROR_UNKNOWN_CLIP, "no clip %s; the rig has %s", asked, names);
}

const struct clip *pose_find_clip(
	const struct rig *rig, const struct value *value, struct error *err) {
	const struct clip *clip = NULL;
	if (value->kind == VALUE_STRING) {
		clip = find_by_text(rig, value->string);
	} else if (value->kind == VALUE_NUMBER) {
		clip = find_by_index(rig, value->number);
	} else {
		value_error(value, err, ERROR_INVALID_VALUE,
			"\"clip\" is %s, must be a clip's name or index",
			value_kind_name(value->kind));
		return NULL;
	}
	if (!clip) {
		refuse_clip(rig, value, err);
	}
	return clip;
}

bool operation_clip(const struct pose_context *context, const struct value *value, struct pose *out,
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
	*out = pose_rest(context->rig, context->arena);
	clip_sample(context->rig, clip, loop_time((enum loop)loop, time_s, clip->duration_s), out);
	return true;
}
