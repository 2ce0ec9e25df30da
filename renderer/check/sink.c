// Collects the values of rules.
#include "check/sink.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/rules.h"

/* Candidates of one rule: a finding of each is listed up to CHECK_FINDINGS_MAX, more are counted.
 */
#define CANDIDATES_MAX 65536

/* Samples within which joints are at fault together. */
#define SAME_TIME 1

static bool is_off(const struct check_limits *limits) {
	return isinf(limits->note) && isinf(limits->warning) && isinf(limits->error);
}

/* A rule whose limits a rules file has switched off is not measured; one that has none is. */
static bool is_wanted(const struct check_profile *profile, const struct check_rule_info *rule,
	const struct check_limits *limits) {
	const struct check_limits builtin = check_profile_builtin_limits(profile->base, rule);
	return rule->since <= profile->version && check_globs_match(profile->only, rule->id) &&
		!(profile->skip && check_globs_match(profile->skip, rule->id)) &&
		(!is_off(limits) || is_off(&builtin));
}

struct check_sink *check_sink_create(
	const struct check_asset *asset, const char *path, const char *clip, struct arena *arena) {
	struct check_sink *sink = arena_alloc(arena, 1, sizeof *sink);
	sink->asset = asset;
	sink->arena = arena;
	sink->treadmill = NAN;
	sink->bounds = BOUNDS_NONE;
	sink->rules = arena_alloc(arena, (size_t)check_rule_count, sizeof *sink->rules);
	for (int i = 0; i < check_rule_count; i++) {
		struct check_collected *rule = &sink->rules[i];
		const struct check_rule_info *info = &check_rules[i]->info;
		rule->limits =
			check_profile_limits(asset->profile, info, path, clip, &rule->at_most);
		rule->wanted = is_wanted(asset->profile, info, &rule->limits);
	}
	return sink;
}

static struct check_collected *find(const struct check_sink *sink, const struct check_rule *rule) {
	for (int i = 0; i < check_rule_count; i++) {
		if (check_rules[i] == rule) {
			return &sink->rules[i];
		}
	}
	return NULL;
}

struct check_value check_value(double value) {
	return (struct check_value){
		.value = value,
		.judged = NAN,
		.limits_factor = 1,
		.at_most = CHECK_ERROR,
		.joint = -1,
		.sample = -1,
		.time_s = NAN,
		.material = -1,
		.channel = -1,
		.threshold = NAN,
	};
}

struct check_value check_value_at(
	const struct check_clip *clip, double value, int joint, int sample) {
	struct check_value at = check_value(value);
	at.joint = joint;
	at.sample = sample;
	at.time_s = sample >= 0 ? check_clip_time(clip, sample) : NAN;
	return at;
}

void check_value_param(struct check_value *value, const char *name, double number) {
	if (value->param_count < CHECK_PARAMS_MAX) {
		value->params[value->param_count++] = (struct check_param){name, number};
	}
}

static double judged(const struct check_value *value) {
	return isnan(value->judged) ? value->value : value->judged;
}

static enum check_level level_of(
	const struct check_collected *rule, bool below, const struct check_value *value) {
	struct check_limits limits = rule->limits;
	double *each[] = {&limits.note, &limits.warning, &limits.error};
	for (int i = 0; i < 3; i++) {
		*each[i] = isinf(*each[i]) ? INFINITY
			: below            ? -*each[i]
					   : *each[i] * value->limits_factor;
	}
	const double number = below ? -judged(value) : judged(value);
	enum check_level level = check_level_of(&limits, number);
	level = level < rule->at_most ? level : rule->at_most;
	return level < value->at_most ? level : value->at_most;
}

static const uint32_t *copy_elements(struct arena *arena, const uint32_t *from, size_t *count) {
	*count = *count < CHECK_ELEMENTS_MAX ? *count : CHECK_ELEMENTS_MAX;
	uint32_t *to = arena_alloc(arena, *count, sizeof *to);
	if (*count > 0) {
		memcpy(to, from, *count * sizeof *to);
	}
	return to;
}

static const double *copy_doubles(struct arena *arena, const double *from, size_t count) {
	double *to = arena_alloc(arena, count, sizeof *to);
	if (count > 0) {
		memcpy(to, from, count * sizeof *to);
	}
	return to;
}

/* Borrowed lists become the sink's own. */
static struct check_value keep(const struct check_sink *sink, const struct check_value *value) {
	struct check_value kept = *value;
	kept.vertices = copy_elements(sink->arena, value->vertices, &kept.vertex_count);
	kept.triangles = copy_elements(sink->arena, value->triangles, &kept.triangle_count);
	kept.curve.times_s = copy_doubles(sink->arena, value->curve.times_s, value->curve.count);
	kept.curve.values = copy_doubles(sink->arena, value->curve.values, value->curve.count);
	kept.text = value->text ? arena_printf(sink->arena, "%s", value->text) : NULL;
	return kept;
}

