// What exact normals need: the gradients of the weights over the rest surface (METHODS B3).
#include "skin/normals_modes.h"

#include "mesh/laplacian.h"

static bool fill(const struct rig *rig, const struct mesh_surface *surface, struct skin_data *data,
	struct error *err) {
	struct smooth_groups groups;
	if (!smooth_groups_init(&groups, surface, rig->normals, err)) {
		return false;
	}
	float(*gradients)[3] = (float(*)[3])(void *)skin_data_floats(data, 0);
	const bool done = weight_gradients(rig, surface, &groups, gradients, err);
	smooth_groups_finish(&groups);
	return done;
}

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	const struct watch watch = {job->stop, &job->progress->share};
	const size_t length = job->rig->influence_count * 3;
	struct mesh_surface *surface = surface_create(job->rig, &watch, err);
	struct skin_data *data = surface ? skin_data_create(&length, 1, err) : NULL;
	if (data && !fill(job->rig, surface, data, err)) {
		skin_data_release(data);
		data = NULL;
	}
	surface_destroy(surface);
	return data;
}

static const struct skin_recipe recipe = {
	.name = "weight_gradients",
	.version = 1,
	.derive = derive,
};

const struct normals_mode normals_exact_mode = {.id = "exact", .recipe = &recipe};
