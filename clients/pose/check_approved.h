/* Approved pictures in a folder: FOLDER/ASSET/RENDERER/CLIP.CAMERA.MOMENT.SHADING.png, several of
 * one view with .2, .3 ... before the ending. */
#pragma once

#include "check_inputs.h"
#include "check_options.h"
#include "interface/approved.h"

/* The folder that the options name, in a run. */
struct check_approved;

/* NULL where they name none. In the arena. */
struct check_approved *check_approved_create(
	const struct check_options *options, struct arena *arena);

/* A folder that is missing is wrong usage, unless it is to be made. STATUS_OK, or the exit status
 * with the sentence on standard error. */
int check_approved_check(const struct check_options *options);

/* An asset whose steps are all taken. */
struct check_approved_asset {
	const struct check_input *input;
	struct check_run *run;
	struct arena *arena;
	const char **notes; // [note_count] of what has no approved picture
	size_t note_count;
};

/* Compares its pictures with the approved ones, or approves them: on the renderer's thread.
 *
 * err   set where none can be drawn, or by ERROR_CONTEXT_LOST */
void check_approved_compare(struct check_approved *approved, struct renderer *renderer,
	struct check_approved_asset *asset, struct error *err);

/* Adds the notes to what a file's check does not cover. */
void check_approved_note(const struct check_approved_asset *asset, struct check_file *file);

/* The number of pictures that were approved, as a remark in the arena; NULL = none were to be.
 * Takes NULL. */
const char *check_approved_remark(const struct check_approved *approved, struct arena *arena);

/* False, with the reason on standard error, where pictures were to be approved and were not. Takes
 * NULL. */
bool check_approved_end(const struct check_approved *approved);
