// Vertices that are one point of the surface.
#include "mesh/parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* The sum by which two vertices' weights may differ: the rounding of exporters. */
#define WEIGHT_TOLERANCE 0.01

/* Places are looked up by cells, this many tolerances wide: most vertices are then nowhere near a
 * border, and their own cell holds all that may be theirs. */
#define CELL_TOLERANCES 16

/* Between two looks at the stop: few, since a cell may hold any number of vertices. */
#define STEP 64

struct welder {
	const struct rig *rig;
	const int *slots;
	double least[3];        // corner of the positions' box
	double tolerance, cell; // distances
	size_t mask;            // of the table's size, a power of 2
	int *heads;             // [mask + 1] the last vertex put there, plus 1; 0 = none
	int *next;              // [vertex_count] the one put there before it, likewise
	int *owners;            // [vertex_count] position in rig->primitives
	int *first;             // [vertex_count] the result
};

static const float *position(const struct welder *welder, int vertex) {
	return welder->rig->positions + (size_t)vertex * 3;
}

static size_t cell_of(const struct welder *welder, const int64_t cell[static 3]) {
	uint64_t hash = 0;
	for (int i = 0; i < 3; i++) {
		hash = (hash ^ (uint64_t)cell[i]) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 29;
	}
	return (size_t)hash & welder->mask;
}

static bool near(const float *a, const float *b, double tolerance) {
	double square = 0;
	for (int i = 0; i < 3; i++) {
		const double apart = (double)a[i] - (double)b[i];
		square += apart * apart;
	}
	return square <= tolerance * tolerance;
}

/* The weight that a vertex' influences give to a slot. */
static double weight_of(const struct welder *welder, int vertex, int slot) {
	const struct primitive *p = &welder->rig->primitives[welder->owners[vertex]];
	const size_t at = p->first_influence +
		(size_t)(vertex - p->first_vertex) * (size_t)p->influence_count;
	double weight = 0;
	for (int k = 0; k < p->influence_count; k++) {
		if (welder->slots[p->first_slot + welder->rig->influence_slots[at + k]] == slot) {
			weight += (double)welder->rig->influence_weights[at + k];
		}
	}
	return weight;
}

/* Half of what the weights differ in: what a has and b has not. Both sum to 1. */
static double missing_weight(const struct welder *welder, int a, int b) {
	const struct primitive *p = &welder->rig->primitives[welder->owners[a]];
	const size_t at =
		p->first_influence + (size_t)(a - p->first_vertex) * (size_t)p->influence_count;
	double missing = 0;
	for (int k = 0; k < p->influence_count; k++) {
		const double weight = (double)welder->rig->influence_weights[at + k];
		if (weight > 0) {
			const int slot = p->first_slot + welder->rig->influence_slots[at + k];
			const double other = weight_of(welder, b, welder->slots[slot]);
			missing += fmax(weight - other, 0);
		}
	}
	return missing;
}

/* The displacement of a vertex by a morph target; zero if there is none. */
static const float *displacement(const struct primitive *p, int target, int vertex) {
	static const float none[3];
	if (target >= p->target_count || !p->targets[target].positions) {
		return none;
	}
	return p->targets[target].positions + (size_t)(vertex - p->first_vertex) * 3;
}

static bool is_moved(const struct welder *welder, int vertex) {
	static const float none[3];
	const struct primitive *p = &welder->rig->primitives[welder->owners[vertex]];
	for (int i = 0; i < p->target_count; i++) {
		if (!near(displacement(p, i, vertex), none, welder->tolerance)) {
			return true;
		}
	}
	return false;
}

static bool morphs_alike(const struct welder *welder, int a, int b) {
	const struct primitive *p = &welder->rig->primitives[welder->owners[a]];
	const struct primitive *q = &welder->rig->primitives[welder->owners[b]];
	if (p->joint != q->joint) {
		return !is_moved(welder, a) && !is_moved(welder, b);
	}
	for (int i = 0; i < p->target_count || i < q->target_count; i++) {
		if (!near(displacement(p, i, a), displacement(q, i, b), welder->tolerance)) {
			return false;
		}
	}
	return true;
}

