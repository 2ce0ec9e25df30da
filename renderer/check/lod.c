// lod/shape, lod/joints, lod/order: levels of detail that disagree.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/vec.h"
#include "check/by_method.h"
#include "check/percentile.h"
#include "check/rules.h"
#include "check/triangle_tree.h"
#include "pose/sample/sampler.h"

/* Poses that shapes are held against each other in, and vertices of a level that are looked at,
 * spread evenly. */
#define POSES 8
#define VERTICES_MAX 4096

#define SHARE 0.95

/* More than what a sum of distances is rounded by. */
#define SLACK 1.001

/* Levels of a rig that are looked at. */
#define LEVELS_MAX 64

/* One level of an object: the meshes at a node and below it. */
struct level {
	int object; // of several: counted from 0
	int number; // 0 = the finest
	int node;   // position in rig->joints
};

struct work {
	const struct check_asset *asset;
	struct arena *arena;
	struct check_sink *sink;
	struct level *levels; // [count] by object, then by number
	int count;
};

/* --- Levels --- */

/* The number behind "_LOD" at the end of a name; -1 = there is none. *prefix: letters before. */
static int number_in(const char *name, size_t *prefix) {
	size_t end = strlen(name);
	while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9') {
		end--;
	}
	const size_t digits = strlen(name) - end;
	if (digits < 1 || digits > 3 || end < 4 || strncasecmp(name + end - 4, "_LOD", 4) != 0) {
		return -1;
	}
	*prefix = end - 4;
	return atoi(name + end);
}

static void add_level(struct work *work, int object, int number, int node) {
	if (work->count < LEVELS_MAX) {
		work->levels[work->count++] = (struct level){object, number, node};
	}
}

static void add_lists(struct work *work) {
	const struct asset_facts *facts = work->asset->facts;
	for (int i = 0; i < facts->lod_count; i++) {
		const struct lod_facts *lod = &facts->lods[i];
		add_level(work, i, 0, lod->joint);
		for (int k = 0; k < lod->joint_count; k++) {
			add_level(work, i, k + 1, facts->joints[lod->first_joint + k]);
		}
	}
}

/* The object of a name: that of the first level with the same letters before the number. */
static int object_of(const struct work *work, int first_level, int node, size_t prefix) {
	const struct joint *joints = work->asset->rig->joints;
	for (int i = first_level; i < work->count; i++) {
		size_t other;
		const char *name = joints[work->levels[i].node].name;
		number_in(name, &other);
		if (other == prefix && strncmp(name, joints[node].name, prefix) == 0) {
			return work->levels[i].object;
		}
	}
	return INT_MAX / 2 + node;
}

static void add_names(struct work *work) {
	const struct rig *rig = work->asset->rig;
	const int first = work->count;
	for (int i = 0; i < rig->joint_count; i++) {
		size_t prefix;
		const int number = number_in(rig->joints[i].name, &prefix);
		if (number >= 0) {
			add_level(work, object_of(work, first, i, prefix), number, i);
		}
	}
}

static int compare(const void *first, const void *second) {
	const struct level *a = first, *b = second;
	if (a->object != b->object) {
		return a->object < b->object ? -1 : 1;
	}
	if (a->number != b->number) {
		return a->number < b->number ? -1 : 1;
	}
	return (a->node > b->node) - (a->node < b->node);
}

static void find_levels(struct work *work) {
	work->levels = arena_alloc(work->arena, LEVELS_MAX, sizeof *work->levels);
	add_lists(work);
	add_names(work);
	qsort(work->levels, (size_t)work->count, sizeof *work->levels, compare);
}

/* True for a primitive of a level. */
static bool is_of(const struct work *work, const struct level *level, const struct primitive *p) {
	return rig_is_below(work->asset->rig, p->joint, level->node);
}

static int count_triangles(const struct work *work, const struct level *level) {
	const struct rig *rig = work->asset->rig;
	int count = 0;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		if (p->topology == TOPOLOGY_TRIANGLES && is_of(work, level, p)) {
			count += p->index_count / 3;
		}
	}
	return count;
}

