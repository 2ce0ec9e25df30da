// Normals from the faces around a sculpted vertex.
#include "fit/sculpt_normals.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/vec.h"

bool sculpt_faces_init(struct sculpt_faces *faces, const struct rig *rig, struct error *err) {
	const size_t count = (size_t)rig->vertex_count + 1;
	struct mesh_surface *surface = surface_create(rig, NULL, err);
	*faces = (struct sculpt_faces){.vertex_count = rig->vertex_count};
	faces->before = try_calloc(count, sizeof *faces->before, "normals of examples", err);
	faces->after = try_calloc(count, sizeof *faces->after, "normals of examples", err);
	const bool fine = surface && faces->before && faces->after &&
		smooth_groups_init(&faces->groups, surface, rig->normals, err) &&
		fans_init(&faces->fans, surface, faces->groups.vertices, faces->groups.count, false,
			err);
	surface_destroy(surface);
	return fine;
}

void sculpt_faces_finish(struct sculpt_faces *faces) {
	fans_finish(&faces->fans);
	smooth_groups_finish(&faces->groups);
	free(faces->before);
	free(faces->after);
}

/* Turns a vector by the least rotation that takes one unit vector to another. */
static void turn(const double from[static 3], const double to[static 3], double v[static 3]) {
	double axis[3], once[3], twice[3];
	vec3_cross(from, to, axis);
	const double cosine = vec3_dot(from, to);
	vec3_cross(axis, v, once);
	vec3_cross(axis, once, twice);
	for (int i = 0; i < 3; i++) {
		v[i] = cosine > -0.999999 ? v[i] + once[i] + twice[i] / (1 + cosine) : -v[i];
	}
}

static void turn_normal(struct sculpt_faces *faces, int vertex, float normal[static 3]) {
	const int group = faces->groups.vertices[vertex];
	double before[3], after[3], turned[3] = {normal[0], normal[1], normal[2]};
	fans_normal(&faces->fans, group, (const double(*)[3])faces->before, vertex, before);
	fans_normal(&faces->fans, group, (const double(*)[3])faces->after, vertex, after);
	if (!vec3_normalize(before) || !vec3_normalize(after)) {
		return;
	}
	turn(before, after, turned);
	for (int i = 0; i < 3 && vec3_normalize(turned); i++) {
		normal[i] = (float)turned[i];
	}
}

void sculpt_turn_normals(
	struct sculpt_faces *faces, const float *base, const float *sculpted, float *normals) {
	for (int i = 0; i < faces->vertex_count * 3; i++) {
		faces->before[i / 3][i % 3] = base[i];
		faces->after[i / 3][i % 3] = sculpted[i];
	}
	for (int v = 0; v < faces->vertex_count; v++) {
		turn_normal(faces, v, normals + (size_t)v * 3);
	}
}
