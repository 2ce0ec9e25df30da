// Dual quaternion skinning on the CPU.
#include "skin/dqs.h"

#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "skin/normal.h"

/* Below this squared length a blend counts as vanished: antipodal influences that cancel. */
#define LEAST_BLEND_SQUARE 1e-12f

/* Tighter than METHODS' 1e-4, which would move a lone influence by as much: float rounding alone
 * stays below it. */
#define RIGID_TOLERANCE 1e-6

static bool is_identity(const double stretch[static 9]) {
	for (int i = 0; i < 9; i++) {
		if (fabs(stretch[i] - (i % 4 == 0 ? 1 : 0)) > RIGID_TOLERANCE) {
			return false;
		}
	}
	return true;
}

/* Where the slot's joint stands when the vertices were bound: the origin its stretch keeps. */
static void bind_position(const struct palette_slot *slot, double position[static 3]) {
	double bind[12];
	const bool invertible = mat_invert(slot->inverse_bind, bind);
	for (int row = 0; row < 3; row++) {
		position[row] = invertible ? bind[row * 4 + 3] : 0;
	}
}

/* The stretch about a point as a matrix in columns. */
static void write_stretch(
	const double stretch[static 9], const double about[static 3], float *columns) {
	double moved[3];
	for (int row = 0; row < 3; row++) {
		const double *s = &stretch[row * 3];
		moved[row] = about[row] - (s[0] * about[0] + s[1] * about[1] + s[2] * about[2]);
		for (int column = 0; column < 3; column++) {
			columns[column * 4 + row] = (float)s[column];
		}
		columns[12 + row] = (float)moved[row];
	}
}

/* Real and dual part of the rigid motion that turns by q and then moves by t: the dual part is
 * half of t times q. */
static void write_motion(const double q[static 4], const double t[static 3], float *entry) {
	const double dual[4] = {
		0.5 * (t[0] * q[3] + t[1] * q[2] - t[2] * q[1]),
		0.5 * (t[1] * q[3] + t[2] * q[0] - t[0] * q[2]),
		0.5 * (t[2] * q[3] + t[0] * q[1] - t[1] * q[0]),
		-0.5 * (t[0] * q[0] + t[1] * q[1] + t[2] * q[2]),
	};
	for (int i = 0; i < 4; i++) {
		entry[i] = (float)q[i];
		entry[4 + i] = (float)dual[i];
	}
}

