// The lengths of a rig at rest.
#include "check/asset.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/mat.h"
#include "base/vec.h"
#include "check/asset_internal.h"
#include "check/percentile.h"
#include "check/skinner.h"
#include "check/surface.h"

/* Ways that differ by a smaller share are of equal length. */
#define SAME_WAY 1e-5

/* Shared data that one maker has made. */
struct made {
	check_maker *make;
	const void *what;
	struct made *next;
};

struct check_shared {
	pthread_mutex_t lock; // of what follows
	struct arena *arena;
	struct made *first;
};

static void pose_rest_vertices(struct check_asset *asset, const double (*world)[12]) {
	const struct rig *rig = asset->rig;
	struct arena *scratch = arena_create();
	const struct skin_plan plan = skin_plan_default(rig);
	struct pose pose = pose_rest(rig, scratch);
	const struct check_pose at = {.pose = &pose, .world = world};
	struct check_surface_sample sample;
	struct check_skinner *skinner = check_skinner_create(&plan, scratch);
	double(*vertices)[3] =
		arena_alloc(asset->arena, (size_t)rig->vertex_count, sizeof *vertices);
	const bool posed = check_skinner_run(skinner, &at, &sample, NULL);
	for (int i = 0; posed && i < rig->vertex_count; i++) {
		for (int k = 0; k < 3; k++) {
			vertices[i][k] = (double)sample.positions[i * 3 + k];
		}
	}
	asset->rest_vertices = (const double(*)[3])vertices;
	arena_destroy(scratch);
}

static void pose_rest_joints(struct check_asset *asset) {
	const struct rig *rig = asset->rig;
	const size_t count = (size_t)rig->joint_count;
	double(*world)[12] = arena_alloc(asset->arena, count, sizeof *world);
	double *scale = arena_alloc(asset->arena, count, sizeof *scale);
	int *depth = arena_alloc(asset->arena, count, sizeof *depth);
	struct arena *scratch = arena_create();
	const struct pose pose = pose_rest(rig, scratch);
	pose_to_world(rig, &pose, world);
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		scale[i] = parent < 0 ? 1 : cbrt(fabs(mat_determinant(world[parent])));
		depth[i] = parent < 0 ? 0 : depth[parent] + 1;
	}
	asset->rest_world = (const double(*)[12])world;
	asset->translation_scale = scale;
	asset->depth = depth;
	pose_rest_vertices(asset, (const double(*)[12])world);
	arena_destroy(scratch);
}

void check_joint_origin(const struct check_asset *asset, int joint, double out[static 3]) {
	check_origin(asset->rest_world, joint, out);
}

static double way_to(const struct check_asset *asset, int joint, int vertex) {
	double way[3];
	check_joint_origin(asset, joint, way);
	vec3_sub(asset->rest_vertices[vertex], way, way);
	return vec3_length(way);
}

/* True when a vertex that two joints have equal weights for follows the first one: the one nearer
 * to the root, else the one nearer to the vertex, and only then the one of the lower index, so that
 * the order of a skin's joints changes nothing. */
static bool is_followed(const struct check_asset *asset, int joint, int other, int vertex) {
	if (asset->depth[joint] != asset->depth[other]) {
		return asset->depth[joint] < asset->depth[other];
	}
	const double way = way_to(asset, joint, vertex), longer = way_to(asset, other, vertex);
	const bool same = !(fabs(way - longer) > SAME_WAY * fmax(way, longer));
	return same ? joint < other : way < longer;
}

static void mark_vertices(struct check_asset *asset) {
	const struct rig *rig = asset->rig;
	int *dominant = arena_alloc(asset->arena, (size_t)rig->vertex_count, sizeof *dominant);
	int *carried = arena_alloc(asset->arena, (size_t)rig->joint_count, sizeof *carried);
	unsigned char *skinned = arena_alloc(asset->arena, (size_t)rig->vertex_count, 1);
	unsigned char *nonfinite = arena_alloc(asset->arena, (size_t)rig->vertex_count, 1);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		for (int k = 0; k < p->vertex_count * p->influence_count; k++) {
			const size_t at = p->first_influence + (size_t)k;
			const int vertex = p->first_vertex + k / p->influence_count;
			const int joint =
				rig->slots[p->first_slot + rig->influence_slots[at]].joint;
			const size_t first = at - (size_t)(k % p->influence_count);
			if (at == first ||
				(rig->influence_weights[at] == rig->influence_weights[first] &&
					is_followed(asset, joint, dominant[vertex], vertex))) {
				dominant[vertex] = joint;
			}
			if (at == first) {
				skinned[vertex] = p->skinned;
				nonfinite[vertex] = asset_facts_is_nonfinite(asset->facts, vertex);
			}
			carried[joint] +=
				(double)rig->influence_weights[at] >= CHECK_CARRIED_WEIGHT;
		}
	}
	asset->dominant = dominant;
	asset->carried = carried;
	asset->skinned = skinned;
	asset->nonfinite = nonfinite;
}

/* The points that lengths are taken of: finite vertices at rest, or joints where there are none.
 * Returns their number. */
