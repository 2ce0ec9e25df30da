/* Joints over all samples of a clip. */
#pragma once

#include "check/samples.h"

struct check_tracks;

/* Room for the joints of a clip, one after the other; in the arena. */
struct check_tracks *check_tracks_create(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena);

/* Samples a joint. The result stays until the next call. */
const struct check_track *check_tracks_joint(struct check_tracks *tracks, int joint);
