// The rig that a request for a result is about.
#include "api/subject.h"

#include "base/utf8.h"
#include "limits.h"

bool subject_hold(
	struct request_context *context, const struct subject *subject, struct error *err) {
	struct error why = {0};
	if (!context_hold(context, subject->rig, HOLD_RIG, &why)) {
		return value_pass(subject->place, err, &why);
	}
	const struct other_rigs others = {.poses = subject->poses, .count = subject->count};
	return context_hold_others(context, &others, err);
}

struct posed_subject subject_posed(const struct request_context *context, const struct value *pose,
	const struct skinning_settings *skinning) {
	return (struct posed_subject){
		.rig = context->hold.rig,
		.pose = pose,
		.sources = &context->sources,
		.skinning = skinning ? *skinning : (struct skinning_settings){0},
		.examples = context->hold.examples,
		.stop = &context->stop,
	};
}

bool subject_name(const struct subject *subject, struct error *err) {
	return subject_name_rig(subject->rig, err);
}

bool subject_name_rig(const char *rig, struct error *err) {
	if (err->code != ERROR_UNKNOWN_CLIP && err->code != ERROR_UNKNOWN_JOINT &&
		err->code != ERROR_MISSING_DATA) {
		return false;
	}
	char name[LIMIT_NAME_BYTES + 8];
	utf8_quote(rig, name, sizeof name);
	error_prefix(err, "rig %s: ", name);
	return false;
}
