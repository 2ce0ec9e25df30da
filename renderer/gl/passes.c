// The primitives that a pass over a rig draws, and their order.
#include "gl/passes.h"

#include <stdlib.h>

#include "draw/material.h"

enum draw_pass pass_of(const struct draw_job *job, int i) {
	const struct primitive *primitive = &job->rig->primitives[i];
	const struct material *material = drawn_material(job->rig, primitive);
	return job->paint    ? DRAW_OPAQUE
		: job->plain ? (material_is_blended(material) ? DRAW_BLENDED : DRAW_OPAQUE)
			     : primitive_pass(job->rig, primitive);
}

bool pass_draws(const struct draw_job *job, int i, unsigned pass) {
	const struct primitive *primitive = &job->rig->primitives[i];
	return pass == 0 ||
		(!job->paint && !job->plain &&
			primitive_has_outline(primitive, drawn_material(job->rig, primitive)));
}

bool pass_writes_depth(const struct draw_job *job, const struct primitive *primitive) {
	return !job->paint && !job->plain &&
		drawn_material(job->rig, primitive)->transparent_with_z_write;
}

int pass_count(const struct draw_job *job, enum draw_pass pass) {
	int count = 0;
	for (int i = 0; i < job->rig->primitive_count; i++) {
		count += pass_of(job, i) == pass;
	}
	return count;
}

static int farthest_first(const void *a, const void *b) {
	const struct pass_layer *x = a, *y = b;
	if (x->order != y->order) {
		return x->order - y->order;
	}
	return x->depth != y->depth ? (x->depth < y->depth ? 1 : -1) : x->primitive - y->primitive;
}

int pass_list_layers(const struct draw_job *job, const struct back_to_front_view *view,
	unsigned pass, struct pass_layer *layers) {
	int count = 0;
	for (int i = 0; i < job->rig->primitive_count; i++) {
		const struct primitive *primitive = &job->rig->primitives[i];
		if (pass_of(job, i) == DRAW_BLENDED && pass_draws(job, i, pass)) {
			layers[count++] = (struct pass_layer){
				.order = job->plain
					? 0
					: material_draw_order(drawn_material(job->rig, primitive)),
				.depth = view ? back_to_front_depth(view, primitive) : 0,
				.primitive = i,
			};
		}
	}
	qsort(layers, (size_t)count, sizeof *layers, farthest_first);
	return count;
}
