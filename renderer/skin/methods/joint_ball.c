/* Component-based animation with balls in the joints: rigid parts, and between two of them a sphere
 * about the joint, as wide as the ring where they were cut apart; it moves with the joint.
 * Source: Parent, Computer Animation; Houska 2005, 2.4.1. METHODS A3. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "skin/method.h"
#include "skin/methods/components.h"

#define SEGMENTS 16
#define RINGS 7 // between the poles
#define BALL_VERTICES (SEGMENTS * RINGS + 2)
#define BALL_INDICES (SEGMENTS * RINGS * 6)

/* The same on every machine, which sin() and cos() do not promise: of multiples of 22.5 degrees. */
static const double sines[SEGMENTS] = {0, 0.3826834323650898, 0.7071067811865476,
	0.9238795325112867, 1, 0.9238795325112867, 0.7071067811865476, 0.3826834323650898, 0,
	-0.3826834323650898, -0.7071067811865476, -0.9238795325112867, -1, -0.9238795325112867,
	-0.7071067811865476, -0.3826834323650898};

static double sine(int step) {
	return sines[step % SEGMENTS];
}

static double cosine(int step) {
	return sines[(step + SEGMENTS / 4) % SEGMENTS];
}

/* The ring around a joint: the edges that its part was cut off at. */
struct ring {
	int primitive; // of its first edge
	int edges;
	double middle[3], radius;
};

static void position_of(const struct rig *rig, uint32_t vertex, double out[static 3]) {
	for (size_t k = 0; k < 3; k++) {
		out[k] = (double)rig->positions[(size_t)vertex * 3 + k];
	}
}

/* Each edge's first vertex: in a closed ring every vertex once. */
static struct ring find_ring(const struct components *cut, int slot) {
	struct ring ring = {.primitive = -1};
	for (int i = 0; i < cut->edge_count; i++) {
		const struct cut_edge *edge = &cut->edges[i];
		double at[3];
		if (!edge->related || edge->below != slot) {
			continue;
		}
		ring.primitive = ring.edges > 0 ? ring.primitive : edge->primitive;
		ring.edges++;
		position_of(cut->rig, edge->from, at);
		for (int k = 0; k < 3; k++) {
			ring.middle[k] += (at[k] - ring.middle[k]) / ring.edges;
		}
	}
	int seen = 0;
	for (int i = 0; i < cut->edge_count; i++) {
		const struct cut_edge *edge = &cut->edges[i];
		double at[3];
		if (edge->related && edge->below == slot) {
			position_of(cut->rig, edge->from, at);
			vec3_sub(at, ring.middle, at);
			ring.radius += (vec3_length(at) - ring.radius) / ++seen;
		}
	}
	return ring;
}

/* The ring's vertex nearest to a point, among those of the ball's primitive, whose surface the ball
 * takes there. */
static uint32_t nearest(
	const struct components *cut, int slot, int primitive, const double point[static 3]) {
	uint32_t found = 0;
	double least = INFINITY;
	for (int i = 0; i < cut->edge_count; i++) {
		const struct cut_edge *edge = &cut->edges[i];
		double at[3];
		if (!edge->related || edge->below != slot || edge->primitive != primitive) {
			continue;
		}
		position_of(cut->rig, edge->from, at);
		vec3_sub(at, point, at);
		if (vec3_dot(at, at) < least) {
			least = vec3_dot(at, at);
			found = edge->from;
		}
	}
	return found;
}

static void set_direction(int vertex, double out[static 3]) {
	if (vertex >= SEGMENTS * RINGS) {
		out[0] = out[2] = 0;
		out[1] = vertex == SEGMENTS * RINGS ? 1 : -1;
		return;
	}
	const int ring = vertex / SEGMENTS + 1, segment = vertex % SEGMENTS;
	out[0] = sine(ring) * cosine(segment);
	out[1] = cosine(ring);
	out[2] = sine(ring) * sine(segment);
}

