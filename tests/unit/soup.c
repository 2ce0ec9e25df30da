// Rigs taken apart and damaged.
#include "soup.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

static void *take(struct rig *rig, size_t count, size_t size) {
	void *memory = rig_storage(rig, count, size, "a test rig", NULL);
	assert(memory);
	return memory;
}

static void copy_joints(const struct rig *from, struct rig *to) {
	to->joint_count = from->joint_count;
	to->joints = take(to, (size_t)from->joint_count, sizeof *to->joints);
	for (int i = 0; i < from->joint_count; i++) {
		to->joints[i] = from->joints[i];
		to->joints[i].name = xstrndup(from->joints[i].name, strlen(from->joints[i].name));
	}
	to->slot_count = from->slot_count * 2;
	to->slots = take(to, (size_t)to->slot_count, sizeof *to->slots);
	memcpy(to->slots, from->slots, (size_t)from->slot_count * sizeof *to->slots);
	memcpy(to->slots + from->slot_count, from->slots,
		(size_t)from->slot_count * sizeof *to->slots);
}

static void copy_vertex(const struct rig *from, int source, struct rig *to, int vertex) {
	const size_t count = (size_t)from->primitives[0].influence_count;
	memcpy(to->positions + vertex * 3, from->positions + source * 3, 3 * sizeof(float));
	memcpy(to->normals + vertex * 3, from->normals + source * 3, 3 * sizeof(float));
	memcpy(to->influence_slots + (size_t)vertex * count,
		from->influence_slots + (size_t)source * count, count * sizeof(uint16_t));
	memcpy(to->influence_weights + (size_t)vertex * count,
		from->influence_weights + (size_t)source * count, count * sizeof(float));
}

/* Half of the triangles to each primitive. */
static void split(const struct rig *from, struct rig *to) {
	const int half = from->index_count / 6 * 3;
	to->primitive_count = 2;
	to->primitives = take(to, 2, sizeof *to->primitives);
	for (int i = 0; i < 2; i++) {
		struct primitive *p = &to->primitives[i];
		*p = from->primitives[0];
		p->first_vertex = p->first_index = i * half;
		p->vertex_count = p->index_count = i == 0 ? half : from->index_count - half;
		p->first_slot = i * from->slot_count;
		p->first_influence = (size_t)p->first_vertex * (size_t)p->influence_count;
		for (int k = 0; k < p->index_count; k++) {
			to->indices[p->first_index + k] = (uint32_t)k;
		}
	}
}

struct rig *soup_of(const struct rig *rig, int *owner) {
	assert(rig->primitive_count == 1 && rig->primitives[0].first_vertex == 0);
	struct rig *soup = rig_create();
	const size_t count = (size_t)rig->index_count;
	copy_joints(rig, soup);
	soup->vertex_count = soup->index_count = rig->index_count;
	soup->positions = take(soup, count * 3, sizeof *soup->positions);
	soup->normals = take(soup, count * 3, sizeof *soup->normals);
	soup->indices = take(soup, count, sizeof *soup->indices);
	soup->influence_count = count * (size_t)rig->primitives[0].influence_count;
	soup->influence_slots = take(soup, soup->influence_count, sizeof *soup->influence_slots);
	soup->influence_weights =
		take(soup, soup->influence_count, sizeof *soup->influence_weights);
	for (int i = 0; i < rig->index_count; i++) {
		owner[i] = (int)rig->indices[i];
		copy_vertex(rig, owner[i], soup, i);
	}
	split(rig, soup);
	return soup;
}
