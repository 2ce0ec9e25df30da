// Distances between the vertices of two poses.
#include "compress/skin_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/vec.h"

#define CLUSTER_MAX 32
#define ROUNDING (1 + 1e-9) // of bounds

/* Vertices that lie together and are bound alike: a node of a tree, whose nodes below follow it. */
struct cluster {
	int primitive;
	int first, count;         // in the mesh' order
	int next;                 // the node behind all those below
	double centre[3], radius; // of a ball that holds them
	int *slots, slot_count;   // all that move any of them
	double *reaches; // [target_count] the farthest that a morph weight of 1 moves one of them
};

struct skin_mesh {
	const struct rig *rig;
	int *order;     // [vertex_count] vertices by cluster
	int *primitive; // [vertex_count] of a vertex
	struct cluster *clusters;
	int cluster_count;
	/* Of two poses. */
	struct skin_mesh_pose is, should;
	double (*off)[12];  // [slot_count] difference of the palettes
	double *size;       // [slot_count] of its linear part: the root of its sum of squares
	double (*bind)[12]; // [slot_count] palette of the pose that should be, where weights differ
	double *bind_size;  // [slot_count] as size
	bool *morphed;      // [primitive_count] morph weights move it in either pose
	bool *reshaped;     // [primitive_count] and not alike
	bool any_reshaped;
};

/* Room while a mesh is made. */
struct making {
	struct arena *arena;
	struct keyed *keys; // [vertex_count]
	int *slots;         // [slot_count] of a cluster
	int *seen;          // [slot_count] the last cluster that a slot was found in, plus 1
};

static const struct primitive *primitive_of(const struct skin_mesh *mesh, int vertex) {
	return &mesh->rig->primitives[mesh->primitive[vertex]];
}

/* The influences of a vertex. */
struct influences {
	const uint16_t *slots; // relative to first
	const float *weights;
	int count, first;
};

static struct influences influences_of(
	const struct rig *rig, const struct primitive *primitive, int vertex) {
	const size_t at = primitive->first_influence +
		(size_t)(vertex - primitive->first_vertex) * (size_t)primitive->influence_count;
	return (struct influences){.slots = rig->influence_slots + at,
		.weights = rig->influence_weights + at,
		.count = primitive->influence_count,
		.first = primitive->first_slot};
}

static int main_slot(const struct skin_mesh *mesh, int vertex) {
	const struct influences found =
		influences_of(mesh->rig, primitive_of(mesh, vertex), vertex);
	return found.first + found.slots[0];
}

int skin_mesh_joint(const struct skin_mesh *mesh, int vertex) {
	return mesh->rig->slots[main_slot(mesh, vertex)].joint;
}

/* --- Clusters --- */

/* For sorting; qsort() has no context. */
struct keyed {
	double key;
	int vertex;
};

static int by_key(const void *a, const void *b) {
	const struct keyed *x = a, *y = b;
	return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : x->vertex - y->vertex;
}

static void sort_vertices(
	const struct skin_mesh *mesh, int *vertices, int count, int axis, struct keyed *room) {
	for (int i = 0; i < count; i++) {
		const double key = axis < 0 ? main_slot(mesh, vertices[i])
					    : (double)mesh->rig->positions[3 * vertices[i] + axis];
		room[i] = (struct keyed){key, vertices[i]};
	}
	qsort(room, (size_t)count, sizeof *room, by_key);
	for (int i = 0; i < count; i++) {
		vertices[i] = room[i].vertex;
	}
}

static struct bounds box_of(const struct skin_mesh *mesh, const int *vertices, int count) {
	struct bounds box = BOUNDS_NONE;
	for (int i = 0; i < count; i++) {
		for (int k = 0; k < 3; k++) {
			const double x = (double)mesh->rig->positions[3 * vertices[i] + k];
			box.min[k] = fmin(box.min[k], x);
			box.max[k] = fmax(box.max[k], x);
		}
	}
	return box;
}

