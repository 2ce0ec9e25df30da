// One vertex after another.
#include "fit/each_vertex.h"

#include <stdlib.h>

#include "base/memory.h"

/* How many vertices are fitted between looks at the clock. */
#define STEP 256

int fit_influence_max(const struct rig *rig) {
	int most = 1;
	for (int p = 0; p < rig->primitive_count; p++) {
		const int count = rig->primitives[p].influence_count;
		most = count > most ? count : most;
	}
	return most;
}

/* Finds who the v-th vertex of a primitive follows. */
static void look_at(const struct rig *rig, const struct primitive *primitive, int v,
	struct followed_vertex *vertex) {
	const size_t count = (size_t)primitive->influence_count;
	const size_t first = primitive->first_influence + (size_t)v * count;
	vertex->vertex = primitive->first_vertex + v;
	vertex->count = 0;
	for (size_t i = first; i < first + count; i++) {
		if (rig->influence_weights[i] > 0) {
			vertex->slots[vertex->count] =
				primitive->first_slot + rig->influence_slots[i];
			vertex->weights[vertex->count] = rig->influence_weights[i];
			vertex->influences[vertex->count++] = i;
		}
	}
}

bool fit_each_vertex(
	const struct fit_input *input, fit_vertex fit, void *context, struct error *err) {
	const struct rig *rig = input->rig;
	const size_t most = (size_t)fit_influence_max(rig);
	struct followed_vertex vertex = {
		.slots = xcalloc(most, sizeof *vertex.slots),
		.weights = xcalloc(most, sizeof *vertex.weights),
		.influences = xcalloc(most, sizeof *vertex.influences),
	};
	bool fine = true;
	for (int p = 0; fine && p < rig->primitive_count; p++) {
		const struct primitive *primitive = &rig->primitives[p];
		for (int v = 0; fine && v < primitive->vertex_count; v++) {
			look_at(rig, primitive, v, &vertex);
			fine = fit(context, &vertex, err) &&
				(vertex.vertex % STEP != STEP - 1 ||
					fit_step(input, (double)vertex.vertex / rig->vertex_count,
						err));
		}
	}
	free(vertex.slots);
	free(vertex.weights);
	free(vertex.influences);
	return fine && fit_step(input, 1, err);
}
