// Normals for vertices that have none, from the faces around them.
#include "model/normals.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vec.h"

static void load(const float *from, double to[static 3]) {
	for (int i = 0; i < 3; i++) {
		to[i] = from[i];
	}
}

static void store(const double from[static 3], float *to) {
	for (int i = 0; i < 3; i++) {
		to[i] = (float)from[i];
	}
}

/* Scales all normals to length 1, those that cannot be to zero; returns how many could not. */
static size_t normalize_given(float *normals, size_t count) {
	size_t missing = 0;
	for (size_t i = 0; i < count; i++) {
		double n[3];
		load(&normals[i * 3], n);
		const double length = vec3_length(n);
		// 1e-20: far below any real normal, far above where a float loses its digits.
		if (isfinite(length) && length > 1e-20) {
			vec3_normalize(n);
		} else {
			n[0] = n[1] = n[2] = 0;
			missing++;
		}
		store(n, &normals[i * 3]);
	}
	return missing;
}

/* Adds twice the area times the normal of every face to its three corners. */
static void add_faces(const struct normals_job *job, double (*sums)[3]) {
	for (size_t i = 0; i + 2 < job->index_count; i += 3) {
		const uint32_t *corner = &job->indices[i];
		double a[3], b[3], c[3], normal[3];
		load(&job->positions[(size_t)corner[0] * 3], a);
		load(&job->positions[(size_t)corner[1] * 3], b);
		load(&job->positions[(size_t)corner[2] * 3], c);
		vec3_sub(b, a, b);
		vec3_sub(c, a, c);
		vec3_cross(b, c, normal);
		for (int k = 0; k < 9; k++) {
			sums[corner[k / 3]][k % 3] += normal[k % 3];
		}
	}
}

bool normals_complete(const struct normals_job *job, size_t *replaced, struct error *err) {
	assert(job->index_count % 3 == 0);
	*replaced = normalize_given(job->normals, job->vertex_count);
	if (*replaced == 0) {
		return true;
	}
	double(*sums)[3] = try_calloc(job->vertex_count, sizeof *sums, "face normals", err);
	if (!sums) {
		return false;
	}
	add_faces(job, sums);
	for (size_t i = 0; i < job->vertex_count; i++) {
		float *n = &job->normals[i * 3];
		if (n[0] != 0 || n[1] != 0 || n[2] != 0) {
			continue;
		}
		if (!vec3_normalize(sums[i])) {
			sums[i][0] = sums[i][2] = 0;
			sums[i][1] = 1;
		}
		store(sums[i], n);
	}
	free(sums);
	return true;
}