static void list_slots(struct skin_mesh *mesh, int number, struct making *making) {
	struct cluster *cluster = &mesh->clusters[number];
	for (int i = 0; i < cluster->count; i++) {
		const int vertex = mesh->order[cluster->first + i];
		const struct influences found =
			influences_of(mesh->rig, primitive_of(mesh, vertex), vertex);
		for (int k = 0; k < found.count && found.weights[k] > 0; k++) {
			const int slot = found.first + found.slots[k];
			if (making->seen[slot] != number + 1) {
				making->seen[slot] = number + 1;
				making->slots[cluster->slot_count++] = slot;
			}
		}
	}
	const size_t count = (size_t)cluster->slot_count;
	cluster->slots = arena_alloc(making->arena, count + 1, sizeof(int));
	memcpy(cluster->slots, making->slots, count * sizeof(int));
}

static void find_reaches(
	const struct skin_mesh *mesh, struct cluster *cluster, struct arena *arena) {
	const struct primitive *primitive = &mesh->rig->primitives[cluster->primitive];
	cluster->reaches = arena_alloc(arena, (size_t)primitive->target_count + 1, sizeof(double));
	for (int t = 0; t < primitive->target_count; t++) {
		const float *moves = primitive->targets[t].positions;
		for (int i = 0; moves && i < cluster->count; i++) {
			const int vertex = mesh->order[cluster->first + i];
			const float *m = moves + 3 * (size_t)(vertex - primitive->first_vertex);
			const double move[3] = {(double)m[0], (double)m[1], (double)m[2]};
			cluster->reaches[t] = fmax(cluster->reaches[t], vec3_length(move));
		}
	}
}

static void find_ball(
	const struct skin_mesh *mesh, const struct bounds *box, struct cluster *cluster) {
	for (int k = 0; k < 3; k++) {
		cluster->centre[k] = (box->min[k] + box->max[k]) / 2;
	}
	for (int i = 0; i < cluster->count; i++) {
		const float *p = &mesh->rig->positions[3 * mesh->order[cluster->first + i]];
		const double place[3] = {(double)p[0], (double)p[1], (double)p[2]};
		double apart[3];
		vec3_sub(place, cluster->centre, apart);
		cluster->radius = fmax(cluster->radius, vec3_length(apart));
	}
}

/* Halves vertices at the middle one along the longest side of their box until they are few. */
static void split(struct skin_mesh *mesh, int first, int count, struct making *making) {
	const struct bounds box = box_of(mesh, mesh->order + first, count);
	const int number = mesh->cluster_count++;
	struct cluster *cluster = &mesh->clusters[number];
	*cluster = (struct cluster){
		.primitive = mesh->primitive[mesh->order[first]], .first = first, .count = count};
	find_ball(mesh, &box, cluster);
	find_reaches(mesh, cluster, making->arena);
	list_slots(mesh, number, making);
	if (count > CLUSTER_MAX) {
		int axis = 0;
		for (int k = 1; k < 3; k++) {
			if (box.max[k] - box.min[k] > box.max[axis] - box.min[axis]) {
				axis = k;
			}
		}
		sort_vertices(mesh, mesh->order + first, count, axis, making->keys);
		split(mesh, first, count / 2, making);
		split(mesh, first + count / 2, count - count / 2, making);
	}
	cluster->next = mesh->cluster_count;
}

/* Clusters of a primitive, each of one main joint. */
static void split_primitive(struct skin_mesh *mesh, int which, struct making *making) {
	const struct primitive *primitive = &mesh->rig->primitives[which];
	const int first = primitive->first_vertex, end = first + primitive->vertex_count;
	for (int v = first; v < end; v++) {
		mesh->order[v] = v;
		mesh->primitive[v] = which;
	}
	sort_vertices(mesh, mesh->order + first, end - first, -1, making->keys);
	for (int from = first, to; from < end; from = to) {
		const int slot = main_slot(mesh, mesh->order[from]);
		for (to = from; to < end && main_slot(mesh, mesh->order[to]) == slot; to++) {
		}
		split(mesh, from, to - from, making);
	}
}

