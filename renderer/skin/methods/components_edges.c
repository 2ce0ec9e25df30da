// The borders of components: edges whose two faces belong to different joints. Vertices at one
// position count as one, so that seams of texture coordinates do not hide an edge.
#include <stdlib.h>
#include <string.h>

#include "skin/methods/components.h"

/* A vertex' position, to be sorted by. */
struct spot {
	float at[3];
	uint32_t vertex;
};

static int by_place(const void *a, const void *b) {
	const struct spot *x = a, *y = b;
	for (int k = 0; k < 3; k++) {
		if (x->at[k] != y->at[k]) {
			return x->at[k] < y->at[k] ? -1 : 1;
		}
	}
	return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* For each vertex the first that is at the same place. */
static uint32_t *weld(const struct rig *rig, struct arena *arena) {
	const size_t count = (size_t)rig->vertex_count;
	struct spot *spots = arena_alloc(arena, count, sizeof *spots);
	uint32_t *first = arena_alloc(arena, count, sizeof *first);
	for (size_t v = 0; v < count; v++) {
		memcpy(spots[v].at, rig->positions + v * 3, sizeof spots[v].at);
		spots[v].vertex = (uint32_t)v;
	}
	qsort(spots, count, sizeof *spots, by_place);
	for (size_t i = 0; i < count; i++) {
		const bool same = i > 0 && spots[i].at[0] == spots[i - 1].at[0] &&
			spots[i].at[1] == spots[i - 1].at[1] &&
			spots[i].at[2] == spots[i - 1].at[2];
		first[spots[i].vertex] = same ? first[spots[i - 1].vertex] : spots[i].vertex;
	}
	return first;
}

/* One side of an edge. */
struct side {
	uint32_t low, high; // welded vertices
	uint32_t from, to;  // the rig's, in the direction of the face
	int primitive;
	int slot; // of the rig
};

static int by_edge(const void *a, const void *b) {
	const struct side *x = a, *y = b;
	return x->low != y->low      ? (x->low > y->low) - (x->low < y->low)
		: x->high != y->high ? (x->high > y->high) - (x->high < y->high)
				     : (x->from > y->from) - (x->from < y->from);
}

#define NO_SLOT (-1)
#define MANY_SLOTS (-2)

/* For each welded vertex the slot of its faces, or that there are many. */
static int *slots_of_places(const struct components *c, const uint32_t *welded) {
	const struct rig *rig = c->rig;
	int *slots = arena_alloc(c->arena, (size_t)rig->vertex_count, sizeof *slots);
	memset(slots, 0xff, (size_t)rig->vertex_count * sizeof *slots);
	const uint16_t *face_slots = c->face_slots;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		const int corners = components_corners(p);
		for (int at = 0; at < p->index_count; at++) {
			const int slot = p->first_slot + face_slots[at / corners];
			int *known = &slots[welded[(uint32_t)p->first_vertex +
				rig->indices[p->first_index + at]]];
			*known = *known == NO_SLOT || *known == slot ? slot : MANY_SLOTS;
		}
		face_slots += p->index_count / corners;
	}
	return slots;
}

/* The sides of edges both of whose ends have many slots: only there components can meet. sides may
 * be NULL, to count. */
static size_t list_sides(
	const struct components *c, const uint32_t *welded, const int *places, struct side *sides) {
	const struct rig *rig = c->rig;
	const uint16_t *face_slots = c->face_slots;
	size_t count = 0;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		const int corners = components_corners(p);
		for (int at = 0; corners == 3 && at < p->index_count; at++) {
			const uint32_t *face = rig->indices + p->first_index + at / 3 * 3;
			const uint32_t from = (uint32_t)p->first_vertex + face[at % 3];
			const uint32_t to = (uint32_t)p->first_vertex + face[(at + 1) % 3];
			const uint32_t a = welded[from], b = welded[to];
			if (a == b || places[a] != MANY_SLOTS || places[b] != MANY_SLOTS) {
				continue;
			}
			if (sides) {
				sides[count] = (struct side){a < b ? a : b, a < b ? b : a, from, to,
					i, p->first_slot + face_slots[at / 3]};
			}
			count++;
		}
		face_slots += p->index_count / corners;
	}
	return count;
}

static bool is_above(const struct bone *bones, int above, int below) {
	while (below >= 0 && below != above) {
		below = bones[below].parent;
	}
	return below == above;
}

/* True when two sides of an edge are a cut: faces of one skin that went to different joints. */
static bool are_cut(const struct rig *rig, const struct side *a, const struct side *b) {
	return a->slot != b->slot &&
		rig->primitives[a->primitive].first_slot ==
		rig->primitives[b->primitive].first_slot;
}

static struct cut_edge make_edge(
	const struct bone *bones, const struct side *a, const struct side *b) {
	const bool down = is_above(bones, a->slot, b->slot), up = is_above(bones, b->slot, a->slot);
	const bool swap = up || (!down && b->slot < a->slot);
	const struct side *first = swap ? b : a, *second = swap ? a : b;
	return (struct cut_edge){
		.primitive = first->primitive,
		.from = first->from,
		.to = first->to,
		.above = first->slot,
		.below = second->slot,
		.related = down || up,
	};
}

void components_find_edges(struct components *c) {
	const uint32_t *welded = weld(c->rig, c->arena);
	const int *places = slots_of_places(c, welded);
	const size_t count = list_sides(c, welded, places, NULL);
	struct side *sides = arena_alloc(c->arena, count, sizeof *sides);
	list_sides(c, welded, places, sides);
	qsort(sides, count, sizeof *sides, by_edge);
	c->edges = arena_alloc(c->arena, count / 2, sizeof *c->edges);
	// If more than two faces share an edge, no two of them are a pair.
	for (size_t i = 0, end = 0; i < count; i = end) {
		for (end = i + 1; end < count && sides[end].low == sides[i].low &&
			sides[end].high == sides[i].high;
			end++) {
		}
		if (end - i == 2 && are_cut(c->rig, &sides[i], &sides[i + 1])) {
			c->edges[c->edge_count++] = make_edge(c->bones, &sides[i], &sides[i + 1]);
		}
	}
}
