/* The choice of a clip's numbers that are stored: tracks at rest, still and moving, and the exact
 * numbers of what moves. The codecs work on these. */
#pragma once

#include "compress/error_shell.h"
#include "pclip_model.h"

struct skin_probe;
struct spline;

struct layout {
	const struct source *source;
	const struct error_shell *shell;
	double tolerance_m;
	double share;    // of what tracks at rest and still may take of it; 1 = the usual
	int track_count; // of joints, SOURCE_KINDS each, then of morph weights
	struct pclip_track *tracks;     // [track_count]
	int channel_count;              // moving numbers, of joints first
	int joint_channel_count;        // those of joints
	struct pclip_channel *channels; // [channel_count]
	double *exact;                  // [sample_count][channel_count]
	const struct spline *splines;   // of moving tracks, for the codec "bspline"; else NULL
	double (*bases)[4];             // [joint_count] that rotation vectors are about
	double *reaches; // [weight_count] metres that a morph weight of 1 moves a vertex, at most
	struct skin_probe *skin; // set by the caller: measured in place of the shell; NULL = none
};

/* Lays a clip out for a tolerance, in the arena. ERROR_TOO_LARGE without memory, or the
 * stop's error. */
bool layout_make(const struct source *source, const struct error_shell *shell, double tolerance_m,
	double share, struct arena *arena, struct layout *layout, struct error *err);

/* The distance that a change of 1 in a track's numbers moves points, in metres at most, over all
 * samples: of radians, lengths, and scales. levers[kind] is [joint_count] and zero before.
 * Unfinished once the job is to stop. */
void layout_find_levers(const struct source *source, const struct error_shell *shell,
	double *const levers[static SOURCE_KINDS]);

/* Metres that a morph weight of 1 moves a vertex at most. reaches is [weight_count], zero before.
 */
void layout_find_reaches(const struct rig *rig, double *reaches);

/* Local transforms [joint_count] of a sample: what moves has these numbers, [channel_count], what
 * is still or at rest what a decoder makes of it. */
void layout_local(
	const struct layout *layout, const double *numbers, struct source_transform *local);
