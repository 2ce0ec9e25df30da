/* A check in progress; private to run.c and results.c. */
#pragma once

#include "check/sink.h"
#include "interface/checks.h"
#include "skin/plan.h"

/* The pictures that a finding of a rule is about. */
struct check_shown {
	const struct check_rule *rule;
	struct check_camera camera;
	struct check_picture pictures[CHECK_PICTURES_MAX]; // [count]
	size_t count;
};

#define CHECK_SHOWN_MAX 4

/* One piece of work, and what came of it. */
struct check_step {
	int clip;                 // position in rig->clips; -1 = the rig
	struct arena *arena;      // its own, so that threads share nothing
	struct arena *scratch;    // what passes work in; NULL but while the step is taken
	struct check_clip *facts; // NULL = the rig
	struct check_sink *sink;  // NULL = not taken yet
	double seconds;
	struct check_shown shown[CHECK_SHOWN_MAX]; // [shown_count]
	size_t shown_count;
};

/* A step and how long its clip takes; INFINITY = the rig. */
struct check_turn {
	size_t step;
	double seconds;
};

struct check_run {
	struct check_job job;
	struct arena *arena;
	struct check_asset *asset;
	struct skin_plan plan;
	const struct check_pass **passes; // [pass_count]
	size_t pass_count;
	struct check_step *steps; // [step_count]
	size_t step_count;
	struct check_turn *turns; // [step_count] in the order of renderer_check_turn()
	double begin_s;
};
