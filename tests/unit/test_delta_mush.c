// Delta mush as it is served checked against METHODS A20.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "motions.h"
#include "rigs.h"
#include "skinned.h"
#include "soup.h"

static const double y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};

static void pose_rig(const struct rig *rig, const char *skinning, const double axis[3],
	double degrees, int joint, float *out) {
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	set_rotation(&pose.local[joint], axis[0], axis[1], axis[2], degrees);
	skinned_as(rig, skinning, NULL, &pose, out, out + (size_t)rig->vertex_count * 3);
	arena_destroy(arena);
}

/* METHODS: V/V0 twist180 0.8430, bend90 0.9509, +- 0.002. */
static void volumes_are_those_of_methods(void **state) {
	(void)state;
	assert_near(skinned_cyl2_volume("'delta_mush'", y_axis, 180), 0.8430, 2e-3);
	assert_near(skinned_cyl2_volume("'delta_mush'", z_axis, 90), 0.9509, 2e-3);
}

/* Normals too: F' F^T n turns with the motion. */
static void rest_and_rigid_motions_are_kept(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	const int count = rig->vertex_count * 3;
	float *out = xcalloc((size_t)count * 2, sizeof *out);
	for (int degrees = 0; degrees <= 70; degrees += 70) {
		double m[12];
		motion_make(z_axis, degrees, (double[3]){0, 0, 0}, m);
		pose_rig(rig, "'delta_mush'", z_axis, degrees, 0, out);
		for (int i = 0; i < count; i += 3) {
			const float *v = rig->positions + i, *n = rig->normals + i;
			double at[3], normal[3];
			motion_map(m, (double[3]){v[0], v[1], v[2]}, at);
			motion_map(m, (double[3]){n[0], n[1], n[2]}, normal);
			for (int k = 0; k < 3; k++) {
				assert_near(out[i + k], at[k], 1e-6);
				assert_near(out[count + i + k], normal[k], 2e-5);
			}
		}
	}
	free(out);
	rig_release(rig);
}

static void no_iterations_leave_the_base(void **state) {
	(void)state;
	static const char *const pairs[][2] = {
		{"{'method': 'delta_mush', 'iterations': 0}", "'lbs'"},
		{"{'method': 'delta_mush', 'iterations': 0, 'base': 'dqs'}", "'dqs'"},
	};
	struct rig *rig = rig_cyl2();
	const size_t floats = (size_t)rig->vertex_count * 6;
	float *mush = xcalloc(floats, sizeof *mush), *base = xcalloc(floats, sizeof *base);
	for (int i = 0; i < 2; i++) {
		pose_rig(rig, pairs[i][0], y_axis, 100, 1, mush);
		pose_rig(rig, pairs[i][1], y_axis, 100, 1, base);
		assert_memory_equal(mush, base, floats * sizeof *mush);
	}
	free(mush);
	free(base);
	rig_release(rig);
}

/* The result is the same for a file full of seams. */
static void seams_change_nothing(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	int *owner = xcalloc((size_t)rig->index_count, sizeof *owner);
	struct rig *soup = soup_of(rig, owner);
	float *few = xcalloc((size_t)rig->vertex_count * 6, sizeof *few);
	float *many = xcalloc((size_t)soup->vertex_count * 6, sizeof *many);
	pose_rig(rig, "'delta_mush'", z_axis, 80, 1, few);
	pose_rig(soup, "'delta_mush'", z_axis, 80, 1, many);
	for (int i = 0; i < soup->vertex_count * 3; i++) {
		// Frames have other guides, as their points have other numbers.
		assert_near(many[i], few[owner[i / 3] * 3 + i % 3], 2e-3);
	}
	for (int i = 0; i < soup->vertex_count; i++) {
		for (int k = 0; k < i; k++) {
			if (owner[k] == owner[i]) {
				assert_memory_equal(many + i * 3, many + k * 3, 3 * sizeof *many);
				break;
			}
		}
	}
	free(few);
	free(many);
	free(owner);
	rig_release(soup);
	rig_release(rig);
}

/* The kink where the ramp begins: smoothing spreads it, so that rings below bend, too. */
static void a_bend_reaches_beyond_the_ramp(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	float *out = xcalloc((size_t)rig->vertex_count * 6, sizeof *out);
	pose_rig(rig, "'delta_mush'", z_axis, 90, 1, out);
	// Ring 14 is at y = 0.7, of weight 0; ring 2, at 0.1, is farther than ten edges away.
	double near = 0, far = 0;
	for (int i = 0; i < 48; i++) {
		near = fmax(
			near, fabs((double)out[14 * 48 + i] - (double)rig->positions[14 * 48 + i]));
		far = fmax(far, fabs((double)out[2 * 48 + i] - (double)rig->positions[2 * 48 + i]));
	}
	assert_true(near > 1e-3);
	assert_near(far, 0, 1e-6);
	free(out);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(volumes_are_those_of_methods),
		cmocka_unit_test(rest_and_rigid_motions_are_kept),
		cmocka_unit_test(no_iterations_leave_the_base),
		cmocka_unit_test(seams_change_nothing),
		cmocka_unit_test(a_bend_reaches_beyond_the_ramp),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
