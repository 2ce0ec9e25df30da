// How much vertices follow a joint.
#include "skinned/influences.h"

static void add_primitive(
	const struct rig *rig, const struct primitive *primitive, int joint, float *out) {
	const size_t influences = (size_t)primitive->influence_count;
	for (size_t v = 0; v < (size_t)primitive->vertex_count; v++) {
		const size_t first = primitive->first_influence + v * influences;
		for (size_t k = first; k < first + influences; k++) {
			const int slot = primitive->first_slot + rig->influence_slots[k];
			if (rig->slots[slot].joint == joint) {
				out[(size_t)primitive->first_vertex + v] +=
					rig->influence_weights[k];
			}
		}
	}
}

void influences_of_joint(const struct rig *rig, int joint, float *out) {
	for (int i = 0; i < rig->primitive_count; i++) {
		add_primitive(rig, &rig->primitives[i], joint, out);
	}
}

void influences_sum(const struct rig *rig, double *out) {
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		const size_t first = primitive->first_influence;
		const size_t count =
			(size_t)primitive->vertex_count * (size_t)primitive->influence_count;
		for (size_t k = first; k < first + count; k++) {
			const int slot = primitive->first_slot + rig->influence_slots[k];
			out[rig->slots[slot].joint] += (double)rig->influence_weights[k];
		}
	}
}
