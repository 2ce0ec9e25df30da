// The poses of both versions of a clip against each other, joint by joint.
#include <math.h>

#include "against/pairing.h"
#include "base/stop.h"
#include "check/percentile.h"
#include "check/rules.h"

/* Samples of both versions together, beyond which motion is not compared. */
#define SAMPLES_MAX 1048576

static void compare_lengths(
	const struct check_clip *a, const struct check_clip *b, struct check_sink *sink) {
	const double before = a->end_s - a->start_s, after = b->end_s - b->start_s;
	struct check_value duration = check_value(fabs(after - before));
	check_value_param(&duration, "before", before);
	check_value_param(&duration, "after", after);
	check_emit(sink, &check_rule_diff_duration, &duration);
	struct check_value rate = check_value(fabs(b->rate - a->rate));
	check_value_param(&rate, "before", a->rate);
	check_value_param(&rate, "after", b->rate);
	check_emit(sink, &check_rule_diff_rate, &rate);
}

/* The greatest difference of one joint over a clip. */
struct greatest {
	double value, time_s;
};

struct comparison {
	const struct against *against;
	const struct check_clip *before, *after;
	struct greatest *joints; // [after's joints]
};

/* The greatest over joints at a time. */
static double compare_pose(const struct comparison *comparison, double time_s) {
	const struct against *against = comparison->against;
	double most = 0;
	for (int i = 0; i < against->after->rig->joint_count; i++) {
		const int partner = against->partners[i];
		struct greatest *greatest = &comparison->joints[i];
		if (partner < 0) {
			continue;
		}
		struct check_transform a, b;
		check_clip_sample(against->before, comparison->before, partner, time_s, &a);
		check_clip_sample(against->after, comparison->after, i, time_s, &b);
		const double value = check_joint_distance_of(against->before, partner, &a, &b);
		if (value > greatest->value) {
			*greatest = (struct greatest){value, time_s};
		}
		most = fmax(most, value);
	}
	return most;
}

/* The sample of a clip at a time; -1 = there is none. */
static int sample_at(const struct check_clip *clip, double time_s) {
	const double sample = round((time_s - clip->start_s) * clip->rate);
	const bool is_one = sample >= 0 && sample < clip->count &&
		fabs(check_clip_time(clip, (int)sample) - time_s) <= 1e-6;
	return is_one ? (int)sample : -1;
}

static void emit_joints(const struct comparison *comparison, double p95, struct check_sink *sink) {
	const struct against *against = comparison->against;
	struct check_value none = check_value(0);
	check_value_param(&none, "p95", p95 / against->before->length);
	check_emit(sink, &check_rule_diff_motion, &none);
	for (int i = 0; i < against->after->rig->joint_count; i++) {
		const struct greatest *greatest = &comparison->joints[i];
		if (greatest->value > 0) {
			struct check_value value =
				check_value(greatest->value / against->before->length);
			value.joint = i;
			value.time_s = greatest->time_s;
			value.sample = sample_at(comparison->after, greatest->time_s);
			check_value_param(&value, "p95", p95 / against->before->length);
			check_emit(sink, &check_rule_diff_motion, &value);
		}
	}
}

static bool compare_motion(
	const struct comparison *comparison, struct check_sink *sink, struct error *err) {
	struct arena *arena = comparison->against->arena;
	int count;
	const double *times = against_times(comparison->before, comparison->after, arena, &count);
	double *most = arena_alloc(arena, (size_t)count, sizeof *most);
	for (int i = 0; i < count; i++) {
		most[i] = compare_pose(comparison, times[i]);
		if (!stop_check(comparison->against->job->stop, err)) {
			return false;
		}
	}
	emit_joints(comparison, check_percentile(most, count, 0.95), sink);
	return true;
}

bool against_motion(const struct against *against, const struct check_step *before,
	const struct check_step *after, struct error *err) {
	const struct comparison comparison = {
		.against = against,
		.before = before->facts,
		.after = after->facts,
		.joints = arena_alloc(against->arena, (size_t)against->after->rig->joint_count,
			sizeof *comparison.joints),
	};
	compare_lengths(before->facts, after->facts, after->sink);
	if (!(against->before->length > 0)) {
		check_skip(after->sink, &check_rule_diff_motion, "the figure has no extent");
		return true;
	}
	if (before->facts->count + (double)after->facts->count > SAMPLES_MAX) {
		check_skip(after->sink, &check_rule_diff_motion,
			"both versions have more than %d samples", SAMPLES_MAX);
		return true;
	}
	return compare_motion(&comparison, after->sink, err);
}
