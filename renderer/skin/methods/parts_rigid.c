/* Component-based animation: the mesh cut into rigid parts, one to a joint, which nothing deforms.
 * Source: Houska 2005, 2.4.1; Parent, Computer Animation. METHODS A3. */
#include "skin/method.h"
#include "skin/methods/components.h"

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	struct arena *arena = arena_create();
	struct components cut;
	struct rig *rig = components_cut(job->rig, arena, job->stop, &cut, err)
		? pieces_join(job->rig, cut.pieces, job->rig->primitive_count, err)
		: NULL;
	arena_destroy(arena);
	return components_data(rig, err);
}

static const struct skin_recipe recipe = {
	.name = "parts_rigid", .version = 1, .makes_rig = true, .derive = derive};

const struct skinning_method parts_rigid_method = {
	.id = "parts_rigid",
	.title = "rigid parts, one to a joint: the mesh is cut, and nothing is deformed",
	.recipe = &recipe,
};
