// Rest vertices moved by what the pose says about them.
#include "skin/displacement.h"

#include <math.h>
#include <string.h>

/* At or below this squared length a normal counts as vanished, and stays as it was. */
#define LEAST_SQUARE 1e-20f

static void displace_normal(const float sum[static 3], float *normal) {
	float n[3];
	for (int k = 0; k < 3; k++) {
		n[k] = normal[k] + sum[k];
	}
	const float square = (n[0] * n[0] + n[1] * n[1]) + n[2] * n[2];
	const float length = sqrtf(square);
	for (int k = 0; k < 3 && square > LEAST_SQUARE; k++) {
		normal[k] = n[k] / length;
	}
}

void displacement_apply(const struct rig *rig, const struct skin_data *data,
	const float *coefficients, float *positions, float *normals) {
	const uint32_t *starts = skin_data_read_words(data, DISPLACEMENT_STARTS);
	const uint32_t *which = skin_data_read_words(data, DISPLACEMENT_COEFFICIENTS);
	const float *offsets = skin_data_read_floats(data, DISPLACEMENT_OFFSETS);
	for (size_t v = 0; v < (size_t)rig->vertex_count; v++) {
		float sum[6] = {0};
		for (uint32_t i = starts[v]; i < starts[v + 1]; i++) {
			for (int k = 0; k < 6; k++) {
				sum[k] +=
					coefficients[which[i]] * offsets[(size_t)i * 6 + (size_t)k];
			}
		}
		if (starts[v] < starts[v + 1]) {
			for (size_t k = 0; k < 3; k++) {
				positions[v * 3 + k] += sum[k];
			}
			displace_normal(sum + 3, normals + v * 3);
		}
	}
}

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
