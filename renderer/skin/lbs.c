// Linear blend skinning on the CPU: blend the matrices first, then transform once.
#include "skin/lbs.h"

#include "base/mat.h"
#include "skin/lbs_internal.h"
#include "skin/normal.h"

void lbs_prepare(const struct rig *rig, const double (*matrices)[12], float *palette) {
	for (int i = 0; i < rig->slot_count; i++) {
		mat_to_columns(matrices[i], palette + (size_t)i * LBS_ENTRY_FLOATS);
	}
}

static void blend(const float *palette, const uint16_t *slots, const float *weights, int count,
	float m[static 16]) {
	const float *first = palette + (size_t)slots[0] * LBS_ENTRY_FLOATS;
	for (int i = 0; i < 16; i++) {
		m[i] = weights[0] * first[i];
	}
	for (int k = 1; k < count; k++) {
		const float *next = palette + (size_t)slots[k] * LBS_ENTRY_FLOATS;
		for (int i = 0; i < 16; i++) {
			m[i] += weights[k] * next[i];
		}
	}
}

void lbs_skin_vertex(const struct skin_job *job, const struct primitive *primitive, int vertex) {
	const size_t k = (size_t)primitive->influence_count;
	const size_t influence = primitive->first_influence + (size_t)vertex * k;
	const uint16_t *slots = job->rig->influence_slots + influence;
	const float *palette = job->palette + (size_t)primitive->first_slot * LBS_ENTRY_FLOATS;
	const size_t i = (size_t)(primitive->first_vertex + vertex);
	float m[16];
	blend(palette, slots, job->rig->influence_weights + influence, (int)k, m);
	const float *v = job->positions + i * 3;
	for (int row = 0; row < 3; row++) {
		job->out_positions[i * 3 + (size_t)row] =
			(m[row] * v[0] + m[8 + row] * v[2]) + (m[4 + row] * v[1] + m[12 + row]);
	}
	float normal[3];
	normal_cofactor(m, job->normals + i * 3, normal);
	if (!normal_unit(normal)) {
		normal_of_pivot(palette + (size_t)slots[0] * LBS_ENTRY_FLOATS, job->normals + i * 3,
			normal);
	}
	for (int row = 0; row < 3; row++) {
		job->out_normals[i * 3 + (size_t)row] = normal[row];
	}
	if (job->out_tangents) {
		float *tangent = job->out_tangents + i * 4;
		normal_map_direction(m, job->tangents + i * 4, tangent);
		normal_finish_tangent(normal, tangent);
		tangent[3] = job->tangents[i * 4 + 3];
	}
}

void lbs_skin_plain(const struct skin_job *job, const struct primitive *primitive) {
	for (int vertex = 0; vertex < primitive->vertex_count; vertex++) {
		lbs_skin_vertex(job, primitive, vertex);
	}
}

void lbs_skin(const struct skin_job *job, const struct primitive *primitive) {
	// Tangents are asked for rarely: only plain C makes them.
	if (!job->plain && !job->out_tangents && primitive->influence_count % 4 == 0 &&
		__builtin_cpu_supports("avx2")) {
		lbs_skin_avx2(job, primitive);
	} else {
		lbs_skin_plain(job, primitive);
	}
}
