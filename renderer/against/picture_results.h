/* The worst of a clip's pictures, by each of their rules. */
#pragma once

#include "against/difference.h"
#include "check/run.h"

#define PICTURE_RULES 3
extern const struct check_rule *const picture_rules[PICTURE_RULES];

struct picture_worst {
	double value, p99, time_s;
	struct check_camera camera;
	struct picture_pair pair; // a copy
	bool differs;
};

struct picture_results {
	struct picture_worst of[PICTURE_RULES];
};

/* With no difference at a time. */
struct picture_results picture_results_create(double time_s, struct arena *arena);

/* Takes a pair's difference into them. */
void picture_results_take(struct picture_results *results, const struct picture_pair *pair,
	const struct picture_difference *found, double time_s, const struct check_camera *camera);

/* True when none of the rules would speak. */
bool picture_results_fit(const struct check_sink *sink, const struct picture_difference *found);

bool picture_results_are_wanted(const struct check_sink *sink);

/* Gives them to the step, with pictures of what is found; names[3] are those of both pictures and
 * of their difference. */
void picture_results_emit(const struct picture_results *results, const char *const names[static 3],
	struct check_step *step);
void picture_results_skip(struct check_sink *sink, const char *reason);