static void rotate(const double q[static 4], const double v[static 3], double out[static 3]) {
	const float zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
	const float turn[4] = {(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
	double m[12];
	mat_from_transform(zero, turn, one, m);
	mat_map_direction(m, v, out);
}

static void prepare_slot(const struct palette_slot *slot, const double m[static 12], float *entry) {
	double q[4], stretch[9], about[3] = {0, 0, 0};
	mat_polar(m, q, stretch);
	const bool rigid = is_identity(stretch);
	if (rigid) {
		const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
		memcpy(stretch, identity, sizeof identity);
	} else {
		bind_position(slot, about);
	}
	// M = D S with S about the bind position c: D's translation is M c - R c.
	double mapped[3], turned[3], translation[3];
	mat_map_point(m, about, mapped);
	rotate(q, about, turned);
	for (int i = 0; i < 3; i++) {
		translation[i] = mapped[i] - turned[i];
	}
	write_motion(q, translation, entry);
	write_stretch(stretch, about, entry + 8);
	entry[8 + 3] = rigid ? 0 : 1;
}

void dqs_prepare(const struct rig *rig, const double (*matrices)[12], float *palette) {
	for (int i = 0; i < rig->slot_count; i++) {
		prepare_slot(&rig->slots[i], matrices[i], palette + (size_t)i * DQS_ENTRY_FLOATS);
	}
}

/* One vertex on its way through the blend. */
struct vertex {
	const float *palette; // of the primitive
	const uint16_t *slots;
	const float *weights;
	int count;
	float position[3], normal[3], tangent[3];
};

static float dot4(const float *a, const float *b) {
	return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
}

static const float *entry_of(const struct vertex *vertex, int k) {
	return vertex->palette + (size_t)vertex->slots[k] * DQS_ENTRY_FLOATS;
}

/* Phase 1: the blended stretch. */
static void stretch_vertex(struct vertex *vertex) {
	float m[16] = {0};
	for (int k = 0; k < vertex->count; k++) {
		const float *columns = entry_of(vertex, k) + 8;
		for (int i = 0; i < 16; i++) {
			m[i] += vertex->weights[k] * columns[i];
		}
	}
	if (m[3] == 0) {
		return; // every influence is rigid
	}
	const float v[3] = {vertex->position[0], vertex->position[1], vertex->position[2]};
	for (int i = 0; i < 3; i++) {
		vertex->position[i] =
			(m[i] * v[0] + m[8 + i] * v[2]) + (m[4 + i] * v[1] + m[12 + i]);
	}
	const float n[3] = {vertex->normal[0], vertex->normal[1], vertex->normal[2]};
	normal_cofactor(m, n, vertex->normal);
	if (!normal_unit(vertex->normal)) {
		normal_of_pivot(entry_of(vertex, 0) + 8, n, vertex->normal);
	}
	const float t[3] = {vertex->tangent[0], vertex->tangent[1], vertex->tangent[2]};
	normal_map_direction(m, t, vertex->tangent);
}

/* Phase 2: the blended motion, unit; q holds real and dual part. */
static void blend_motion(const struct vertex *vertex, float q[static 8]) {
	const float *pivot = entry_of(vertex, 0);
	for (int i = 0; i < 8; i++) {
		q[i] = vertex->weights[0] * pivot[i];
	}
	for (int k = 1; k < vertex->count; k++) {
		const float *next = entry_of(vertex, k);
		const float weight =
			dot4(next, pivot) < 0 ? -vertex->weights[k] : vertex->weights[k];
		for (int i = 0; i < 8; i++) {
			q[i] += weight * next[i];
		}
	}
	const float square = dot4(q, q);
	if (!(square > LEAST_BLEND_SQUARE)) {
		memcpy(q, pivot, 8 * sizeof *q);
		return;
	}
	const float scale = 1.0f / sqrtf(square);
	for (int i = 0; i < 8; i++) {
		q[i] *= scale;
	}
}

/* v + 2 r x (r x v + w v) with the real part (r, w) of q. */
static void turn(const float q[static 8], const float v[static 3], float out[static 3]) {
	float inner[3];
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		inner[i] = (q[j] * v[k] - q[k] * v[j]) + q[3] * v[i];
	}
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		out[i] = v[i] + 2.0f * (q[j] * inner[k] - q[k] * inner[j]);
	}
}

/* The motion's translation: 2 (w d - e r + r x d) with the dual part (d, e). */
static void add_translation(const float q[static 8], float v[static 3]) {
	const float *d = q + 4;
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		v[i] += 2.0f * ((q[3] * d[i] - d[3] * q[i]) + (q[j] * d[k] - q[k] * d[j]));
	}
}

void dqs_skin(const struct skin_job *job, const struct primitive *primitive) {
	const size_t count = (size_t)primitive->influence_count;
	struct vertex vertex = {
		.palette = job->palette + (size_t)primitive->first_slot * DQS_ENTRY_FLOATS,
		.slots = job->rig->influence_slots + primitive->first_influence,
		.weights = job->rig->influence_weights + primitive->first_influence,
		.count = primitive->influence_count,
	};
	const size_t first = (size_t)primitive->first_vertex;
	for (size_t i = first; i < first + (size_t)primitive->vertex_count; i++) {
		memcpy(vertex.position, job->positions + i * 3, sizeof vertex.position);
		memcpy(vertex.normal, job->normals + i * 3, sizeof vertex.normal);
		if (job->out_tangents) {
			memcpy(vertex.tangent, job->tangents + i * 4, sizeof vertex.tangent);
		}
		stretch_vertex(&vertex);
		float q[8];
		blend_motion(&vertex, q);
		turn(q, vertex.position, job->out_positions + i * 3);
		add_translation(q, job->out_positions + i * 3);
		turn(q, vertex.normal, job->out_normals + i * 3);
		if (job->out_tangents) {
			float *tangent = job->out_tangents + i * 4;
			turn(q, vertex.tangent, tangent);
			normal_finish_tangent(job->out_normals + i * 3, tangent);
			tangent[3] = job->tangents[i * 4 + 3];
		}
		vertex.slots += count;
		vertex.weights += count;
	}
}
