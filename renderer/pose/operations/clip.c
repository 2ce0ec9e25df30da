/* {"clip": name, "time": seconds | "phase": share, "loop": mode, "sampler": way}: a clip sampled at
 * a time. */
#include <math.h>

#include "base/loop.h"
#include "base/utf8.h"
#include "pose/find.h"
#include "pose/operations.h"
#include "pose/sample/sampler.h"

/* Names in the order of enum spline_kind, after the file's own interpolation. */
static const char *const sampler_names[] = {
	"file",
	[1 + SPLINE_STEP] = "step",
	[1 + SPLINE_LINEAR] = "linear",
	[1 + SPLINE_NLERP] = "nlerp",
	[1 + SPLINE_CATMULL_ROM] = "catmull_rom",
	[1 + SPLINE_TCB] = "tcb",
	[1 + SPLINE_SQUAD] = "squad",
	NULL,
};

/* Members of a clip, and where they are. */
struct request {
	const struct value *source, *name, *time_source, *phase_source, *rate_source;
	const struct value *tcb_places[3]; // tension, bias, continuity
	double time_s, phase;
	int loop, sampler; // positions in loop_names and sampler_names
	struct sampler by; // for another sampler than the file's
};

static bool check(const struct request *request, struct error *err) {
	if (request->time_source && request->phase_source) {
		return value_error(request->phase_source, err, ERROR_INVALID_VALUE,
			"\"time\" and \"phase\" say the same thing; give one of them");
	}
	for (int i = 0; i < 3 && request->sampler != 1 + SPLINE_TCB; i++) {
		if (request->tcb_places[i]) {
			return value_error(request->tcb_places[i], err, ERROR_INVALID_VALUE,
				"\"%s\" is for the sampler \"tcb\"", request->tcb_places[i]->key);
		}
	}
	return request->sampler > 0 || !request->rate_source ||
		value_error(request->rate_source, err, ERROR_INVALID_VALUE,
			"\"rate\" makes keys, and wants a \"sampler\" that says how to go "
			"between them");
}

#define AT(field) offsetof(struct request, field)

static const struct member rows[] = {
	{"clip", MEMBER_ANY, .offset = AT(name), .required = true},
	{"time", MEMBER_NUMBER, .offset = AT(time_s), .source_offset = AT(time_source)},
	{"phase", MEMBER_NUMBER, .offset = AT(phase), .least = 0, .most = 1,
		.source_offset = AT(phase_source)},
	{"loop", MEMBER_CHOICE, .offset = AT(loop), .choices = loop_names, .standard = LOOP_CLAMP},
	{"sampler", MEMBER_CHOICE, .offset = AT(sampler), .choices = sampler_names},
	{"tension", MEMBER_NUMBER, .offset = AT(by.spline.tension), .least = -1, .most = 1,
		.source_offset = AT(tcb_places[0])},
	{"bias", MEMBER_NUMBER, .offset = AT(by.spline.bias), .least = -1, .most = 1,
		.source_offset = AT(tcb_places[1])},
	{"continuity", MEMBER_NUMBER, .offset = AT(by.spline.continuity), .least = -1, .most = 1,
		.source_offset = AT(tcb_places[2])},
	{"rate", MEMBER_NUMBER, .offset = AT(by.rate_hz), .least = 0.01, .most = 1000,
		.source_offset = AT(rate_source)},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool read_request(const struct value *value, struct request *request, struct error *err) {
	if (!value_read_table(value, &members, request, err)) {
		return false;
	}
	request->by.spline.kind = (enum spline_kind)(request->sampler - 1);
	return check(request, err);
}

static bool sample(struct pose_context *context, const struct request *request,
	const struct clip *clip, struct pose *out, struct error *err) {
	if (request->sampler == 0) {
		clip_sample(context->rig, clip, context->time_s, out);
		return true;
	}
	if (clip->duration_s * request->by.rate_hz > SAMPLER_KEYS_MAX) {
		return value_error(request->rate_source, err, ERROR_INVALID_VALUE,
			"\"rate\" makes more than %.0f keys of the clip's %g s", SAMPLER_KEYS_MAX,
			clip->duration_s);
	}
	int joint;
	if (!sampler_pose(&request->by, context->rig, clip, context->time_s, out, &joint)) {
		char name[160];
		utf8_quote(context->rig->joints[joint].name, name, sizeof name);
		return value_error(request->source, err, ERROR_INVALID_VALUE,
			"between its keys the clip takes joint %s farther than float32 reaches",
			name);
	}
	return true;
}

static bool evaluate_clip(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	struct request request = {.source = value};
	if (!read_request(value, &request, err)) {
		return false;
	}
	const struct clip *clip = pose_find_clip(context->rig, request.name, err);
	if (!clip) {
		return false;
	}
	double time_s = request.phase_source ? request.phase * clip->duration_s : request.time_s;
	if (!pose_time_pass(&context->time, value, clip->duration_s, &time_s, err)) {
		return false;
	}
	context->clip = (int)(clip - context->rig->clips);
	context->time_s =
		pose_find_moment(context, (enum loop)request.loop, 0, time_s, clip->duration_s);
	pose_note_length(
		context, clip->duration_s, request.loop == LOOP_CLAMP ? time_s : context->time_s);
	return sample(context, &request, clip, out, err);
}

const struct operation operation_clip = {
	"clip", "a clip sampled at a time", evaluate_clip, &members, .is_quick = true};
