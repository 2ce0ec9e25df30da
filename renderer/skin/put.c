// Writes the vertices of finish stages.
#include "skin/put.h"

#include <math.h>

#include "base/vec.h"

/* A tangent nearer to its normal than this squared sine has no direction of its own. */
#define LEAST_SINE_SQUARE 1e-6

static void store(const double from[static 3], float *to) {
	for (int i = 0; i < 3; i++) {
		to[i] = (float)from[i];
	}
}

/* t - n (n . t) */
static void take_off(const double n[static 3], double t[static 3]) {
	const double along = vec3_dot(n, t);
	for (int i = 0; i < 3; i++) {
		t[i] -= along * n[i];
	}
}

static void put_tangent(const double n[static 3], const double tangent[static 3], float *out) {
	double t[3] = {tangent[0], tangent[1], tangent[2]};
	const double square = vec3_dot(t, t);
	take_off(n, t);
	const double left = vec3_dot(t, t);
	if (!(left > square * LEAST_SINE_SQUARE)) {
		const bool use_x = fabs(n[0]) < 0.6;
		t[0] = use_x;
		t[1] = !use_x;
		t[2] = 0;
		take_off(n, t);
	}
	vec3_normalize(t);
	store(t, out);
}

void put_normal(const struct skin_job *job, size_t vertex, const double normal[static 3],
	double least, const double tangent[static 3]) {
	const double square = vec3_dot(normal, normal);
	if (!(square > least * least)) {
		return;
	}
	double n[3];
	for (int i = 0; i < 3; i++) {
		n[i] = normal[i] / sqrt(square);
	}
	store(n, job->out_normals + vertex * 3);
	if (job->out_tangents) {
		put_tangent(n, tangent, job->out_tangents + vertex * 4);
	}
}