static struct check_candidate *add_candidate(
	const struct check_sink *sink, struct check_collected *rule) {
	if (rule->candidate_count == rule->candidate_room) {
		const int room = rule->candidate_room * 2 + 8;
		struct check_candidate *grown =
			arena_alloc(sink->arena, (size_t)room, sizeof *grown);
		if (rule->candidate_count > 0) {
			memcpy(grown, rule->candidates,
				(size_t)rule->candidate_count * sizeof *grown);
		}
		rule->candidates = grown;
		rule->candidate_room = room;
	}
	return &rule->candidates[rule->candidate_count++];
}

/* The candidate of the same joint or material; a new one where there is none. */
static struct check_candidate *candidate_for(const struct check_sink *sink,
	struct check_collected *rule, const struct check_value *value) {
	const size_t joints = (size_t)sink->asset->rig->joint_count;
	if (!rule->by_joint) {
		rule->by_joint = arena_alloc(sink->arena, joints + 1, sizeof *rule->by_joint);
	}
	for (int i = 0; value->material >= 0 && i < rule->candidate_count; i++) {
		if (rule->candidates[i].worst.material == value->material) {
			return &rule->candidates[i];
		}
	}
	int *last = &rule->by_joint[value->joint + 1];
	if (value->material < 0 && *last > 0) {
		return &rule->candidates[*last - 1];
	}
	for (int i = 0; value->joins_joints && i < rule->candidate_count; i++) {
		if (abs(rule->candidates[i].worst.sample - value->sample) <= SAME_TIME) {
			rule->candidates[i].others++;
			*last = i + 1;
			return &rule->candidates[i];
		}
	}
	if (rule->candidate_count == CANDIDATES_MAX) {
		return NULL;
	}
	struct check_candidate *candidate = add_candidate(sink, rule);
	*last = rule->candidate_count;
	return candidate;
}

static bool is_worse(bool below, double a, double b) {
	return below ? a < b : a > b || (isnan(a) && !isnan(b));
}

void check_emit(
	struct check_sink *sink, const struct check_rule *rule, const struct check_value *value) {
	struct check_collected *collected = find(sink, rule);
	const bool below = rule->info.below;
	if (!collected || !collected->wanted) {
		return;
	}
	if (!collected->given || is_worse(below, value->value, collected->greatest.value)) {
		collected->greatest = keep(sink, value);
		collected->given = true;
	}
	const enum check_level level = level_of(collected, below, value);
	struct check_candidate *candidate =
		level > CHECK_OK ? candidate_for(sink, collected, value) : NULL;
	if (!candidate) {
		return;
	}
	if (candidate->count++ == 0 || level > candidate->level ||
		(level == candidate->level &&
			is_worse(below, value->value, candidate->worst.value))) {
		candidate->worst = keep(sink, value);
		candidate->level = level;
	}
}

bool check_wants(const struct check_sink *sink, const struct check_rule *rule) {
	const struct check_collected *collected = find(sink, rule);
	return collected && collected->wanted;
}

struct check_limits check_limits_of(const struct check_sink *sink, const struct check_rule *rule) {
	return find(sink, rule)->limits;
}

enum check_level check_level_in(
	const struct check_sink *sink, const struct check_rule *rule, double value) {
	const struct check_value plain = check_value(value);
	return level_of(find(sink, rule), rule->info.below, &plain);
}

void check_skip(struct check_sink *sink, const struct check_rule *rule, const char *reason, ...) {
	char text[256];
	struct check_collected *collected = find(sink, rule);
	va_list arguments;
	va_start(arguments, reason);
	vsnprintf(text, sizeof text, reason, arguments);
	va_end(arguments);
	if (collected && collected->wanted && !collected->given && !collected->skipped) {
		collected->skipped = arena_printf(sink->arena, "%s", text);
	}
}

void check_skip_pass(struct check_sink *sink, const struct check_pass *pass, const char *reason) {
	for (int i = 0; i < check_rule_count; i++) {
		if (check_rules[i]->pass == pass) {
			check_skip(sink, check_rules[i], "%s", reason);
		}
	}
}

bool check_wants_pass(const struct check_sink *sink, const struct check_pass *pass) {
	for (int i = 0; i < check_rule_count; i++) {
		if (check_rules[i]->pass == pass && sink->rules[i].wanted) {
			return true;
		}
	}
	return false;
}

void check_tell_treadmill(struct check_sink *sink, double speed) {
	sink->treadmill = speed;
}

void check_tell_bounds(struct check_sink *sink, const struct bounds *box) {
	sink->bounds = *box;
}