/* --- Joints --- */

static void mark_joints(const struct work *work, const struct level *level, bool *used) {
	const struct rig *rig = work->asset->rig;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		const size_t count = (size_t)p->vertex_count * (size_t)p->influence_count;
		for (size_t k = p->first_influence;
			p->skinned && is_of(work, level, p) && k < p->first_influence + count;
			k++) {
			if (rig->influence_weights[k] > 0) {
				used[rig->slots[p->first_slot + rig->influence_slots[k]].joint] =
					true;
			}
		}
	}
}

static void compare_joints(
	const struct work *work, const struct level *finest, const struct level *level) {
	const size_t joints = (size_t)work->asset->rig->joint_count;
	bool *fine = arena_alloc(work->arena, joints, sizeof *fine);
	bool *coarse = arena_alloc(work->arena, joints, sizeof *coarse);
	mark_joints(work, finest, fine);
	mark_joints(work, level, coarse);
	int extra = 0, first = level->node;
	for (size_t i = 0; i < joints; i++) {
		if (coarse[i] && !fine[i]) {
			first = extra++ == 0 ? (int)i : first;
		}
	}
	struct check_value value = check_value(extra);
	value.joint = first;
	value.text = work->asset->rig->joints[level->node].name;
	check_emit(work->sink, &check_rule_lod_joints, &value);
}

/* --- Order --- */

static void compare_counts(
	const struct work *work, const struct level *before, const struct level *level) {
	const int fine = count_triangles(work, before), coarse = count_triangles(work, level);
	struct check_value value = check_value(coarse >= fine);
	value.joint = level->node;
	value.text = work->asset->rig->joints[before->node].name;
	check_value_param(&value, "triangles", coarse);
	check_value_param(&value, "finer", fine);
	check_emit(work->sink, &check_rule_lod_order, &value);
}

/* --- Shapes --- */

/* A level's vertices that are looked at; returns how many. */
static int list_vertices(const struct work *work, const struct level *level, int *vertices) {
	const struct rig *rig = work->asset->rig;
	int all = 0, count = 0, at = 0;
	for (int i = 0; i < rig->primitive_count; i++) {
		all += is_of(work, level, &rig->primitives[i]) ? rig->primitives[i].vertex_count
							       : 0;
	}
	const int step = all / VERTICES_MAX + 1;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		for (int v = 0; is_of(work, level, p) && v < p->vertex_count; v++) {
			const int vertex = p->first_vertex + v;
			if (at++ % step == 0 && !work->asset->nonfinite[vertex]) {
				vertices[count++] = vertex;
			}
		}
	}
	return count;
}

/* A level's triangles; returns how many. */
static int list_triangles(const struct work *work, const struct level *level, int (*corners)[3]) {
	const struct rig *rig = work->asset->rig;
	int count = 0;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		const bool drawn = p->topology == TOPOLOGY_TRIANGLES && is_of(work, level, p);
		for (int k = 0; drawn && k + 2 < p->index_count; k += 3) {
			for (int c = 0; c < 3; c++) {
				corners[count][c] =
					p->first_vertex + (int)rig->indices[p->first_index + k + c];
			}
			count++;
		}
	}
	return count;
}

/* A pose of one of the clips, which are taken in turn; the rest pose without any. */
static void set_pose(const struct rig *rig, int number, struct pose *pose) {
	pose_set_rest(rig, 0, pose);
	if (rig->clip_count > 0) {
		const struct clip *clip = &rig->clips[number % rig->clip_count];
		const double share = (number + 0.5) / POSES;
		clip_sample(rig, clip, share * clip->duration_s, pose);
	}
}

