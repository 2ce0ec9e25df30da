// Packers for what rigs are skinned to.
#include <stdlib.h>

#include "base/memory.h"
#include "interface/vertices.h"
#include "skin/plan.h"
#include "state/state.h"

/* For the vertices of a rig, in its own order or along its strips. */
static struct packer *create(
	const struct rig *rig, const struct packing_settings *packing, struct error *err) {
	uint32_t *order = NULL;
	if (packing->reordered) {
		order = try_calloc(
			(size_t)rig->vertex_count + 1, sizeof *order, "the vertices' order", err);
		if (!order || !packer_strip_order(rig, order, err)) {
			free(order);
			return NULL;
		}
	}
	return packer_create(packing, (size_t)rig->vertex_count, order, err);
}

struct packer *renderer_packer(struct renderer *renderer, const struct rig *rig,
	const struct skinning_settings *skinning, const struct packing_settings *packing,
	const struct stop *stop, int *vertices, struct error *err) {
	const struct skin_plan_params params = {
		.subject = {.rig = rig, .skinning = *skinning, .stop = stop},
		.clip = -1,
	};
	struct skin_plan plan = {0};
	if (!skin_plan_check(rig, skinning, err)) {
		return NULL;
	}
	// Methods that cut the mesh have a rig of their own.
	const bool cuts = skin_plan_makes_rig(skinning);
	if (cuts && !skin_plan_make(renderer->library, &params, &plan, err)) {
		return NULL;
	}
	const struct rig *skinned = cuts ? plan.rig : rig;
	*vertices = skinned->vertex_count;
	struct packer *packer = create(skinned, packing, err);
	if (cuts) {
		skin_plan_finish(&plan);
	}
	return packer;
}
