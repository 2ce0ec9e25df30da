/* Baselines: the JSON report of an earlier run, which says what of a new one is known. */
#pragma once

#include "base/arena.h"
#include "base/check.h"
#include "base/value.h"

struct check_baseline;

/* Reads a report, which has to outlive the baseline, and so has the arena. NULL with the pointer of
 * what is wrong where it is no such report. */
const struct check_baseline *check_baseline_read(
	const struct value *report, struct arena *arena, struct error *err);

/* Sets the state of each finding, adds those of the baseline that are gone behind the others of
 * their file, and remarks where the baseline was made in another way. The report's files become
 * copies in the arena. A finding is gone when its file and rule were looked at in this run; known,
 * but worse, when its level rose, its value grew by a tenth and beyond the next half of its
 * threshold, or it was suppressed and is not any longer. */
void check_baseline_apply(
	const struct check_baseline *baseline, struct check_report *report, struct arena *arena);