/* Two levels' vertices in all poses. */
struct comparison {
	struct arena *scratch;
	struct check_tree *tree; // of the finest level; NULL = not made
	int (*corners)[3];
	int triangle_count;
	int *vertices; // [vertex_count] of the other one
	int vertex_count;
	double *distances; // [vertex_count]
	double worst;      // the 95th percentile
};

/* The distance of a vertex, which is no farther than that of the one before and the way to it. */
static double find_distance(
	const struct check_tree *tree, const double at[static 3], double distance, double way) {
	const double most = (distance + way) * SLACK;
	const double found = check_tree_distance(tree, at, most);
	return found < most ? found : check_tree_distance(tree, at, INFINITY);
}

static void compare_pose(struct comparison *comparison, const float *positions) {
	double before[3] = {0}, distance = INFINITY;
	if (!comparison->tree) {
		comparison->tree = check_tree_create((const int(*)[3])comparison->corners,
			comparison->triangle_count, positions, comparison->scratch);
	}
	check_tree_fit(comparison->tree, positions);
	for (int i = 0; i < comparison->vertex_count; i++) {
		const float *from = positions + (size_t)comparison->vertices[i] * 3;
		const double at[3] = {(double)from[0], (double)from[1], (double)from[2]};
		double way[3];
		vec3_sub(at, before, way);
		distance = find_distance(comparison->tree, at, distance, vec3_length(way));
		comparison->distances[i] = distance;
		memcpy(before, at, sizeof before);
	}
	comparison->worst = fmax(comparison->worst,
		check_percentile(comparison->distances, comparison->vertex_count, SHARE));
}

static void compare_poses(const struct work *work, struct comparison *comparison) {
	const struct rig *rig = work->asset->rig;
	struct arena *scratch = comparison->scratch;
	struct check_by_method *by = check_by_method_create(work->asset, "lbs", scratch);
	struct pose pose = pose_rest(rig, scratch);
	double(*world)[12] = arena_alloc(scratch, (size_t)rig->joint_count, sizeof *world);
	for (int i = 0; by && i < (rig->clip_count > 0 ? POSES : 1); i++) {
		set_pose(rig, i, &pose);
		pose_to_world(rig, &pose, world);
		const struct check_pose at = {
			.asset = work->asset, .pose = &pose, .world = (const double(*)[12])world};
		const struct check_surface_sample *sample = check_by_method_pose(by, &at);
		if (sample) {
			compare_pose(comparison, sample->positions);
		}
	}
}

static void compare_shapes(
	const struct work *work, const struct level *finest, const struct level *level) {
	struct arena *scratch = arena_create();
	struct comparison comparison = {
		.scratch = scratch,
		.corners = arena_alloc(
			scratch, (size_t)count_triangles(work, finest), sizeof *comparison.corners),
		.vertices = arena_alloc(scratch, VERTICES_MAX, sizeof *comparison.vertices),
		.distances = arena_alloc(scratch, VERTICES_MAX, sizeof *comparison.distances),
	};
	comparison.triangle_count = list_triangles(work, finest, comparison.corners);
	comparison.vertex_count = list_vertices(work, level, comparison.vertices);
	if (comparison.triangle_count > 0 && comparison.vertex_count > 0) {
		compare_poses(work, &comparison);
	}
	arena_destroy(scratch);
	struct check_value value = check_value(comparison.worst / work->asset->length);
	value.joint = level->node;
	value.text = work->asset->rig->joints[finest->node].name;
	check_emit(work->sink, &check_rule_lod_shape, &value);
}

static void asset(const struct check_asset *asset, struct arena *arena, struct check_sink *sink) {
	struct work work = {.asset = asset, .arena = arena, .sink = sink};
	int compared = 0;
	find_levels(&work);
	const struct level *finest = NULL;
	for (int i = 0; i < work.count; i++) {
		const struct level *level = &work.levels[i];
		if (!finest || finest->object != level->object) {
			finest = level;
		} else if (count_triangles(&work, finest) > 0 &&
			count_triangles(&work, level) > 0) {
			compare_shapes(&work, finest, level);
			compare_joints(&work, finest, level);
			compare_counts(&work, level - 1, level);
			compared++;
		}
	}
	const struct check_rule *const rules[] = {
		&check_rule_lod_shape, &check_rule_lod_joints, &check_rule_lod_order};
	for (int i = 0; compared == 0 && i < 3; i++) {
		check_skip(sink, rules[i], "no two levels of detail");
	}
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_VERTICES | CHECK_NEEDS_TRIANGLES,
	.asset = asset,
};

