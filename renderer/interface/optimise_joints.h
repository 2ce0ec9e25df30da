/* GLBs without the joints that they can do without. */
#pragma once

#include "base/buffer.h"
#include "base/error.h"
#include "model/rig.h"

struct prune_job {
	const struct rig *rig; // of the same bytes
	const void *bytes;     // a GLB, borrowed
	size_t size;
};

struct optimise_pruned {
	int nodes_before, nodes_after;
};

/* Appends the file without the joints that move nothing and that nothing names: no vertex, mesh,
 * camera, light, clip, extension or extras is at them or below them. Skins lose them, too, where
 * their bytes can be changed in place. Roots that nothing uses go where their only child can take
 * over their transform. Positions stay. METHODS E1.
 * Fails with ERROR_UNSUPPORTED_ASSET for what is no GLB, and where an extension may name nodes in a
 * way that is not known; ERROR_TOO_LARGE. Any thread. */
bool renderer_optimise_prune(const struct prune_job *job, struct optimise_pruned *report,
	struct buffer *out, struct error *err);
