/* The parts of a check: asset_check.c (inputs and turns), asset_check_steps.c (steps, by several
 * threads), asset_check_results.c (what is found, and pictures), asset_check_report.c (the
 * profile and the report). */
#pragma once

#include <stdatomic.h>

#include "api/asset_body.h"
#include "api/asset_check.h"
#include "checks/baseline.h"
#include "interface/checks.h"
#include "interface/evidence.h"
#include "work/assistants.h"

/* An asset to be checked. */
struct check_input {
	const char *path;       // as given: of a rig its name
	const char *content;    // "sha256:..."; NULL = not known so far
	struct store_hold hold; // of a rig, for its source; else source is -1
	struct asset_body body; // else
};

/* The steps of the file at work. */
struct check_steps {
	size_t count, own;    // own: the first of them, of the file itself; then of that before
	atomic_size_t next;   // to be taken
	atomic_bool enough;   // no further one is to be begun in this turn
	atomic_bool failed;   // nor any
	double *seconds;      // [count] that each took; < 0 = it is not done
	struct error *errors; // [count]
	size_t shown;         // of which the first have had their events
	double begun_s;       // of the turn
	const struct check_turn *turn;
};

struct asset_check {
	struct service *service; // borrowed
	struct arena *arena;     // owned: this lies in it, too
	struct check_rule_list rules;
	struct check_request request;
	struct check_profile profile;
	const char *digest;              // of the profile
	const char *today;               // where the profile depends on the date; else NULL
	struct request_context *context; // whose body is the asset, until that is taken
	unsigned char *copy;             // of that body; owned; NULL = none
	struct check_input *inputs;      // [input_count]
	struct check_file *files;        // [file_count] done; there is room for all
	size_t input_count, file_count;
	struct check_run *run;        // of the next one; NULL = not begun
	struct check_input before;    // an earlier version; hold.store NULL = none
	struct check_run *before_run; // of it, at work beside run; NULL = none
	bool compared;                // with it
	size_t steps_drawn;           // of both, whose pictures are compared
	bool measured;                // run and before_run are finished
	bool draws;                   // all steps of run are taken: a thread that renders goes on
	bool without_cameras;
	struct evidence_progress drawn;        // pictures of the findings of run
	const char *lack;                      // why pictures are missing; NULL = they are not
	const struct check_baseline *baseline; // NULL = none
	const char *const *remarks;            // [remark_count] so far
	size_t remark_count;
	struct check_steps steps;
	atomic_size_t clips, clips_done; // of all files, as far as is known
	size_t clips_shown;              // that have had their event
	bool started;
	struct assistants *helpers;
	struct check_times times;
};

/* Finds the profile. False with ERROR_INVALID_VALUE and the place. */
bool asset_check_resolve(struct asset_check *work, struct error *err);

/* A turn at the end of the run whose steps are all taken: compares it with the earlier version, and
 * completes its results with evidence. *done with the last picture. */
bool asset_check_end_run(
	struct asset_check *work, const struct check_turn *turn, bool *done, struct error *err);

/* Counts a file that is done. */
void asset_check_count(const struct asset_check *work, const struct check_file *file);

/* Holds a file that is done against the baseline. */
void asset_check_compare(struct asset_check *work, struct check_file *file);

/* Remarks on the run, once all files are done. */
void asset_check_remark(struct asset_check *work);

/* The report of the files that are done; it borrows from the work. */
struct check_report asset_check_report(const struct asset_check *work);

/* Lists the steps of the run that has begun; returns the number of its clips. */
size_t check_steps_begin(struct asset_check *work);

/* Takes steps in a turn, with their events. */
bool check_steps_take(struct asset_check *work, const struct check_turn *turn, struct error *err);

bool check_steps_are_done(const struct asset_check *work);
