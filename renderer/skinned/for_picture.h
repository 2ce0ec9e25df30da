/* Prepared poses skinned into the copy on the GPU that a picture is drawn from. */
#pragma once

#include "draw/back_end.h"
#include "skinned/prepare.h"

struct renderer;

/* True when a picture's normal maps go by the rig's tangents, which are to be skinned then. */
bool picture_takes_tangents(const struct picture_settings *picture, const struct rig *rig);

/* Uses of skinned vertices besides drawing. */
struct picture_streams {
	bool positions; // on the CPU
	bool tangents;  // on the GPU; only where the rig has them
};

/* Skins into drawn->skinned. *positions are the posed positions, valid until the next request; NULL
 * where they are on the GPU and not wanted. */
bool picture_skin(struct renderer *renderer, const struct prepared *prepared,
	const struct picture_streams *wanted, struct drawn_rig *drawn, const float **positions,
	struct error *err);

/* The rig of a prepared pose with its materials as the pose's expressions have them; in the arena,
 * or the rig itself. */
const struct rig *picture_rig(const struct prepared *prepared, struct arena *arena);
