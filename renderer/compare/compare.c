// Skinning methods held against one another: distances between their vertices, and volumes.
#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "interface/comparisons.h"
#include "skinned/prepare.h"

double compare_diagonal(const struct rig *rig) {
	double size[3];
	vec3_sub(rig->bounds.max, rig->bounds.min, size);
	return rig->vertex_count > 0 ? vec3_length(size) : 0;
}

double compare_distance(const float a[static 3], const float b[static 3]) {
	const double apart[3] = {(double)a[0] - b[0], (double)a[1] - b[1], (double)a[2] - b[2]};
	return vec3_length(apart);
}

bool compare_skin(struct renderer *renderer, const struct compare_job *job, size_t method,
	size_t streams, float *out, struct skinning_report *report, struct error *err) {
	static const enum attribute_bits order[] = {
		ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL, ATTRIBUTE_TANGENT};
	struct vertices_job vertices = {.subject = job->subject, .order = order, .count = streams};
	vertices.subject.skinning = job->methods[method];
	return renderer_vertices(renderer, &vertices, out, report, err);
}

float *compare_room(
	const struct compare_job *job, size_t frames, size_t floats, struct error *err) {
	// Counts of rigs times a few dozen bytes stay far from overflow.
	const size_t bytes =
		frames * (size_t)job->subject.rig->vertex_count * floats * sizeof(float);
	if (bytes > job->max_bytes) {
		error_set(err, ERROR_TOO_LARGE,
			"the vertices of all methods take %zu bytes, at most %zu are compared",
			bytes, job->max_bytes);
		return NULL;
	}
	return try_calloc(bytes + 1, 1, "the vertices", err);
}

/* Puts a vertex among the worst, which are sorted, if it belongs there. Of equals the first stays
 * in front. */
static void note_worst(
	struct compared_pair *pair, struct compared_vertex *worst, size_t most, int v, double far) {
	if (far == 0 || most == 0 ||
		(pair->worst_count == most && !(far > worst[most - 1].distance))) {
		return;
	}
	size_t at = pair->worst_count < most ? pair->worst_count++ : most - 1;
	for (; at > 0 && far > worst[at - 1].distance; at--) {
		worst[at] = worst[at - 1];
	}
	worst[at] = (struct compared_vertex){.vertex = v, .distance = far};
}

static const struct primitive *primitive_of(const struct rig *rig, int vertex) {
	const struct primitive *primitive = rig->primitives;
	while (vertex >= primitive->first_vertex + primitive->vertex_count) {
		primitive++;
	}
	return primitive;
}

static void list_joints(
	const struct rig *rig, struct compared_vertex *vertex, struct arena *arena) {
	const struct primitive *primitive = primitive_of(rig, vertex->vertex);
	const size_t count = (size_t)primitive->influence_count;
	const size_t first = primitive->first_influence +
		(size_t)(vertex->vertex - primitive->first_vertex) * count;
	struct compared_joint *joints = arena_alloc(arena, count, sizeof *joints);
	for (size_t i = first; i < first + count && rig->influence_weights[i] > 0; i++) {
		const int slot = primitive->first_slot + rig->influence_slots[i];
		joints[vertex->joint_count++] =
			(struct compared_joint){rig->slots[slot].joint, rig->influence_weights[i]};
	}
	vertex->joints = joints;
}

static struct compared_pair compare_pair(
	const struct compare_job *job, const float *a, const float *b, struct arena *arena) {
	const size_t count = (size_t)job->subject.rig->vertex_count;
	const size_t most = job->worst < count ? job->worst : count;
	struct compared_vertex *worst = arena_alloc(arena, most, sizeof *worst);
	struct compared_pair pair = {.worst = worst};
	double sum = 0, squares = 0;
	for (size_t v = 0; v < count; v++) {
		const double far = compare_distance(a + v * 3, b + v * 3);
		sum += far;
		squares += far * far;
		pair.max = fmax(pair.max, far);
		note_worst(&pair, worst, most, (int)v, far);
	}
	pair.mean = count > 0 ? sum / (double)count : 0;
	pair.rms = count > 0 ? sqrt(squares / (double)count) : 0;
	for (size_t i = 0; i < pair.worst_count; i++) {
		memcpy(worst[i].a, a + worst[i].vertex * 3, sizeof worst[i].a);
		memcpy(worst[i].b, b + worst[i].vertex * 3, sizeof worst[i].b);
		list_joints(job->subject.rig, &worst[i], arena);
	}
	return pair;
}

