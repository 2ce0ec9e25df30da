/* Checks of an asset: what it does when it moves, held against limits. */
#pragma once

#include "base/arena.h"
#include "base/check.h"
#include "base/check_profile.h"
#include "base/stop.h"
#include "model/asset_facts.h"
#include "model/rig.h"
#include "skin/library.h"

/* The rules, in the order of reports; NULL past the last. Any thread. */
const struct check_rule_info *renderer_check_rule(size_t i);

/* The same as a list; their number in *count. */
const struct check_rule_info *const *renderer_check_rules(size_t *count);

struct check_job {
	const struct rig *rig; // of renderer_import_lenient()
	const struct asset_facts *facts;
	const struct check_profile *profile;
	const char *path;             // as given; for reports, fingerprints and globs
	const char *today;            // "2026-11-23", for suppressions that end; NULL = none ends
	struct skin_library *library; // of data that skinning methods make; NULL = they make it
	const struct stop *stop;      // NULL = never stops
};

/* A check in progress. */
struct check_run;

/* Measures the rig at rest. All that is borrowed, and the arena, must outlive the run. Fails with
 * what is wrong with the profile's skinning, and from the stop; the arena frees what there is. */
struct check_run *renderer_check_begin(
	const struct check_job *job, struct arena *arena, struct error *err);

/* Steps of work: one for the rig and one for each clip that is wanted. */
size_t renderer_check_steps(const struct check_run *run);

/* The step to be taken as the first (0), the second (1) and so on, so that threads end at about the
 * same time: the rig, then the clips, the longest first. Any order gives the same results. */
size_t renderer_check_turn(const struct check_run *run, size_t turn);

/* Takes a step; each is taken once, by any thread, several at the same time. False from the stop.
 */
bool renderer_check_step(struct check_run *run, size_t step, struct error *err);

/* The clip of a step; NULL = the rig. */
const char *renderer_check_step_name(const struct check_run *run, size_t step);

/* Sorts and completes what was found, once all steps are taken; in the arena. The same bytes
 * whatever thread took which step. */
void renderer_check_finish(struct check_run *run, struct check_file *out);

/* The result for an asset that cannot be read: one finding. */
void renderer_check_refused(const struct check_job *job, const struct error *reason,
	struct arena *arena, struct check_file *out);
