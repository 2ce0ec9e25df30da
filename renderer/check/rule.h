/* Rules: what is measured of a rig and of each of its clips. A rule is one file here, or shares it
 * with rules that are measured in the same pass, and one row in rules.h.
 *
 * Passes work in double precision, depend on nothing but their arguments, and run on any thread:
 * different clips at the same time. */
#pragma once

#include "base/arena.h"
#include "base/check.h"
#include "check/asset.h"
#include "check/samples.h"

/* Conditions of a pass; a rig or clip that lacks one skips its rules, with the reason. Bits. */
enum check_needs {
	CHECK_NEEDS_JOINTS = 1 << 0,   // active joints
	CHECK_NEEDS_SKIN = 1 << 1,     // skinned vertices
	CHECK_NEEDS_VERTICES = 1 << 2, // any vertices
	CHECK_NEEDS_MOTION = 1 << 3,   // the clip is no still pose
	CHECK_NEEDS_LOOP = 1 << 4,     // the clip is a loop, or a likely one
	CHECK_NEEDS_GROUND = 1 << 5,   // the clip is not airborne
	CHECK_NEEDS_NORMALS = 1 << 6,  // normals in the file
	CHECK_NEEDS_TRIANGLES = 1 << 7,
	CHECK_NEEDS_LENGTH = 1 << 8, // the figure has an extent; all that pose it need that, too
};

struct check_sink;

/* A pass measures one or more rules. One of the groups of functions is set. state is the pass's own
 * memory, in the arena, from begin to end. */
struct check_pass {
	unsigned needs; // bits of enum check_needs

	/* Of the whole rig. */
	void (*asset)(
		const struct check_asset *asset, struct arena *arena, struct check_sink *sink);

	/* Of a clip: called once; asks for what it needs (check/samples.h). */
	void (*clip)(const struct check_asset *asset, const struct check_clip *clip,
		struct arena *arena, struct check_sink *sink);

	/* Of a clip, joint after joint: begin, track for every active joint that the clip drives,
	 * in ascending order, end. */
	void *(*begin)(const struct check_asset *asset, const struct check_clip *clip,
		struct arena *arena);
	void (*track)(void *state, const struct check_track *track, struct check_sink *sink);

	/* Sample after sample, all joints: begin, pose for every sample in order, end. */
	void (*pose)(void *state, const struct check_pose *pose, struct check_sink *sink);

	/* Sample after sample, all vertices: at most settings.surface_samples of a clip. */
	void (*surface)(
		void *state, const struct check_surface_sample *sample, struct check_sink *sink);

	void (*end)(void *state, struct check_sink *sink);
};

struct check_rule {
	struct check_rule_info info;
	const struct check_pass *pass;
};

/* A value on its way into a sink. Make it with check_value(). */
struct check_value {
	double value;         // in the rule's unit
	double judged;        // what is held against the limits; NAN = value
	double limits_factor; // the limits are so many times as wide: 1
	enum check_level at_most;
	int joint;                // position in rig->joints; -1 = none
	int sample;               // -1 = none
	double time_s;            // NAN = none
	int material;             // position in rig->materials; -1 = none
	int channel;              // of the clip, by its place among the facts; -1 = none
	const uint32_t *vertices; // [vertex_count] copied
	size_t vertex_count;
	const uint32_t *triangles; // [triangle_count] copied
	size_t triangle_count;
	struct check_param params[CHECK_PARAMS_MAX]; // names are literals
	size_t param_count;
	struct check_curve curve; // copied; count 0 = none
	const char *text;         // words for messages; copied; NULL = none
	double threshold;         // that reports tell in the place of the limit; NAN = the limit
	/* Joints with such values at about the same sample have one finding, the worst, whose text
	 * is " (and 3 other joints)", or empty: one fault takes all of them along. */
	bool joins_joints;
};

/* A value that has no place yet. */
struct check_value check_value(double value);

/* The same at a joint (-1 = none) and a sample (-1 = none) of a clip. */
struct check_value check_value_at(
	const struct check_clip *clip, double value, int joint, int sample);

/* Adds a number for messages. */
void check_value_param(struct check_value *value, const char *name, double number);

/* Gives a value to the sink. A rule gives at least one value for every rig or clip that it was
 * applied to, 0 where all is well: the greatest is its measurement. Every value at or above a limit
 * is a finding; those of one joint or material become one, the worst, with their number. Values of
 * rules that are not wanted are dropped, and cost nothing but the call. */
void check_emit(
	struct check_sink *sink, const struct check_rule *rule, const struct check_value *value);

/* True when a rule's values are wanted: for those that are expensive. */
bool check_wants(const struct check_sink *sink, const struct check_rule *rule);

/* The limits of a rule for what the sink collects. */
struct check_limits check_limits_of(const struct check_sink *sink, const struct check_rule *rule);

/* Says why a rule was not applied. reason is copied. */
__attribute__((format(printf, 3, 4))) void check_skip(
	struct check_sink *sink, const struct check_rule *rule, const char *reason, ...);

/* Facts of a clip that passes find out and reports tell: the speed that it walks in place at (L/s),
 * and the box around its vertices. */
void check_tell_treadmill(struct check_sink *sink, double speed);
void check_tell_bounds(struct check_sink *sink, const struct bounds *box);