static bool compare_pairs(const struct compare_job *job, const float *positions,
	struct arena *arena, struct comparison *out, struct error *err) {
	const size_t floats = (size_t)job->subject.rig->vertex_count * 3;
	struct compared_pair *pairs =
		arena_alloc(arena, job->count * (job->count - 1) / 2, sizeof *pairs);
	out->pairs = pairs;
	for (size_t a = 0; a < job->count; a++) {
		for (size_t b = a + 1; b < job->count; b++) {
			if (!stop_check(job->subject.stop, err)) {
				return false;
			}
			struct compared_pair *pair = &pairs[out->pair_count++];
			*pair = compare_pair(
				job, positions + a * floats, positions + b * floats, arena);
			pair->a = a;
			pair->b = b;
		}
	}
	return true;
}

const bool *compare_mirrored(const struct renderer *renderer, const struct compare_job *job,
	const struct value *pose, struct arena *arena, struct error *err) {
	struct prepare_params params = {.subject = job->subject};
	params.subject.pose = pose;
	params.subject.skinning = (struct skinning_settings){.device = DEVICE_CPU};
	struct prepared prepared;
	if (!prepare(renderer, &params, arena, &prepared, err)) {
		return NULL;
	}
	const bool *mirrored = prepared_mirrored(&prepared, arena);
	prepared_finish(&prepared);
	return mirrored;
}

/* The rest pose with the default method, which all are held against. */
static bool measure_rest(struct renderer *renderer, const struct compare_job *job, float *positions,
	struct arena *arena, struct comparison *out, struct error *err) {
	static const enum attribute_bits order[] = {ATTRIBUTE_POSITION};
	const struct vertices_job rest = {
		.subject = {.rig = job->subject.rig,
			.skinning = {.device = DEVICE_CPU},
			.stop = job->subject.stop},
		.order = order,
		.count = 1,
	};
	struct skinning_report ignored;
	const bool *mirrored = compare_mirrored(renderer, job, NULL, arena, err);
	if (!mirrored || !renderer_vertices(renderer, &rest, positions, &ignored, err)) {
		return false;
	}
	out->rest_volume = compare_volume(job->subject.rig, positions, mirrored);
	out->closed = compare_is_closed(job->subject.rig, positions, mirrored);
	return true;
}

/* positions has room for one frame more than there are methods. */
static bool compare(struct renderer *renderer, const struct compare_job *job, float *positions,
	struct arena *arena, struct comparison *out, struct error *err) {
	const size_t floats = (size_t)job->subject.rig->vertex_count * 3;
	struct compared_method *methods = arena_alloc(arena, job->count, sizeof *methods);
	*out = (struct comparison){
		.diagonal = compare_diagonal(job->subject.rig),
		.methods = methods,
		.count = job->count,
	};
	const bool *mirrored = compare_mirrored(renderer, job, job->subject.pose, arena, err);
	if (!mirrored ||
		!measure_rest(renderer, job, positions + job->count * floats, arena, out, err)) {
		return false;
	}
	for (size_t i = 0; i < job->count; i++) {
		float *own = positions + i * floats;
		if (!compare_skin(renderer, job, i, 1, own, &methods[i].report, err)) {
			return false;
		}
		methods[i].volume = compare_volume(job->subject.rig, own, mirrored);
	}
	return compare_pairs(job, positions, arena, out, err);
}

bool renderer_compare(struct renderer *renderer, const struct compare_job *job, struct arena *arena,
	struct comparison *out, struct error *err) {
	float *positions = compare_room(job, job->count + 1, 3, err);
	const bool ok = positions && compare(renderer, job, positions, arena, out, err);
	free(positions);
	return ok;
}
