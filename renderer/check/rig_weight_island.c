// rig/weight_island: vertices with an influence of a distant joint that no neighbour has.
#include <math.h>
#include <string.h>

#include "check/rules.h"
#include "check/surface.h"
#include "mesh/csr.h"

/* An influence that counts has at least this weight, and its joint is so many steps away. */
#define LEAST_WEIGHT 0.05
#define LEAST_STEPS 3

#define LEAST_NEIGHBOURS 3

/* Vertices at one neighbouring point that are looked at. */
#define MEMBERS_MAX 64

struct islands {
	const struct check_asset *asset;
	const struct check_surface *surface;
	const int *owners;     // by vertex: position in rig->primitives
	struct csr neighbours; // of points, which are the lowest vertices at a place
	struct csr members;    // vertices of each point
	int *counts;           // by joint: islands that it dominates
	uint32_t vertices[CHECK_ELEMENTS_MAX];
	int count;
};

static bool find_neighbours(struct islands *islands, struct arena *arena) {
	const struct check_surface *surface = islands->surface;
	const struct check_triangles *all = &surface->triangles;
	const size_t sides = (size_t)all->count * 6, vertices = (size_t)surface->vertex_count;
	struct csr_pair *pairs =
		arena_alloc(arena, sides > vertices ? sides : vertices, sizeof *pairs);
	size_t count = 0;
	for (int i = 0; i < all->count; i++) {
		for (int k = 0; k < 6; k++) {
			const int a = surface->points[all->corners[i][k % 3]];
			const int b = surface->points[all->corners[i][(k % 3 + 1 + k / 3) % 3]];
			if (a != b) {
				pairs[count++] = (struct csr_pair){a, b};
			}
		}
	}
	if (!csr_init(&islands->neighbours, surface->vertex_count, pairs, count, NULL)) {
		return false;
	}
	count = 0;
	for (int v = 0; v < surface->vertex_count; v++) {
		if (surface->points[v] >= 0) {
			pairs[count++] = (struct csr_pair){surface->points[v], v};
		}
	}
	return csr_init(&islands->members, surface->vertex_count, pairs, count, NULL);
}

/* A vertex' influences. */
struct influences {
	const struct palette_slot *slots;
	const uint16_t *indices;
	const float *weights;
	int count;
};

static struct influences influences_of(const struct islands *islands, int vertex) {
	const struct rig *rig = islands->asset->rig;
	const struct primitive *p = &rig->primitives[islands->owners[vertex]];
	const size_t first = p->first_influence +
		(size_t)(vertex - p->first_vertex) * (size_t)p->influence_count;
	return (struct influences){rig->slots + p->first_slot, rig->influence_slots + first,
		rig->influence_weights + first, p->influence_count};
}

static bool has_joint(const struct islands *islands, int vertex, int joint) {
	const struct influences at = influences_of(islands, vertex);
	for (int i = 0; i < at.count; i++) {
		if (at.weights[i] > 0 && at.slots[at.indices[i]].joint == joint) {
			return true;
		}
	}
	return false;
}

/* True when a vertex of a neighbouring point has the joint. */
static bool neighbours_have(const struct islands *islands, int point, int joint) {
	const struct csr *around = &islands->neighbours, *members = &islands->members;
	for (int i = around->starts[point]; i < around->starts[point + 1]; i++) {
		const int other = around->items[i];
		const int start = members->starts[other], end = members->starts[other + 1];
		for (int k = start; k < end && k < start + MEMBERS_MAX; k++) {
			if (has_joint(islands, members->items[k], joint)) {
				return true;
			}
		}
	}
	return false;
}

static bool is_island(const struct islands *islands, int vertex) {
	const int point = islands->surface->points[vertex];
	const struct influences at = influences_of(islands, vertex);
	const struct csr *around = &islands->neighbours;
	if (point < 0 || around->starts[point + 1] - around->starts[point] < LEAST_NEIGHBOURS) {
		return false;
	}
	for (int i = 0; i < at.count; i++) {
		const int joint = at.slots[at.indices[i]].joint;
		if ((double)at.weights[i] >= LEAST_WEIGHT &&
			check_joints_are_apart(islands->asset, joint,
				islands->asset->dominant[vertex], LEAST_STEPS) &&
			!neighbours_have(islands, point, joint)) {
			return true;
		}
	}
	return false;
}

