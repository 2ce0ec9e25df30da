/* An asset against an earlier version of it. */
#pragma once

#include "interface/checks.h"
#include "interface/context.h"

struct check_against_job {
	const struct check_run *before; // of the earlier version
	struct check_run *after;        // of the one to be judged; all steps of both are taken
	const struct stop *stop;        // NULL = never stops
	struct renderer *renderer;      // of pictures
	double picture_work; // vertices that are drawn at most, and further clips skipped; 0 = all
};

/* Measures the rules diff/... of a run: to be called before renderer_check_finish(), which then
 * reports them with all others. Joints and clips are paired by their names. False from the stop. */
bool renderer_check_against(const struct check_against_job *job, struct error *err);

/* Measures the rules picture/... of the clip of a step of the later version, which may be any; on
 * the renderer's thread, before renderer_check_finish(). False from the stop, and with
 * ERROR_CONTEXT_LOST. */
bool renderer_check_against_pictures(
	const struct check_against_job *job, size_t step, struct error *err);

/* Adds to each measurement of a file what it was in the earlier version, and which one is better by
 * its findings; in the arena. */
void renderer_check_compare(
	const struct check_file *before, struct arena *arena, struct check_file *after);
