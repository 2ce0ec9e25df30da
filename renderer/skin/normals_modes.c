// Ways to make normals.
#include "skin/method.h"

#include <stddef.h>
#include <string.h>

#include "base/vec.h"
#include "mesh/fans.h"
#include "mesh/laplacian.h"
#include "mesh/parts.h"
#include "skin/put.h"

/* --- Exact normals need the gradients of the weights over the rest surface (METHODS B3) --- */

static bool fill_gradients(const struct rig *rig, const struct mesh_surface *surface,
	struct skin_data *data, struct error *err) {
	struct smooth_groups groups;
	if (!smooth_groups_init(&groups, surface, rig->normals, err)) {
		return false;
	}
	float(*gradients)[3] = (float(*)[3])(void *)skin_data_floats(data, 0);
	const bool done = weight_gradients(rig, surface, &groups, gradients, err);
	smooth_groups_finish(&groups);
	return done;
}

static struct skin_data *derive_exact(const struct derive_job *job, struct error *err) {
	const struct watch watch = {job->stop, &job->progress->share};
	const size_t length = job->rig->influence_count * 3;
	struct mesh_surface *surface = surface_create(job->rig, &watch, err);
	struct skin_data *data = surface ? skin_data_create(&length, 1, err) : NULL;
	if (data && !fill_gradients(job->rig, surface, data, err)) {
		skin_data_release(data);
		data = NULL;
	}
	surface_destroy(surface);
	return data;
}

static const struct skin_recipe exact_recipe = {
	.name = "weight_gradients",
	.version = 1,
	.derive = derive_exact,
};

static const struct normals_mode exact_mode = {.id = "exact", .recipe = &exact_recipe};

/* --- Normals made anew from the posed triangles: the sum of area times normal of those around a
 * vertex, or around all vertices at its place whose rest normals agree with its own. METHODS B4.
 * --- */

enum { GROUPS, STARTS, EDGES, SECTION_COUNT };

/* Words: each vertex' group; where each group's edges start; edges, see mesh/fans.h. */
static struct skin_data *pack(const struct smooth_groups *groups, size_t vertex_count,
	const struct fans *fans, struct error *err) {
	const size_t edges = (size_t)fans->starts[fans->count] * 2;
	const size_t lengths[SECTION_COUNT] = {
		[GROUPS] = vertex_count, [STARTS] = (size_t)fans->count + 1, [EDGES] = edges};
	struct skin_data *data = skin_data_create(lengths, SECTION_COUNT, err);
	if (data) {
		const size_t word = sizeof(uint32_t);
		memcpy(skin_data_words(data, GROUPS), groups->vertices, vertex_count * word);
		memcpy(skin_data_words(data, STARTS), fans->starts, lengths[STARTS] * word);
		memcpy(skin_data_words(data, EDGES), fans->edges, edges * word);
	}
	return data;
}

static struct skin_data *derive_recompute(const struct derive_job *job, struct error *err) {
	const struct watch watch = {job->stop, &job->progress->share};
	struct skin_data *data = NULL;
	struct smooth_groups groups = {0};
	struct fans fans = {0};
	struct mesh_surface *surface = surface_create(job->rig, &watch, err);
	if (surface && smooth_groups_init(&groups, surface, job->rig->normals, err) &&
		fans_init(&fans, surface, groups.vertices, groups.count, false, err)) {
		data = pack(&groups, (size_t)job->rig->vertex_count, &fans, err);
	}
	fans_finish(&fans);
	smooth_groups_finish(&groups);
	surface_destroy(surface);
	return data;
}

/* Triangles that cancel to less than this share of themselves have no normal: it would be their
 * rounding. */
#define LEAST_SHARE 1e-6

/* Of the triangles around a vertex: the sum of area times normal, and of its numbers' sizes. */
struct fan_sum {
	double normal[3], size;
};

/* Adds one triangle, seen from its first corner. */
static void add_face(const struct skin_job *job, const double a[static 3], const uint32_t *edge,
	struct fan_sum *sum) {
	double b[3], c[3], cross[3];
	put_load(job->out_positions + (size_t)edge[0] * 3, b);
	put_load(job->out_positions + (size_t)edge[1] * 3, c);
	vec3_sub(b, a, b);
	vec3_sub(c, a, c);
	vec3_cross(b, c, cross);
	for (int i = 0; i < 3; i++) {
		sum->normal[i] += cross[i];
		sum->size += fabs(cross[i]);
	}
}

static void finish(const struct skin_job *job) {
	const uint32_t *groups = skin_data_read_words(job->data, GROUPS);
	const uint32_t *starts = skin_data_read_words(job->data, STARTS);
	const uint32_t *edges = skin_data_read_words(job->data, EDGES);
	for (size_t v = 0; v < (size_t)job->rig->vertex_count; v++) {
		double a[3], tangent[3] = {0};
		struct fan_sum sum = {.size = 0};
		put_load(job->out_positions + v * 3, a);
		for (size_t i = starts[groups[v]]; i < starts[groups[v] + 1]; i++) {
			add_face(job, a, edges + i * 2, &sum);
		}
		if (job->out_tangents) {
			put_load(job->out_tangents + v * 4, tangent);
		}
		put_normal(job, v, sum.normal, LEAST_SHARE * sum.size, tangent);
	}
}

static const struct skin_recipe recompute_recipe = {
	.name = "normal_groups",
	.version = 1,
	.derive = derive_recompute,
};

static const struct normals_mode recompute_mode = {
	.id = "recompute",
	.recipe = &recompute_recipe,
	.finish = {.finish = finish, .passes = {{"normals_recompute.comp", -1}}},
};

static const struct normals_mode same_mode = {.id = "same"}, cof_mode = {.id = "cof"};

static const struct normals_mode *const modes[NORMALS_COUNT] = {
	[NORMALS_SAME] = &same_mode,
	[NORMALS_COF] = &cof_mode,
	[NORMALS_EXACT] = &exact_mode,
	[NORMALS_RECOMPUTE] = &recompute_mode,
};

const struct normals_mode *normals_mode(enum normals normals) {
	return modes[normals];
}
