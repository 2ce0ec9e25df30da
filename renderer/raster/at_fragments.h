/* Kernels that read what was mixed for fragments. */
#pragma once

#include "raster/attributes.h"
#include "raster/scene.h"
#include "raster/tone.h"

KERNEL struct lanes3 broadcast3(const float *v) {
	const lanes none = {0};
	return (struct lanes3){v[0] + none, v[1] + none, v[2] + none};
}

KERNEL struct lanes3 load3(const float (*from)[RASTER_QUEUE], int i) {
	return (struct lanes3){
		lanes_load(from[0] + i), lanes_load(from[1] + i), lanes_load(from[2] + i)};
}

/* Towards the eye, unit. */
KERNEL struct lanes3 eye_at(
	const struct raster_sight *sight, const struct raster_attributes *a, int i) {
	const lanes x = lanes_load(a->x + i), y = lanes_load(a->y + i);
	return lanes3_unit((struct lanes3){
		(x * sight->right[0] + y * sight->down[0]) + sight->corner[0],
		(x * sight->right[1] + y * sight->down[1]) + sight->corner[1],
		(x * sight->right[2] + y * sight->down[2]) + sight->corner[2],
	});
}

/* Towards the viewer's side: the back of a double-sided surface is lit as if it were its front. */
KERNEL struct lanes3 normal_of(const struct raster_attributes *a, float outward, int i) {
	return lanes3_scale(lanes3_unit(load3(a->normal, i)), lanes_load(a->front + i) * outward);
}

/* -1 where the pose mirrors the surface: its normals follow the winding and point inwards then. */
KERNEL float outward_of(const struct raster_fragments *fragments) {
	const bool *mirrored = fragments->mesh->mirrored;
	return mirrored && mirrored[fragments->primitive] ? -1 : 1;
}

/* Opaque where alpha is 1. */
KERNEL void store_color(struct lanes3 color, lanes alpha, int i, struct raster_colors *out) {
	lanes_store(color.x * alpha, out->red + i);
	lanes_store(color.y * alpha, out->green + i);
	lanes_store(color.z * alpha, out->blue + i);
	lanes_store(alpha, out->alpha + i);
}