struct skin_mesh *skin_mesh_make(const struct rig *rig, struct arena *arena) {
	const size_t vertices = (size_t)rig->vertex_count, slots = (size_t)rig->slot_count;
	const size_t primitives = (size_t)rig->primitive_count;
	/* A leaf of a split has half of the most vertices or more; besides, slots have one each. */
	const size_t clusters = 2 * (2 * vertices / CLUSTER_MAX + slots + 1);
	struct skin_mesh *mesh = arena_alloc(arena, 1, sizeof *mesh);
	*mesh = (struct skin_mesh){.rig = rig,
		.order = arena_alloc(arena, vertices, sizeof(int)),
		.primitive = arena_alloc(arena, vertices, sizeof(int)),
		.clusters = arena_alloc(arena, clusters, sizeof *mesh->clusters),
		.off = arena_alloc(arena, slots, sizeof *mesh->off),
		.size = arena_alloc(arena, slots, sizeof(double)),
		.bind = arena_alloc(arena, slots, sizeof *mesh->bind),
		.bind_size = arena_alloc(arena, slots, sizeof(double)),
		.morphed = arena_alloc(arena, primitives, sizeof(bool)),
		.reshaped = arena_alloc(arena, primitives, sizeof(bool))};
	struct making making = {.arena = arena,
		.keys = arena_alloc(arena, vertices, sizeof *making.keys),
		.slots = arena_alloc(arena, slots, sizeof(int)),
		.seen = arena_alloc(arena, slots, sizeof(int))};
	for (int i = 0; i < rig->primitive_count; i++) {
		split_primitive(mesh, i, &making);
	}
	return mesh;
}

/* --- Two poses --- */

static const double *weights_of(
	const struct rig *rig, const struct primitive *primitive, const double *weights) {
	return weights + rig->joints[primitive->joint].first_weight;
}

static void compare_weights(struct skin_mesh *mesh) {
	const struct rig *rig = mesh->rig;
	mesh->any_reshaped = false;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		const double *is = weights_of(rig, primitive, mesh->is.weights);
		const double *should = weights_of(rig, primitive, mesh->should.weights);
		mesh->morphed[i] = mesh->reshaped[i] = false;
		for (int t = 0; t < primitive->target_count; t++) {
			mesh->morphed[i] |= is[t] != 0 || should[t] != 0;
			mesh->reshaped[i] |= is[t] < should[t] || is[t] > should[t];
		}
		mesh->any_reshaped |= mesh->reshaped[i];
	}
}

/* Of the linear part of a map: no vector grows by more. */
static double size_of(const double m[static 12]) {
	return sqrt(vec3_dot(m, m) + vec3_dot(m + 4, m + 4) + vec3_dot(m + 8, m + 8));
}

void skin_mesh_compare(struct skin_mesh *mesh, const struct skin_mesh_pose *is,
	const struct skin_mesh_pose *should) {
	const struct rig *rig = mesh->rig;
	mesh->is = *is;
	mesh->should = *should;
	compare_weights(mesh);
	for (int i = 0; i < rig->slot_count; i++) {
		const struct palette_slot *slot = &rig->slots[i];
		double apart[12];
		for (int k = 0; k < 12; k++) {
			apart[k] = is->world[slot->joint][k] - should->world[slot->joint][k];
		}
		mat_multiply(apart, slot->inverse_bind, mesh->off[i]);
		mesh->size[i] = size_of(mesh->off[i]);
		if (mesh->any_reshaped) {
			mat_multiply(should->world[slot->joint], slot->inverse_bind, mesh->bind[i]);
			mesh->bind_size[i] = size_of(mesh->bind[i]);
		}
	}
}

static void blend(
	const struct influences *influences, const double (*matrices)[12], double out[static 12]) {
	memset(out, 0, 12 * sizeof *out);
	for (int i = 0; i < influences->count && influences->weights[i] > 0; i++) {
		const double weight = (double)influences->weights[i];
		const double *matrix = matrices[influences->first + influences->slots[i]];
		for (int k = 0; k < 12; k++) {
			out[k] += weight * matrix[k];
		}
	}
}

