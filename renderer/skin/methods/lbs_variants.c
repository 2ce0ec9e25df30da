// Linear blend skinning in plain C, one vertex after another.
#include "skin/methods/lbs_variants.h"

#include <math.h>
#include <string.h>

#include "skin/batches.h"
#include "skin/normal.h"

/* A vertex to be skinned. Matrices are rows of 3x4. */
struct vertex {
	const struct skin_job *job;
	const struct primitive *primitive;
	size_t index;     // in the rig
	size_t influence; // its first
};

/* The weighted sum over the joints of a vertex. */
struct sum {
	float position[3], normal[3], tangent[3];
	float matrix[12];
	float pivot[12];
};

static void map_direction(const float *m, const float *v, float *out) {
	for (int row = 0; row < 3; row++) {
		out[row] = m[row * 4] * v[0] + m[row * 4 + 1] * v[1] + m[row * 4 + 2] * v[2];
	}
}

static void map_point(const float *m, const float *v, float *out) {
	map_direction(m, v, out);
	for (int row = 0; row < 3; row++) {
		out[row] += m[row * 4 + 3];
	}
}

static float dot(const float *a, const float *b) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const float *a, const float *b, float *out) {
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

static void add(float *sum, const float *v, float weight, int count) {
	for (int i = 0; i < count; i++) {
		sum[i] += weight * v[i];
	}
}

/* The matrix of one of the vertex' influences. */
static void palette_matrix(const struct vertex *v, int k, float m[static 12]) {
	const size_t slot = (size_t)v->primitive->first_slot +
		v->job->rig->influence_slots[v->influence + (size_t)k];
	memcpy(m, v->job->palette + slot * LBS_ENTRY_FLOATS, 12 * sizeof *m);
}

static float weight_of(const struct vertex *v, int k) {
	return v->job->rig->influence_weights[v->influence + (size_t)k];
}

/* One matrix applied to the vertex, weighted. Normals that go by the blended matrix wait for it. */
static void apply(const struct vertex *v, const float *m, float weight, struct sum *sum) {
	const struct skin_job *job = v->job;
	float mapped[3];
	map_point(m, job->positions + v->index * 3, mapped);
	add(sum->position, mapped, weight, 3);
	add(sum->matrix, m, weight, 12);
	if (job->normals_by != NORMALS_SAME) {
		return;
	}
	map_direction(m, job->normals + v->index * 3, mapped);
	add(sum->normal, mapped, weight, 3);
	if (job->out_tangents) {
		map_direction(m, job->tangents + v->index * 4, mapped);
		add(sum->tangent, mapped, weight, 3);
	}
}

static void blend(const struct vertex *v, struct sum *sum) {
	for (int k = 0; k < v->primitive->influence_count; k++) {
		float m[12];
		palette_matrix(v, k, m);
		add(sum->matrix, m, weight_of(v, k), 12);
	}
	const struct skin_job *job = v->job;
	map_point(sum->matrix, job->positions + v->index * 3, sum->position);
	map_direction(sum->matrix, job->normals + v->index * 3, sum->normal);
	if (job->out_tangents) {
		map_direction(sum->matrix, job->tangents + v->index * 4, sum->tangent);
	}
}

static void loop(const struct vertex *v, struct sum *sum) {
	const int last = v->primitive->influence_count - 1;
	float m[12], total = 0;
	for (int k = 0; k < last; k++) {
		palette_matrix(v, k, m);
		apply(v, m, weight_of(v, k), sum);
		total += weight_of(v, k);
	}
	palette_matrix(v, last, m);
	apply(v, m, 1 - total, sum);
}

static void unrolled(const struct vertex *v, struct sum *sum) {
	// A single influence counts for all; its weight is 1.
	const int step = v->primitive->influence_count > 1;
	const float x = weight_of(v, 0);
	const float y = step ? weight_of(v, 1) : 0, z = step ? weight_of(v, 2) : 0;
	float m[12];
	palette_matrix(v, 0, m);
	apply(v, m, x, sum);
	palette_matrix(v, step, m);
	apply(v, m, y, sum);
	palette_matrix(v, 2 * step, m);
	apply(v, m, z, sum);
	palette_matrix(v, 3 * step, m);
	apply(v, m, 1 - (x + y + z), sum);
}

static void by_slots(const struct vertex *v, const float *matrices, size_t row, struct sum *sum) {
	const float *w = skin_data_read_floats(v->job->data, LBS_WEIGHTS) + row * 3;
	for (int k = 0; k < 3; k++) {
		apply(v, matrices + k * LBS_BATCH_FLOATS, w[k], sum);
	}
	apply(v, matrices + 3 * LBS_BATCH_FLOATS, 1 - (w[0] + w[1] + w[2]), sum);
}

static void by_indices(const struct vertex *v, const float *matrices, size_t row, struct sum *sum) {
	const float *w = skin_data_read_floats(v->job->data, LBS_WEIGHTS) + row * 3;
	const uint32_t indices = skin_data_read_words(v->job->data, LBS_INDICES)[row];
	for (int k = 0; k < 4; k++) {
		const float weight = k < 3 ? w[k] : 1 - (w[0] + w[1] + w[2]);
		apply(v, matrices + (indices >> 8 * k & 255) * LBS_BATCH_FLOATS, weight, sum);
	}
}

static void by_float_indices(
	const struct vertex *v, const float *matrices, size_t row, struct sum *sum) {
	const float *w = skin_data_read_floats(v->job->data, LBS_WEIGHTS) + row * 4;
	const float *indices = skin_data_read_floats(v->job->data, LBS_INDICES) + row * 4;
	for (int k = 0; k < 4; k++) {
		// The index of the first of a matrix' three rows of four numbers.
		apply(v, matrices + (int)(indices[k] + 0.5f) * 4, w[k], sum);
	}
}

static void cofactor(const float *m, const float *n, float *out) {
	for (int row = 0; row < 3; row++) {
		float product[3];
		cross(m + (row + 1) % 3 * 4, m + (row + 2) % 3 * 4, product);
		out[row] = dot(product, n);
	}
}

static float longest_row(const float *m) {
	return fmaxf(fmaxf(dot(m, m), dot(m + 4, m + 4)), dot(m + 8, m + 8));
}

/* The greatest of the first three numbers' sizes of each row; 1 where all are 0. */
static float divisor_of(const float *numbers, size_t count, size_t stride) {
	float greatest = 0;
	for (size_t i = 0; i < count * stride; i++) {
		const float size = i % stride < 3 ? fabsf(numbers[i]) : 0;
		greatest = size > greatest ? size : greatest;
	}
	return greatest > 0 ? greatest : 1;
}

static void divide(float *numbers, size_t count, float by) {
	for (size_t i = 0; i < count; i++) {
		numbers[i] /= by;
	}
}

static void scale(float *v, float by) {
	for (int i = 0; i < 3; i++) {
		v[i] *= by;
	}
}

/* Makes v unit, which matrices of m's size have made of a unit vector; false where it has vanished.
 * That and unit_cofactor() are normal.h's. */
static bool unit(const float *m, float *v) {
	const float square = dot(v, v);
	const float size = dot(m, m) + dot(m + 4, m + 4) + dot(m + 8, m + 8);
	if (square > NORMAL_LEAST_SQUARE * size + NORMAL_SAFE_SQUARE) {
		scale(v, 1.0f / sqrtf(square));
		return true;
	}
	float scaled[12];
	const float divisor = divisor_of(m, 3, 4);
	memcpy(scaled, m, sizeof scaled);
	divide(scaled, 12, divisor);
	divide(v, 3, divisor);
	const float far = dot(v, v);
	scale(v, 1.0f / sqrtf(far));
	return far > NORMAL_LEAST_SQUARE * longest_row(scaled);
}

/* n under m's cofactors, likewise. */
static bool unit_cofactor(const float *m, const float *n, float *out) {
	cofactor(m, n, out);
	const float square = dot(out, out);
	const float size = dot(m, m) + dot(m + 4, m + 4) + dot(m + 8, m + 8);
	if (square > NORMAL_LEAST_SQUARE * (size * size) + NORMAL_SAFE_SQUARE) {
		scale(out, 1.0f / sqrtf(square));
		return true;
	}
	float scaled[12];
	memcpy(scaled, m, sizeof scaled);
	divide(scaled, 12, divisor_of(m, 3, 4));
	cofactor(scaled, n, out);
	const float far = dot(out, out), row = longest_row(scaled);
	scale(out, 1.0f / sqrtf(far));
	return far > NORMAL_LEAST_SQUARE * (row * row);
}

/* Adds to the blended matrix what the weights' gradients do: normal_derivative() in normal.h. */
static void add_gradients(const struct vertex *v, struct sum *sum) {
	const float *at = v->job->positions + v->index * 3;
	for (int k = 0; k < v->primitive->influence_count; k++) {
		const float *g = v->job->gradients + (v->influence + (size_t)k) * 3;
		float m[12], image[3];
		palette_matrix(v, k, m);
		map_point(m, at, image);
		for (int row = 0; row < 3; row++) {
			add(sum->matrix + row * 4, g, image[row] - sum->position[row], 3);
		}
	}
}

static void finish_normal(const struct vertex *v, struct sum *sum, float *out) {
	const float *n = v->job->normals + v->index * 3;
	const bool same = v->job->normals_by == NORMALS_SAME;
	memcpy(out, sum->normal, 3 * sizeof *out);
	if (same ? unit(sum->matrix, out) : unit_cofactor(sum->matrix, n, out)) {
		return;
	}
	palette_matrix(v, 0, sum->pivot);
	if (unit_cofactor(sum->pivot, n, out)) {
		return;
	}
	map_direction(sum->pivot, n, out);
	if (!unit(sum->pivot, out)) {
		memcpy(out, n, 3 * sizeof *out);
	}
}

static void any_tangent(const float *n, float *out) {
	const int axis = fabsf(n[0]) < 0.6f ? 0 : 1;
	for (int i = 0; i < 3; i++) {
		out[i] = (i == axis ? 1.0f : 0.0f) - n[i] * n[axis];
	}
	scale(out, 1.0f / sqrtf(dot(out, out)));
}

/* The part of t perpendicular to n, unit; false if it is too short, or its square below the
 * minimum. */
static bool across(const float *n, const float *t, float least, float *out) {
	const float whole = dot(t, t) * TANGENT_LEAST_SINE_SQUARE, along = dot(n, t);
	for (int i = 0; i < 3; i++) {
		out[i] = t[i] - n[i] * along;
	}
	const float square = dot(out, out);
	scale(out, 1.0f / sqrtf(square));
	return square > least && square > whole;
}

static void finish_tangent(const struct vertex *v, struct sum *sum, const float *n, float *out) {
	const float *rest = v->job->tangents + v->index * 4;
	if (v->job->normals_by != NORMALS_SAME) {
		map_direction(sum->matrix, rest, sum->tangent);
	}
	if (!across(n, sum->tangent, NORMAL_SAFE_SQUARE, out)) {
		divide(sum->tangent, 3, divisor_of(sum->tangent, 1, 3));
		if (!across(n, sum->tangent, 0, out)) {
			any_tangent(n, out);
		}
	}
	out[3] = rest[3];
}

static void finish(const struct vertex *v, struct sum *sum) {
	const struct skin_job *job = v->job;
	memcpy(job->out_positions + v->index * 3, sum->position, sizeof sum->position);
	if (job->normals_by == NORMALS_EXACT) {
		add_gradients(v, sum);
	}
	float *normal = job->out_normals + v->index * 3;
	finish_normal(v, sum, normal);
	if (job->out_tangents) {
		finish_tangent(v, sum, normal, job->out_tangents + v->index * 4);
	}
}

static void skin_vertices(
	const struct skin_job *job, const struct primitive *primitive, enum lbs_impl impl) {
	for (int i = 0; i < primitive->vertex_count; i++) {
		const struct vertex v = {job, primitive, (size_t)(primitive->first_vertex + i),
			primitive->first_influence +
				(size_t)i * (size_t)primitive->influence_count};
		struct sum sum = {.position = {0}};
		(impl == LBS_SW ? blend : impl == LBS_VSP1 ? loop : unrolled)(&v, &sum);
		finish(&v, &sum);
	}
}

static void skin_batch(const struct skin_job *job, const struct primitive *primitive,
	const struct skin_batch *batch, enum lbs_impl impl) {
	const float *matrices = job->palette + (size_t)job->rig->slot_count * LBS_ENTRY_FLOATS +
		(size_t)batch->first_matrix * LBS_BATCH_FLOATS;
	const uint32_t *rows = skin_data_read_words(job->data, LBS_ROWS);
	for (size_t row = batch->first_row; row < batch->first_row + batch->row_count; row++) {
		const uint32_t vertex = rows[row * 2];
		const struct vertex v = {
			job, primitive, vertex & ~BATCH_REPEATED, rows[row * 2 + 1]};
		struct sum sum = {.position = {0}};
		(impl == LBS_FFP1                  ? by_slots
				: impl == LBS_FFP2 ? by_indices
						   : by_float_indices)(&v, matrices, row, &sum);
		if ((vertex & BATCH_REPEATED) == 0) {
			finish(&v, &sum);
		}
	}
}

void lbs_variant_skin(
	const struct skin_job *job, const struct primitive *primitive, enum lbs_impl impl) {
	size_t count;
	const struct skin_batch *batches = lbs_batches(job->data, &count);
	if (count == 0) {
		skin_vertices(job, primitive, impl);
	}
	for (size_t i = 0; i < count; i++) {
		const struct primitive *own = &job->rig->primitives[batches[i].primitive];
		if (own->first_vertex == primitive->first_vertex) {
			skin_batch(job, primitive, &batches[i], impl);
		}
	}
}
