// Delta mush checked against METHODS A20, with its formula at run time written down once more.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "mesh/mush.h"
#include "motions.h"
#include "rigs.h"

#define COUNT 658

struct points {
	double at[COUNT][3];
};

static void make(const struct rig *rig, int iterations, bool pin, struct mesh_surface **surface,
	struct mush *mush) {
	struct error err = {0};
	const struct mush_settings settings = {iterations, 0.5, pin};
	*surface = surface_create(rig, NULL, &err);
	assert_non_null(*surface);
	assert_true(mush_init(mush, rig, *surface, &settings, NULL, &err));
}

static double weight_of(const struct rig *rig, int vertex) {
	double weight = 0;
	for (int k = 0; k < 4; k++) {
		if (rig->influence_slots[vertex * 4 + k] == 1) {
			weight += (double)rig->influence_weights[vertex * 4 + k];
		}
	}
	return weight;
}

static void blend(const struct rig *rig, const struct motions *motions, struct points *out) {
	for (int i = 0; i < COUNT; i++) {
		const double v[3] = {rig->positions[i * 3], rig->positions[i * 3 + 1],
			rig->positions[i * 3 + 2]};
		motions_blend(motions, weight_of(rig, i), v, out->at[i]);
	}
}

/* x <- (x + mean of the neighbours) / 2 */
static void smooth(const struct mush *mush, int iterations, struct points *points) {
	static struct points next;
	for (int step = 0; step < iterations; step++) {
		next = *points;
		for (int i = 0; i < COUNT; i++) {
			const int start = mush->neighbours.starts[i];
			const int end = mush->neighbours.starts[i + 1];
			for (int k = 0; k < 3 && !mush->pinned[i]; k++) {
				double sum = 0;
				for (int n = start; n < end; n++) {
					sum += points->at[mush->neighbours.items[n]][k];
				}
				next.at[i][k] = 0.5 * points->at[i][k] + 0.5 * sum / (end - start);
			}
		}
		*points = next;
	}
}

