/* Batches of figures, whose vertices are in one buffer. */
#pragma once

#include "crowd/crowd.h"
#include "draw/back_end.h"
#include "skinned/placement.h"
#include "view/extent.h"

/* Figures that are skinned and drawn together: of one plan. */
struct crowd_batch {
	const struct crowd_member *const *members; // [count]
	size_t count;
};

/* The receivers of posed vertices; either may be NULL. */
struct crowd_sight {
	struct camera_extremes *extremes;
	struct footing *footing;
};

struct crowd_batches {
	const struct crowd *crowd; // borrowed
	struct drawn_copies *copies;
	struct crowd_batch there; // what is in them; count 0 = nothing
};

/* Makes room for the largest batch of members in this order; crowd_batches_finish() is due all the
 * same where that fails. */
bool crowd_batches_begin(struct crowd_batches *batches, const struct crowd *crowd,
	const struct crowd_member *const *members, size_t count, struct error *err);
void crowd_batches_finish(struct crowd_batches *batches);

/* The members from the first on that make one batch, of those left: at least one. */
struct crowd_batch crowd_next_batch(const struct crowd_batches *batches,
	const struct crowd_member *const *members, size_t left);

/* Brings a batch's vertices into the copies, unless they are there. sight may be NULL. Returns the
 * rig on the GPU, borrowed until the next call. */
struct drawn_rig *crowd_skin_batch(struct crowd_batches *batches, const struct crowd_batch *batch,
	const struct crowd_sight *sight, struct error *err);

/* Has a member's posed positions be seen, [count][3], which are placed here. False where any is
 * beyond float32. */
bool crowd_see(const struct crowd_member *member, float *positions, size_t count,
	const struct crowd_sight *sight, struct error *err);