static int list_points(const struct check_asset *asset, double (*points)[3]) {
	const struct rig *rig = asset->rig;
	int count = 0;
	for (int i = 0; i < rig->vertex_count; i++) {
		const double *v = asset->rest_vertices[i];
		if (!asset->nonfinite[i] && isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2])) {
			memcpy(points[count++], v, sizeof *points);
		}
	}
	for (int i = 0; count == 0 && i < rig->joint_count; i++) {
		check_joint_origin(asset, i, points[i]);
	}
	return count > 0 ? count : rig->joint_count;
}

static void measure_figure(struct check_asset *asset) {
	const struct rig *rig = asset->rig;
	const size_t room = (size_t)rig->vertex_count + (size_t)rig->joint_count + 1;
	struct arena *scratch = arena_create();
	double(*points)[3] = arena_alloc(scratch, room, sizeof *points);
	double *axis = arena_alloc(scratch, room, sizeof *axis);
	const int count = list_points(asset, points);
	for (int k = 0; k < 3 && count > 0; k++) {
		asset->rest_low[k] = asset->rest_high[k] = points[0][k];
		for (int i = 0; i < count; i++) {
			axis[i] = points[i][k];
			asset->rest_low[k] = fmin(asset->rest_low[k], axis[i]);
			asset->rest_high[k] = fmax(asset->rest_high[k], axis[i]);
		}
		const double length =
			check_percentile(axis, count, 0.99) - check_percentile(axis, count, 0.01);
		asset->length = fmax(asset->length, length);
	}
	asset->height = asset->rest_high[1] - asset->rest_low[1];
	arena_destroy(scratch);
}

static void mark_joints(struct check_asset *asset) {
	const struct rig *rig = asset->rig;
	bool *in_skin = arena_alloc(asset->arena, (size_t)rig->joint_count, sizeof *in_skin);
	skeleton_mark_skinned(rig, in_skin);
	asset->in_skin = in_skin;
}

static void count_drivers(struct check_asset *asset) {
	const struct rig *rig = asset->rig;
	const size_t count = (size_t)rig->joint_count;
	struct arena *scratch = arena_create();
	int *drivers = arena_alloc(asset->arena, count, sizeof *drivers);
	int *last = arena_alloc(scratch, count, sizeof *last);
	for (int c = 0; c < rig->clip_count; c++) {
		for (int i = 0; i < rig->clips[c].channel_count; i++) {
			const struct channel *channel = &rig->clips[c].channels[i];
			if (channel->path != CHANNEL_WEIGHTS && last[channel->joint] != c + 1) {
				last[channel->joint] = c + 1;
				drivers[channel->joint]++;
			}
		}
	}
	asset->drivers = drivers;
	arena_destroy(scratch);
}

static void finish_shared(void *context) {
	struct check_shared *shared = context;
	arena_destroy(shared->arena);
	pthread_mutex_destroy(&shared->lock);
}

static void create_shared(struct check_asset *asset) {
	asset->shared = arena_alloc(asset->arena, 1, sizeof *asset->shared);
	asset->shared->arena = arena_create();
	pthread_mutex_init(&asset->shared->lock, NULL);
	arena_defer(asset->arena, finish_shared, asset->shared);
}

const void *check_share(const struct check_asset *asset, check_maker *make) {
	struct check_shared *shared = asset->shared;
	pthread_mutex_lock(&shared->lock);
	struct made *made = shared->first;
	while (made && made->make != make) {
		made = made->next;
	}
	if (!made) {
		made = arena_alloc(shared->arena, 1, sizeof *made);
		*made = (struct made){make, make(asset, shared->arena), shared->first};
		shared->first = made;
	}
	pthread_mutex_unlock(&shared->lock);
	return made->what;
}

static void create_surface(struct check_asset *asset) {
	asset->surface = check_surface_create(asset, asset->arena);
}

struct check_asset *check_asset_create(const struct rig *rig, const struct asset_facts *facts,
	const struct check_profile *profile, const struct stop *stop, struct arena *arena) {
	static void (*const parts[])(struct check_asset * asset) = {create_shared, mark_joints,
		count_drivers, pose_rest_joints, mark_vertices, measure_figure,
		check_measure_reaches, check_find_parts, create_surface};
	struct check_asset *asset = arena_alloc(arena, 1, sizeof *asset);
	*asset = (struct check_asset){.rig = rig,
		.facts = facts,
		.profile = profile,
		.stop = stop,
		.arena = arena,
		.hip = -1};
	for (size_t i = 0; i < sizeof parts / sizeof *parts && stop_check(stop, NULL); i++) {
		parts[i](asset);
	}
	return asset;
}

bool check_joints_are_apart(const struct check_asset *asset, int a, int b, int steps) {
	for (int i = 0; i < steps; i++) {
		if (a == b) {
			return false;
		}
		int *deeper = asset->depth[a] >= asset->depth[b] ? &a : &b;
		*deeper = asset->rig->joints[*deeper].parent;
		if (*deeper < 0) {
			return true;
		}
	}
	return true;
}