static void cross(const double a[3], const double b[3], double out[3]) {
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalise(double a[3]) {
	const double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
	for (int k = 0; k < 3; k++) {
		a[k] /= length;
	}
}

/* Columns t n b of METHODS' frame, by the rig's own triangles. */
static void frame_of(const struct rig *rig, const struct mush *mush, const struct points *points,
	int i, double t[3], double n[3], double b[3]) {
	n[0] = n[1] = n[2] = 0;
	for (int f = 0; f < rig->index_count; f += 3) {
		const uint32_t *corner = rig->indices + f;
		if ((int)corner[0] != i && (int)corner[1] != i && (int)corner[2] != i) {
			continue;
		}
		double ab[3], ac[3], sum[3];
		for (int k = 0; k < 3; k++) {
			ab[k] = points->at[corner[1]][k] - points->at[corner[0]][k];
			ac[k] = points->at[corner[2]][k] - points->at[corner[0]][k];
		}
		cross(ab, ac, sum);
		for (int k = 0; k < 3; k++) {
			n[k] += sum[k];
		}
	}
	normalise(n);
	double along = 0;
	for (int k = 0; k < 3; k++) {
		t[k] = points->at[mush->guides[i]][k] - points->at[i][k];
		along += t[k] * n[k];
	}
	for (int k = 0; k < 3; k++) {
		t[k] -= along * n[k];
	}
	normalise(t);
	cross(n, t, b);
}

static void apply(const struct rig *rig, const struct mush *mush, int iterations,
	const struct motions *motions, float *out) {
	static struct points points;
	blend(rig, motions, &points);
	smooth(mush, iterations, &points);
	for (int i = 0; i < COUNT; i++) {
		double t[3], n[3], b[3];
		const double *d = mush->deltas[i];
		frame_of(rig, mush, &points, i, t, n, b);
		for (int k = 0; k < 3; k++) {
			out[i * 3 + k] =
				(float)(points.at[i][k] + t[k] * d[0] + n[k] * d[1] + b[k] * d[2]);
		}
	}
}

static void rest_and_rigid_motions_are_kept(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct mesh_surface *surface;
	struct mush mush;
	make(rig, 10, false, &surface, &mush);
	const double axis[3] = {1, 2, 3}, by[3] = {0.3, -0.2, 0.5};
	float *out = xcalloc(COUNT * 3, sizeof *out);
	for (int turned = 0; turned < 2; turned++) {
		double m[12];
		motion_make(axis, turned * 63.0, by, m);
		const struct motions motions = motions_rigid(m);
		apply(rig, &mush, 10, &motions, out);
		for (int i = 0; i < COUNT; i++) {
			const double v[3] = {rig->positions[i * 3], rig->positions[i * 3 + 1],
				rig->positions[i * 3 + 2]};
			double expected[3];
			motion_map(m, v, expected);
			for (int k = 0; k < 3; k++) {
				// Only the float of the comparison rounds.
				assert_near(out[i * 3 + k], expected[k], 3e-7);
			}
		}
	}
	free(out);
	mush_finish(&mush);
	surface_destroy(surface);
	rig_release(rig);
}

/* METHODS: I = 10, lambda = 0.5: V/V0 0.8430 twisted by 180 degrees, 0.9509 bent by 90. */
static void volumes_are_those_of_methods(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct mesh_surface *surface;
	struct mush mush;
	make(rig, 10, false, &surface, &mush);
	float *out = xcalloc(COUNT * 3, sizeof *out);
	const struct motions twist = motions_turned(0, 1, 0, 180);
	apply(rig, &mush, 10, &twist, out);
	assert_near(mesh_volume(rig, out) / mesh_volume(rig, rig->positions), 0.8430, 2e-3);
	const struct motions bend = motions_turned(0, 0, 1, 90);
	apply(rig, &mush, 10, &bend, out);
	assert_near(mesh_volume(rig, out) / mesh_volume(rig, rig->positions), 0.9509, 2e-3);
	free(out);
	mush_finish(&mush);
	surface_destroy(surface);
	rig_release(rig);
}

static void nothing_smoothed_leaves_no_deltas(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct mesh_surface *surface;
	struct mush mush;
	make(rig, 0, false, &surface, &mush);
	for (int i = 0; i < COUNT * 3; i++) {
		assert_near(mush.deltas[i / 3][i % 3], 0, 0);
	}
	mush_finish(&mush);
	surface_destroy(surface);
	rig_release(rig);
}

static void guides_are_the_lowest_neighbours_that_give_a_frame(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct mesh_surface *surface;
	struct mush mush;
	make(rig, 10, false, &surface, &mush);
	for (int i = 16; i < 41 * 16; i++) {
		assert_int_equal(mush.guides[i], mush.neighbours.items[mush.neighbours.starts[i]]);
	}
	mush_finish(&mush);
	surface_destroy(surface);
	// A vertex that no triangle has is left alone.
	const float at[1][3] = {{0.1f, 1, 0}}, weight[1] = {0.5f};
	struct rig *lone = rig_cyl2_vertices(1, at, weight);
	make(lone, 10, false, &surface, &mush);
	assert_int_equal(mush.guides[0], -1);
	assert_near(mush.deltas[0][0], 0, 0);
	mush_finish(&mush);
	surface_destroy(surface);
	rig_release(lone);
	rig_release(rig);
}

static void open_ends_stay_where_they_are_pinned(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	for (int i = 0; i < rig->index_count; i += 3) {
		if (rig->indices[i] >= 41 * 16) {
			rig->indices[i + 1] = rig->indices[i + 2] = rig->indices[i];
		}
	}
	struct mesh_surface *surface;
	struct mush mush;
	make(rig, 10, true, &surface, &mush);
	for (int i = 0; i < 16; i++) {
		assert_true(mush.pinned[i]);
		for (int k = 0; k < 3; k++) {
			assert_near(mush.deltas[i][k], 0, 1e-12);
		}
	}
	assert_false(mush.pinned[16]);
	mush_finish(&mush);
	surface_destroy(surface);
	make(rig, 10, false, &surface, &mush);
	double moved = 0;
	for (int k = 0; k < 3; k++) {
		moved += fabs(mush.deltas[0][k]);
	}
	assert_true(moved > 0.01);
	mush_finish(&mush);
	surface_destroy(surface);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rest_and_rigid_motions_are_kept),
		cmocka_unit_test(volumes_are_those_of_methods),
		cmocka_unit_test(nothing_smoothed_leaves_no_deltas),
		cmocka_unit_test(guides_are_the_lowest_neighbours_that_give_a_frame),
		cmocka_unit_test(open_ends_stay_where_they_are_pinned),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
