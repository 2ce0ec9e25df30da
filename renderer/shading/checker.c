// A chequerboard on the surface: by texture coordinates where a primitive has any, else through the
// rest pose in the world.
#include <string.h>

#include "base/vec.h"
#include "shading/shading.h"
#include "skinned/prepare.h"
#include "skinned/skin.h"
#include "state/state.h"

/* Squares do not begin at the origin, where surfaces often lie in a plane between two of them. */
#define ASIDE 0.31F

/* Skins the rest pose with the default method. */
static float *rest_positions(const struct shading_job *job, struct error *err) {
	static const struct skinning_settings standard = {.device = DEVICE_CPU};
	const struct prepare_params params = {
		.subject = {.rig = job->rig, .skinning = standard},
	};
	const size_t floats = (size_t)job->rig->vertex_count * 3;
	struct prepared prepared;
	if (!prepare(job->renderer, &params, job->arena, &prepared, err)) {
		return NULL;
	}
	float *positions = arena_alloc(job->arena, 2 * floats, sizeof *positions);
	const struct streams streams = {.positions = positions, .normals = positions + floats};
	const struct skin_room room = {&job->renderer->morphed, &job->renderer->displaced};
	skin_on_cpu(&prepared, &room, &streams);
	prepared_finish(&prepared);
	return positions;
}

/* True when texture coordinates tell the places of a primitive apart. */
static bool is_mapped(const struct rig *rig, const struct primitive *primitive) {
	if (!rig->texcoords[0] || primitive->vertex_count == 0) {
		return false;
	}
	const float *texcoords = rig->texcoords[0] + (size_t)primitive->first_vertex * 2;
	int v = 1;
	while (v < primitive->vertex_count &&
		memcmp(texcoords + (size_t)v * 2, texcoords, 2 * sizeof *texcoords) == 0) {
		v++;
	}
	return v < primitive->vertex_count;
}

/* Length of a unit of the rest pose in squares. */
static double squares_per_unit(const struct rig *rig, int squares) {
	double longest = 0;
	for (int i = 0; i < 3; i++) {
		const double side = rig->bounds.max[i] - rig->bounds.min[i];
		longest = side > longest ? side : longest;
	}
	return longest > 0 ? squares / longest : 1;
}

static bool paint(const struct shading_job *job, struct paint *out, struct error *err) {
	const struct rig *rig = job->rig;
	const double scale = squares_per_unit(job->known, job->settings->squares);
	const float *rest = rest_positions(job, err);
	if (!rest) {
		return false;
	}
	float *values = arena_alloc(job->arena, (size_t)rig->vertex_count, 3 * sizeof *values);
	float *mapped = arena_alloc(job->arena, (size_t)rig->primitive_count, sizeof *mapped);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		mapped[i] = is_mapped(rig, primitive) ? 1 : 0;
		for (size_t v = (size_t)primitive->first_vertex, n = 0;
			n < (size_t)primitive->vertex_count; v++, n++) {
			for (size_t k = 0; k < 3; k++) {
				values[v * 3 + k] = mapped[i] == 0
					? (float)(rest[v * 3 + k] * scale) + ASIDE
					: k == 2 ? 0
						 : rig->texcoords[0][v * 2 + k] *
						(float)job->settings->squares;
			}
		}
	}
	out->shader = "paint_checker.frag";
	out->values = values;
	out->width = 3;
	out->of_primitives = mapped;
	return true;
}

const struct shading_mode shading_checker = {.paint = paint};
