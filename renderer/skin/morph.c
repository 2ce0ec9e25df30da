// Morph targets.
#include "skin/morph.h"

#include <math.h>
#include <string.h>

static const float *primitive_weights(
	const struct rig *rig, const struct primitive *primitive, const float *weights) {
	return weights + rig->joints[primitive->joint].first_weight;
}

bool morph_is_active(const struct rig *rig, const float *weights) {
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		for (int t = 0; t < primitive->target_count; t++) {
			if (primitive_weights(rig, primitive, weights)[t] != 0) {
				return true;
			}
		}
	}
	return false;
}

static void add_scaled(float *out, const float *delta, size_t count, float weight) {
	for (size_t i = 0; delta && i < count; i++) {
		out[i] += weight * delta[i];
	}
}

static void add_tangents(float *out, const float *delta, size_t vertex_count, float weight) {
	for (size_t i = 0; delta && i < vertex_count; i++) {
		for (int k = 0; k < 3; k++) {
			out[i * 4 + (size_t)k] += weight * delta[i * 3 + (size_t)k];
		}
	}
}

/* Makes the first three of every stride floats unit; what has no length stays as it was before
 * the targets. */
static void normalize(float *out, const float *before, size_t count, size_t stride) {
	for (size_t i = 0; i < count; i++) {
		float *v = out + i * stride;
		const float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
		if (length > 1e-10f) {
			v[0] /= length, v[1] /= length, v[2] /= length;
		} else {
			memcpy(v, before + i * stride, 3 * sizeof *v);
		}
	}
}

static bool apply_to_primitive(const struct rig *rig, const struct primitive *primitive,
	const float *weights, float *positions, float *normals, float *tangents) {
	const size_t first = (size_t)primitive->first_vertex;
	const size_t count = (size_t)primitive->vertex_count;
	bool moved = false;
	for (int t = 0; t < primitive->target_count; t++) {
		const struct morph_target *target = &primitive->targets[t];
		const float weight = primitive_weights(rig, primitive, weights)[t];
		if (weight == 0) {
			continue;
		}
		moved = true;
		add_scaled(positions + first * 3, target->positions, count * 3, weight);
		add_scaled(normals + first * 3, target->normals, count * 3, weight);
		if (tangents) {
			add_tangents(tangents + first * 4, target->tangents, count, weight);
		}
	}
	return moved;
}

void morph_apply(const struct rig *rig, const float *weights, float *positions, float *normals,
	float *tangents) {
	const size_t count = (size_t)rig->vertex_count;
	memcpy(positions, rig->positions, count * 3 * sizeof *positions);
	memcpy(normals, rig->normals, count * 3 * sizeof *normals);
	if (tangents) {
		memcpy(tangents, rig->tangents, count * 4 * sizeof *tangents);
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		if (!apply_to_primitive(rig, primitive, weights, positions, normals, tangents)) {
			continue;
		}
		const size_t first = (size_t)primitive->first_vertex;
		const size_t vertices = (size_t)primitive->vertex_count;
		normalize(normals + first * 3, rig->normals + first * 3, vertices, 3);
		if (tangents) {
			normalize(tangents + first * 4, rig->tangents + first * 4, vertices, 4);
		}
	}
}
