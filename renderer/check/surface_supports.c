// Vertices that joints share with the ones above them.
#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/vec.h"
#include "check/surface_internal.h"

/* Both joints have more than this share of a vertex. */
#define SHARED_WEIGHT 0.1

/* Joints with such a share that a vertex can have. */
#define SHARES_MAX 9

/* Vertices nearer to the joint than this share of the figure's length are left out. */
#define LEAST_DISTANCE 0.004

/* Vertices that a support has at least. */
#define LEAST_COUNT 6

/* A skin as its primitives have it. */
struct skin {
	int first_slot, slot_count;
	int first_primitive;  // that uses it
	int *above;           // [slot_count] position of the nearest joint above; -1 = none
	double (*centres)[3]; // [slot_count] joints in the reference shape; NAN = none
	int *starts;          // [slot_count + 1] in vertices
	int *vertices;        // those of the supports, ascending for each
};

static void find_above(const struct check_surface_build *build, struct skin *skin) {
	const struct rig *rig = build->asset->rig;
	int *slots = arena_alloc(build->scratch, (size_t)rig->joint_count, sizeof *slots);
	memset(slots, -1, (size_t)rig->joint_count * sizeof *slots);
	for (int i = 0; i < skin->slot_count; i++) {
		slots[rig->slots[skin->first_slot + i].joint] = i;
	}
	// The nearest joint above that has a slot, for every joint; parents come first.
	int *nearest = arena_alloc(build->scratch, (size_t)rig->joint_count, sizeof *nearest);
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		nearest[i] = parent < 0 ? -1 : slots[parent] >= 0 ? slots[parent] : nearest[parent];
	}
	skin->above = arena_alloc(build->scratch, (size_t)skin->slot_count, sizeof *skin->above);
	for (int i = 0; i < skin->slot_count; i++) {
		skin->above[i] = nearest[rig->slots[skin->first_slot + i].joint];
	}
}

static void find_centres(const struct check_surface_build *build, struct skin *skin) {
	const struct rig *rig = build->asset->rig;
	const double scale =
		build->surface->scales[rig->primitives[skin->first_primitive].first_vertex];
	skin->centres =
		arena_alloc(build->scratch, (size_t)skin->slot_count, sizeof *skin->centres);
	for (int i = 0; i < skin->slot_count; i++) {
		double bind[12];
		const bool has = mat_invert(rig->slots[skin->first_slot + i].inverse_bind, bind);
		for (int k = 0; k < 3; k++) {
			skin->centres[i][k] = has ? bind[k * 4 + 3] * scale : NAN;
		}
	}
}

static double distance(
	const struct check_surface_build *build, const struct skin *skin, int slot, int vertex) {
	double apart[3];
	vec3_sub(build->surface->reference[vertex], skin->centres[slot], apart);
	return vec3_length(apart);
}

/* Slots with a great share of a vertex; returns their number. */
static int great_shares(const struct rig *rig, const struct primitive *p, int vertex,
	int slots[static SHARES_MAX]) {
	const size_t first = p->first_influence +
		(size_t)(vertex - p->first_vertex) * (size_t)p->influence_count;
	int count = 0;
	for (int i = 0; i < p->influence_count && count < SHARES_MAX; i++) {
		if ((double)rig->influence_weights[first + (size_t)i] > SHARED_WEIGHT) {
			slots[count++] = rig->influence_slots[first + (size_t)i];
		}
	}
	return count;
}

/* Counts a vertex in the supports that it belongs to, or, with vertices, puts it there. */
static void add_vertex(const struct check_surface_build *build, struct skin *skin,
	const struct primitive *p, int vertex, int *counts) {
	int slots[SHARES_MAX];
	const int count = great_shares(build->asset->rig, p, vertex, slots);
	for (int a = 0; a < count; a++) {
		for (int b = 0; b < count; b++) {
			const double least = LEAST_DISTANCE * build->asset->length;
			if (skin->above[slots[a]] != slots[b] ||
				!(distance(build, skin, slots[a], vertex) > least)) {
				continue;
			}
			if (skin->vertices) {
				skin->vertices[skin->starts[slots[a]] + counts[slots[a]]] = vertex;
			}
			counts[slots[a]]++;
		}
	}
}

static void add_vertices(const struct check_surface_build *build, struct skin *skin, int *counts) {
	const struct rig *rig = build->asset->rig;
	for (int i = skin->first_primitive; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		if (!p->skinned || p->first_slot != skin->first_slot) {
			continue;
		}
		for (int v = p->first_vertex; v < p->first_vertex + p->vertex_count; v++) {
			if (!build->asset->nonfinite[v]) {
				add_vertex(build, skin, p, v, counts);
			}
		}
	}
}

static void find_vertices(const struct check_surface_build *build, struct skin *skin) {
	const size_t count = (size_t)skin->slot_count;
	int *counts = arena_alloc(build->scratch, count, sizeof *counts);
	add_vertices(build, skin, counts);
	skin->starts = arena_alloc(build->scratch, count + 1, sizeof *skin->starts);
	for (size_t i = 0; i < count; i++) {
		skin->starts[i + 1] = skin->starts[i] + counts[i];
	}
	skin->vertices =
		arena_alloc(build->scratch, (size_t)skin->starts[count], sizeof *skin->vertices);
	memset(counts, 0, count * sizeof *counts);
	add_vertices(build, skin, counts);
}

static struct check_support support_of(
	const struct check_surface_build *build, const struct skin *skin, int slot) {
	const struct palette_slot *slots = build->asset->rig->slots + skin->first_slot;
	const int start = skin->starts[slot], count = skin->starts[slot + 1] - start;
	int *vertices = arena_alloc(build->arena, (size_t)count, sizeof *vertices);
	double *distances = arena_alloc(build->arena, (size_t)count, sizeof *distances);
	for (int i = 0; i < count; i++) {
		vertices[i] = skin->vertices[start + i];
		distances[i] = distance(build, skin, slot, vertices[i]);
	}
	struct check_support support = {
		.joint = slots[slot].joint,
		.above = slots[skin->above[slot]].joint,
		.count = count,
		.vertices = vertices,
		.distances = distances,
	};
	memcpy(support.centre, skin->centres[slot], sizeof support.centre);
	if (!check_bone_axis(build->asset, support.joint, support.axis)) {
		memset(support.axis, 0, sizeof support.axis);
	}
	return support;
}

static void add_supports(
	struct check_surface_build *build, struct skin *skin, struct check_support *supports) {
	find_above(build, skin);
	find_centres(build, skin);
	find_vertices(build, skin);
	for (int i = 0; i < skin->slot_count; i++) {
		if (skin->starts[i + 1] - skin->starts[i] >= LEAST_COUNT) {
			supports[build->surface->support_count++] = support_of(build, skin, i);
		}
	}
}

void check_surface_find_supports(struct check_surface_build *build) {
	const struct rig *rig = build->asset->rig;
	struct check_support *supports =
		arena_alloc(build->arena, (size_t)rig->slot_count, sizeof *supports);
	bool *done = arena_alloc(build->scratch, (size_t)rig->slot_count + 1, sizeof *done);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		if (!p->skinned || done[p->first_slot]) {
			continue;
		}
		done[p->first_slot] = true;
		struct skin skin = {
			.first_slot = p->first_slot,
			.slot_count = p->slot_count,
			.first_primitive = i,
		};
		add_supports(build, &skin, supports);
	}
	build->surface->supports = supports;
}
