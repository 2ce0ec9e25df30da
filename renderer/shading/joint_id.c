// The joint that a surface follows most, as its index in the file counted from 1. A triangle has
// one joint, that of the greatest weight at most of its corners; if all three corners differ, that
// of the greatest of these weights, and of equals the first in the file's order of corners.
#include <string.h>

#include "shading/shading.h"

/* For each vertex its joint's id and how much it follows that. */
struct leads {
	float *ids, *weights;
};

static struct leads find_leads(const struct rig *rig, struct arena *arena) {
	const size_t count = (size_t)rig->vertex_count;
	const struct leads leads = {arena_alloc(arena, count, sizeof *leads.ids),
		arena_alloc(arena, count, sizeof *leads.weights)};
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		for (size_t v = 0; v < (size_t)primitive->vertex_count; v++) {
			// Influences are sorted, greatest first.
			const size_t first =
				primitive->first_influence + v * (size_t)primitive->influence_count;
			const int slot = primitive->first_slot + rig->influence_slots[first];
			const size_t at = (size_t)primitive->first_vertex + v;
			leads.ids[at] = (float)(1 + rig->joints[rig->slots[slot].joint].index);
			leads.weights[at] = rig->influence_weights[first];
		}
	}
	return leads;
}

/* The corner of a line or triangle whose joint counts, as a vertex. */
static int leading_corner(const struct leads *leads, const uint32_t *corners, int count) {
	int leading = 0;
	for (int k = 1; k < count; k++) {
		if (leads->weights[corners[k]] > leads->weights[corners[leading]]) {
			leading = k;
		}
	}
	for (int k = 0; count == 3 && k < 3; k++) {
		if (leads->ids[corners[k]] == leads->ids[corners[(k + 1) % 3]]) {
			leading = k;
		}
	}
	return leading;
}

/* Turns the corners, in their order around, until the one that tells is the last: the one that flat
 * varyings are taken from. */
static void turn(const struct leads *leads, uint32_t *corners, int count) {
	const int leading = leading_corner(leads, corners, count);
	uint32_t turned[3];
	for (int k = 0; k < count; k++) {
		turned[k] = corners[(leading + 1 + k) % count];
	}
	memcpy(corners, turned, (size_t)count * sizeof *corners);
}

static int corners_of(enum topology topology) {
	return topology == TOPOLOGY_TRIANGLES ? 3 : topology == TOPOLOGY_LINES ? 2 : 1;
}

/* Triangles without indices share no corners: each of them gets what its triangle has. */
static void level(struct leads *leads, const struct primitive *primitive) {
	const int count = corners_of(primitive->topology);
	for (int v = 0; v + count <= primitive->vertex_count; v += count) {
		uint32_t corners[3];
		for (int k = 0; k < count; k++) {
			corners[k] = (uint32_t)(primitive->first_vertex + v + k);
		}
		const float id = leads->ids[corners[leading_corner(leads, corners, count)]];
		for (int k = 0; k < count; k++) {
			leads->ids[corners[k]] = id;
		}
	}
}

static void turn_all(const struct rig *rig, const struct primitive *primitive,
	const struct leads *leads, uint32_t *corners) {
	const int count = corners_of(primitive->topology);
	const int end = primitive->first_index + primitive->index_count;
	for (int k = primitive->first_index; k < end; k++) {
		corners[k] = rig->indices[k] + (uint32_t)primitive->first_vertex;
	}
	for (int k = primitive->first_index; k + count <= end; k += count) {
		turn(leads, corners + k, count);
	}
}

static bool paint(const struct shading_job *job, struct paint *out, struct error *err) {
	(void)err;
	const struct rig *rig = job->rig;
	struct leads leads = find_leads(rig, job->arena);
	uint32_t *corners = arena_alloc(job->arena, (size_t)rig->index_count, sizeof *corners);
	for (int i = 0; i < rig->primitive_count; i++) {
		if (rig->primitives[i].index_count > 0) {
			turn_all(rig, &rig->primitives[i], &leads, corners);
		} else {
			level(&leads, &rig->primitives[i]);
		}
	}
	out->shader = "paint_ids.frag";
	out->bytes = true;
	out->values = leads.ids;
	out->width = 1;
	out->corners = rig->index_count > 0 ? corners : NULL;
	return true;
}

const struct shading_mode shading_joint_id = {.pixels = PIXELS_NUMBERS, .paint = paint};