/* Adds targets to a vertex: those of the pose that is to `place`, the differences to `change`. */
static void morph(const struct skin_mesh *mesh, const struct primitive *primitive, int vertex,
	double place[static 3], double change[static 3]) {
	const double *is = weights_of(mesh->rig, primitive, mesh->is.weights);
	const double *should = weights_of(mesh->rig, primitive, mesh->should.weights);
	const size_t at = 3 * (size_t)(vertex - primitive->first_vertex);
	for (int t = 0; t < primitive->target_count; t++) {
		const float *positions = primitive->targets[t].positions;
		const bool moves = positions && (is[t] != 0 || should[t] != 0);
		for (size_t k = 0; moves && k < 3; k++) {
			place[k] += is[t] * (double)positions[at + k];
			change[k] += (is[t] - should[t]) * (double)positions[at + k];
		}
	}
}

double skin_mesh_distance(const struct skin_mesh *mesh, int vertex) {
	const int which = mesh->primitive[vertex];
	const struct primitive *primitive = &mesh->rig->primitives[which];
	const struct influences influences = influences_of(mesh->rig, primitive, vertex);
	double place[3], change[3] = {0}, matrix[12], off[3];
	for (int k = 0; k < 3; k++) {
		place[k] = (double)mesh->rig->positions[3 * vertex + k];
	}
	if (mesh->morphed[which]) {
		morph(mesh, primitive, vertex, place, change);
	}
	blend(&influences, (const double(*)[12])mesh->off, matrix);
	mat_map_point(matrix, place, off);
	if (mesh->reshaped[which]) {
		blend(&influences, (const double(*)[12])mesh->bind, matrix);
		for (int row = 0; row < 3; row++) {
			off[row] += vec3_dot(&matrix[4 * row], change);
		}
	}
	return vec3_length(off);
}

/* The farthest that morphing takes any vertex of a cluster from its place, and the two poses apart.
 */
static void bound_morphs(
	const struct skin_mesh *mesh, const struct cluster *cluster, double *away, double *apart) {
	const struct primitive *primitive = &mesh->rig->primitives[cluster->primitive];
	const double *is = weights_of(mesh->rig, primitive, mesh->is.weights);
	const double *should = weights_of(mesh->rig, primitive, mesh->should.weights);
	for (int t = 0; mesh->morphed[cluster->primitive] && t < primitive->target_count; t++) {
		*away += fabs(is[t]) * cluster->reaches[t];
		*apart += fabs(is[t] - should[t]) * cluster->reaches[t];
	}
}

/* A blend of maps by weights that sum to 1 takes nothing farther than one of them does. */
static double bound(const struct skin_mesh *mesh, const struct cluster *cluster) {
	const bool reshaped = mesh->reshaped[cluster->primitive];
	double most = 0, stretch = 0, radius = cluster->radius, apart = 0;
	bound_morphs(mesh, cluster, &radius, &apart);
	for (int i = 0; i < cluster->slot_count; i++) {
		const int slot = cluster->slots[i];
		double off[3];
		mat_map_point(mesh->off[slot], cluster->centre, off);
		most = fmax(most, vec3_length(off) + mesh->size[slot] * radius);
		stretch = reshaped ? fmax(stretch, mesh->bind_size[slot]) : 0;
	}
	return (most + stretch * apart) * ROUNDING;
}

static void look_at(const struct skin_mesh *mesh, const int *vertices, int count, double *farthest,
	int *vertex) {
	for (int i = 0; i < count; i++) {
		const double distance = skin_mesh_distance(mesh, vertices[i]);
		if (!(distance <= *farthest)) {
			*farthest = distance;
			*vertex = vertices[i];
		}
	}
}

double skin_mesh_farthest_of(
	const struct skin_mesh *mesh, const int *vertices, int count, int *vertex) {
	double farthest = 0;
	*vertex = vertices[0];
	look_at(mesh, vertices, count, &farthest, vertex);
	return farthest;
}

double skin_mesh_farthest(const struct skin_mesh *mesh, const int *likely, int count, int *vertex) {
	double farthest = skin_mesh_farthest_of(mesh, likely, count, vertex);
	for (int i = 0; i < mesh->cluster_count;) {
		const struct cluster *cluster = &mesh->clusters[i];
		if (bound(mesh, cluster) <= farthest) {
			i = cluster->next;
			continue;
		}
		if (cluster->next == i + 1) {
			look_at(mesh, mesh->order + cluster->first, cluster->count, &farthest,
				vertex);
		}
		i++;
	}
	return farthest;
}