const struct check_rule check_rule_lod_shape = {
	.info =
		{
			.id = "lod/shape",
			.unit = "L",
			.catches = "levels of detail of another shape",
			.definition = "For each level of detail (MSFT_lod, or nodes named like "
				      "Body_LOD0, "
				      "Body_LOD1), the distances of its vertices from the surface "
				      "of level 0: the "
				      "95th percentile, at the worst of 8 poses from the clips, as "
				      "a share of the "
				      "figure's length. Of levels with more than 4,096 vertices, "
				      "so many are "
				      "looked at.",
			.effect = "The figure pops as the engine changes the level.",
			.fix = "Make the level at {joint} anew from {text}, with its weights.",
			.blender = "Decimate a copy of level 0 (Decimate modifier), and take its "
				   "weights "
				   "over with the Data Transfer modifier.",
			.maya = "Use Mesh > Reduce with Keep Original on level 0, and Skin > Copy "
				"Skin "
				"Weights.",
			.message = "{joint} is {value:%} of the figure's length away from the "
				   "surface of "
				   "{text}",
			.example = "Body_LOD1 is 3 % of the figure's length away from the surface "
				   "of Body_LOD0",
			.cost = CHECK_COST_VERTICES,
			.limits = {INFINITY, 0.01, 0.05},
		},
	.pass = &pass,
};

const struct check_rule check_rule_lod_joints = {
	.info =
		{
			.id = "lod/joints",
			.unit = "joints",
			.catches = "levels of detail that follow other joints",
			.definition = "Joints with a weight in a level of detail, and with none in "
				      "its level 0.",
			.effect = "Parts of the coarser level move in another way, or not at all "
				  "where the "
				  "engine leaves the joint out.",
			.fix = "Copy the weights of level 0 to {text}.",
			.blender =
				"Take the weights of level 0 over with the Data Transfer modifier "
				"(Vertex Groups), and remove the other groups.",
			.maya = "Run Skin > Copy Skin Weights from level 0, then Skin > Edit "
				"Influences > "
				"Remove Unused Influences.",
			.message = "{text} follows {value:#} {value|joint|joints} that level 0 "
				   "does not follow{value|:|, the first one} {joint}",
			.example = "Body_LOD1 follows 2 joints that level 0 does not follow, the "
				   "first one J1 twist",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, 1, INFINITY},
		},
	.pass = &pass,
};

const struct check_rule check_rule_lod_order = {
	.info =
		{
			.id = "lod/order",
			.unit = "levels",
			.catches = "levels of detail that do not get simpler",
			.definition = "Levels of detail with at least as many triangles as the "
				      "level before.",
			.effect = "The level costs memory and gains no speed; it may be listed in "
				  "the wrong "
				  "place.",
			.fix = "Order the levels from fine to coarse, or make {joint} simpler.",
			.blender = "Rename the objects in the order of their faces (Statistics "
				   "overlay), or "
				   "lower the Decimate modifier's ratio.",
			.maya = "Order the LOD group by the polygon count (Heads Up Display), or "
				"use Mesh > "
				"Reduce.",
			.message = "{joint} has {triangles:#} {triangles|triangle|triangles}, and "
				   "the finer {text} has {finer:#}",
			.example = "Body_LOD1 has 1312 triangles, and the finer Body_LOD0 has 1312",
			.cost = CHECK_COST_TABLE,
			.limits = {INFINITY, 1, INFINITY},
		},
	.pass = &pass,
};