static void write_triangles(uint32_t *out) {
	const uint32_t top = SEGMENTS * RINGS, bottom = top + 1, last = SEGMENTS * (RINGS - 1);
	for (uint32_t s = 0; s < SEGMENTS; s++) {
		const uint32_t next = (s + 1) % SEGMENTS;
		const uint32_t caps[] = {top, next, s, bottom, last + s, last + next};
		memcpy(out, caps, sizeof caps);
		out += 6;
		for (uint32_t ring = 0; ring < last; ring += SEGMENTS) {
			const uint32_t under = ring + SEGMENTS;
			const uint32_t sides[] = {ring + s, ring + next, under + s, under + s,
				ring + next, under + next};
			memcpy(out, sides, sizeof sides);
			out += 6;
		}
	}
}

static struct piece make_ball(const struct components *cut, int slot, const struct ring *ring) {
	const struct primitive *primitive = &cut->rig->primitives[ring->primitive];
	struct arena *arena = cut->arena;
	uint32_t *sources = arena_alloc(arena, BALL_VERTICES, sizeof *sources);
	uint32_t *indices = arena_alloc(arena, BALL_INDICES, sizeof *indices);
	uint16_t *slots = arena_alloc(arena, BALL_VERTICES, sizeof *slots);
	float *weights = arena_alloc(arena, BALL_VERTICES, sizeof *weights);
	float *positions = arena_alloc(arena, BALL_VERTICES, 3 * sizeof *positions);
	float *normals = arena_alloc(arena, BALL_VERTICES, 3 * sizeof *normals);
	for (int v = 0; v < BALL_VERTICES; v++) {
		double out[3], at[3];
		set_direction(v, out);
		for (int k = 0; k < 3; k++) {
			at[k] = cut->bones[slot].from[k] + ring->radius * out[k];
			positions[v * 3 + k] = (float)at[k];
			normals[v * 3 + k] = (float)out[k];
		}
		sources[v] = nearest(cut, slot, ring->primitive, at);
		slots[v] = (uint16_t)(slot - primitive->first_slot);
		weights[v] = 1;
	}
	write_triangles(indices);
	return (struct piece){
		.primitive = ring->primitive,
		.vertex_count = BALL_VERTICES,
		.sources = sources,
		.influence_count = 1,
		.slots = slots,
		.weights = weights,
		.index_count = BALL_INDICES,
		.indices = indices,
		.positions = positions,
		.normals = normals,
	};
}

/* The parts, each primitive's balls behind its own. */
static struct rig *join(const struct components *cut, struct error *err) {
	const struct rig *rig = cut->rig;
	const size_t most = (size_t)rig->primitive_count + (size_t)rig->slot_count;
	struct piece *pieces = arena_alloc(cut->arena, most, sizeof *pieces);
	struct ring *rings = arena_alloc(cut->arena, (size_t)rig->slot_count, sizeof *rings);
	int count = 0;
	for (int slot = 0; slot < rig->slot_count; slot++) {
		rings[slot] = find_ring(cut, slot);
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		pieces[count++] = cut->pieces[i];
		for (int slot = 0; slot < rig->slot_count; slot++) {
			if (rings[slot].edges > 0 && rings[slot].primitive == i) {
				pieces[count++] = make_ball(cut, slot, &rings[slot]);
			}
		}
	}
	return pieces_join(rig, pieces, count, err);
}

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	struct arena *arena = arena_create();
	struct components cut;
	struct rig *rig =
		components_cut(job->rig, arena, job->stop, &cut, err) ? join(&cut, err) : NULL;
	arena_destroy(arena);
	return components_data(rig, err);
}

static const struct skin_recipe recipe = {
	.name = "joint_ball", .version = 1, .makes_rig = true, .derive = derive};

const struct skinning_method joint_ball_method = {
	.id = "joint_ball",
	.title = "rigid parts, one to a joint, with balls in the joints between them",
	.recipe = &recipe,
};