static bool are_one(const struct welder *welder, int a, int b) {
	return near(position(welder, a), position(welder, b), welder->tolerance) &&
		missing_weight(welder, a, b) * 2 <= WEIGHT_TOLERANCE && morphs_alike(welder, a, b);
}

/* The lowest vertex in a cell that is the same point, or the one that comes in. */
static int search(const struct welder *welder, const int64_t cell[static 3], int vertex) {
	int lowest = vertex;
	for (int i = welder->heads[cell_of(welder, cell)]; i > 0; i = welder->next[i - 1]) {
		if (i - 1 < lowest && are_one(welder, i - 1, vertex)) {
			lowest = i - 1;
		}
	}
	return lowest;
}

/* Looks where the vertex is, and beyond the borders that are near. */
static int find(const struct welder *welder, int vertex, int64_t home[static 3]) {
	int64_t low[3], high[3], cell[3];
	for (int i = 0; i < 3; i++) {
		const double at = (double)position(welder, vertex)[i] - welder->least[i];
		home[i] = (int64_t)floor(at / welder->cell);
		low[i] = (int64_t)floor((at - welder->tolerance) / welder->cell);
		high[i] = (int64_t)floor((at + welder->tolerance) / welder->cell);
	}
	int lowest = vertex;
	for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++) {
		for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++) {
			for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++) {
				const int found = search(welder, cell, vertex);
				lowest = found < lowest ? found : lowest;
			}
		}
	}
	return lowest;
}

/* Only the lowest vertex of a point is put into the table. */
static void weld(struct welder *welder, int vertex) {
	int64_t home[3];
	welder->first[vertex] = find(welder, vertex, home);
	if (welder->first[vertex] == vertex) {
		int *head = &welder->heads[cell_of(welder, home)];
		welder->next[vertex] = *head;
		*head = vertex + 1;
	}
}

static void measure(struct welder *welder) {
	const struct rig *rig = welder->rig;
	double square = 0;
	for (int i = 0; i < 3; i++) {
		double least = INFINITY, most = -INFINITY;
		for (int v = 0; v < rig->vertex_count; v++) {
			least = fmin(least, (double)position(welder, v)[i]);
			most = fmax(most, (double)position(welder, v)[i]);
		}
		welder->least[i] = least;
		square += least < most ? (most - least) * (most - least) : 0;
	}
	welder->tolerance = WELD_TOLERANCE * sqrt(square);
	// A mesh without extent is one cell.
	welder->cell = square > 0 ? CELL_TOLERANCES * welder->tolerance : 1;
}

static bool weld_primitive(
	struct welder *welder, int primitive, const struct watch *watch, struct error *err) {
	const struct primitive *p = &welder->rig->primitives[primitive];
	for (int vertex = p->first_vertex; vertex < p->first_vertex + p->vertex_count; vertex++) {
		welder->owners[vertex] = primitive;
		if (p->topology == TOPOLOGY_TRIANGLES) {
			weld(welder, vertex);
		} else {
			welder->first[vertex] = vertex;
		}
		if (vertex % STEP == 0 && !watch_step(watch, 0, err)) {
			return false;
		}
	}
	return true;
}

static bool allocate(struct welder *welder, struct error *err) {
	const size_t count = (size_t)welder->rig->vertex_count;
	size_t size = 64;
	while (size < count * 2) {
		size *= 2;
	}
	welder->mask = size - 1;
	welder->heads = try_calloc(size, sizeof *welder->heads, "welding", err);
	welder->next = try_calloc(count, sizeof *welder->next, "welding", err);
	welder->owners = try_calloc(count, sizeof *welder->owners, "welding", err);
	welder->first = try_calloc(count, sizeof *welder->first, "welding", err);
	return welder->heads && welder->next && welder->owners && welder->first;
}

int *weld_vertices(
	const struct rig *rig, const int *slots, const struct watch *watch, struct error *err) {
	struct welder welder = {.rig = rig, .slots = slots};
	measure(&welder);
	bool done = allocate(&welder, err);
	for (int i = 0; done && i < rig->primitive_count; i++) {
		done = weld_primitive(&welder, i, watch, err);
	}
	free(welder.heads);
	free(welder.next);
	free(welder.owners);
	if (!done) {
		free(welder.first);
		return NULL;
	}
	return welder.first;
}