static const int *find_owners(const struct rig *rig, struct arena *arena) {
	int *owners = arena_alloc(arena, (size_t)rig->vertex_count, sizeof *owners);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		for (int v = p->first_vertex; v < p->first_vertex + p->vertex_count; v++) {
			owners[v] = i;
		}
	}
	return owners;
}

static void find_islands(struct islands *islands) {
	const struct check_surface *surface = islands->surface;
	for (int i = 0; i < surface->skinned_count; i++) {
		const int vertex = surface->skinned[i];
		if (!is_island(islands, vertex)) {
			continue;
		}
		if (islands->count < CHECK_ELEMENTS_MAX) {
			islands->vertices[islands->count] = (uint32_t)vertex;
		}
		islands->count++;
		islands->counts[islands->asset->dominant[vertex]]++;
	}
}

static void emit(const struct islands *islands, struct check_sink *sink) {
	const int joints = islands->asset->rig->joint_count;
	struct check_value value = check_value(islands->count);
	for (int i = 0; i < joints; i++) {
		if (islands->counts[i] > 0 &&
			(value.joint < 0 || islands->counts[i] > islands->counts[value.joint])) {
			value.joint = i;
		}
	}
	value.vertices = islands->vertices;
	value.vertex_count =
		(size_t)(islands->count < CHECK_ELEMENTS_MAX ? islands->count : CHECK_ELEMENTS_MAX);
	check_emit(sink, &check_rule_rig_weight_island, &value);
}

static void asset(const struct check_asset *asset, struct arena *arena, struct check_sink *sink) {
	struct islands islands = {
		.asset = asset,
		.surface = asset->surface,
		.owners = find_owners(asset->rig, arena),
		.counts =
			arena_alloc(arena, (size_t)asset->rig->joint_count, sizeof *islands.counts),
	};
	if (find_neighbours(&islands, arena)) {
		find_islands(&islands);
		emit(&islands, sink);
	} else {
		check_skip(sink, &check_rule_rig_weight_island, "out of memory");
	}
	csr_finish(&islands.neighbours);
	csr_finish(&islands.members);
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_SKIN | CHECK_NEEDS_TRIANGLES,
	.asset = asset,
};

const struct check_rule check_rule_rig_weight_island = {
	.info =
		{
			.id = "rig/weight_island",
			.unit = "vertices",
			.catches = "stray weights: a vertex that follows a distant joint alone",
			.definition = "Skinned vertices with an influence of at least 0.05 that "
				      "none of their "
				      "neighbours has (three or more, across seams), and whose "
				      "joint is at least "
				      "three steps away in the tree of joints from the one with "
				      "the vertex' "
				      "greatest weight.",
			.effect = "Single vertices are pulled out of the figure as soon as the two "
				  "joints "
				  "move apart.",
			.fix = "Remove the stray influence of the listed {value|vertex "
			       "at|vertices, most of which are at} {joint}.",
			.blender = "In Weight Paint Mode select the vertices (V), remove the stray "
				   "group in "
				   "the sidebar's Vertex Weights panel, and run Weights > "
				   "Normalize All.",
			.maya = "Select the vertices and run Skin > Hammer Skin Weights, or set "
				"the stray "
				"weight to 0 in the Component Editor.",
			.message = "{value:#} {value|vertex at|vertices, most of them at} "
				   "{joint}{value| follows|, follow} a distant joint that none of "
				   "{value|its|their} neighbours follows",
			.example = "3 vertices, most of them at Head, follow a distant joint that "
				   "none of their neighbours follows",
			.cost = CHECK_COST_VERTICES,
			.limits = {INFINITY, 1, 20},
		},
	.pass = &pass,
};
