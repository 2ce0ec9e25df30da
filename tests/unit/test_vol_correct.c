// Volume correction as it is served checked against METHODS A22.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "rigs.h"
#include "skin/plan.h"
#include "skinned.h"
#include "soup.h"

static const double y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};

/* METHODS: twist90 by lbs has 0.915009 of its volume; corrected, all of it. A bend likewise. */
static void volumes_come_back(void **state) {
	(void)state;
	assert_near(skinned_cyl2_volume("'lbs'", y_axis, 90), 0.915009, 1e-5);
	// Positions are floats: 1e-9 is for doubles.
	assert_near(skinned_cyl2_volume("'vol_correct'", y_axis, 90), 1, 1e-6);
	assert_near(skinned_cyl2_volume("{'method': 'vol_correct', 'mu': 'global'}", y_axis, 90), 1,
		1e-6);
	assert_near(skinned_cyl2_volume("{'method': 'vol_correct', 'base': 'dqs'}", z_axis, 120), 1,
		1e-6);
}

static void pose_rig(const struct rig *rig, const char *skinning, const double axis[3],
	double degrees, int joint, float *out) {
	struct arena *arena = arena_create();
	struct pose pose = pose_rest(rig, arena);
	set_rotation(&pose.local[joint], axis[0], axis[1], axis[2], degrees);
	skinned_as(rig, skinning, NULL, &pose, out, out + (size_t)rig->vertex_count * 3);
	arena_destroy(arena);
}

/* The known step, 20.142 mu g: on the ring of weight 1/2 mu is 1. */
static void vertices_go_the_known_way(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	const size_t floats = (size_t)rig->vertex_count * 6;
	float *before = xcalloc(floats, sizeof *before), *after = xcalloc(floats, sizeof *after);
	pose_rig(rig, "'lbs'", y_axis, 90, 1, before);
	pose_rig(rig, "'vol_correct'", y_axis, 90, 1, after);
	for (int vertex = 18 * 16; vertex < 23 * 16; vertex++) {
		double gradient[3] = {0};
		for (int f = 0; f < rig->index_count; f += 3) {
			for (int corner = 0; corner < 3; corner++) {
				if ((int)rig->indices[f + corner] != vertex) {
					continue;
				}
				const float *b = before + rig->indices[f + (corner + 1) % 3] * 3;
				const float *c = before + rig->indices[f + (corner + 2) % 3] * 3;
				for (int k = 0; k < 3; k++) {
					const int l = (k + 1) % 3, m = (k + 2) % 3;
					gradient[k] +=
						((double)b[l] * c[m] - (double)b[m] * c[l]) / 6;
				}
			}
		}
		const double w = (rig->positions[vertex * 3 + 1] - 0.75) / 0.5;
		for (int k = 0; k < 3; k++) {
			const double step =
				(double)after[vertex * 3 + k] - (double)before[vertex * 3 + k];
			assert_near(step, 20.142 * 4 * w * (1 - w) * gradient[k], 2e-6);
		}
	}
	free(before);
	free(after);
	rig_release(rig);
}

static void rest_and_rigid_motions_are_kept(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	const size_t floats = (size_t)rig->vertex_count * 6;
	float *before = xcalloc(floats, sizeof *before), *after = xcalloc(floats, sizeof *after);
	for (int degrees = 0; degrees <= 70; degrees += 70) {
		pose_rig(rig, "'lbs'", z_axis, degrees, 0, before);
		pose_rig(rig, "'vol_correct'", z_axis, degrees, 0, after);
		for (int i = 0; i < rig->vertex_count * 3; i++) {
			assert_near(after[i], before[i], 1e-7);
		}
	}
	free(before);
	free(after);
	rig_release(rig);
}

/* A root that scales makes room for all that is in it. */
static void scaled_joints_scale_the_volume(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	float *out = xcalloc((size_t)rig->vertex_count * 6, sizeof *out);
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	set_rotation(&pose.local[1], 0, 1, 0, 90);
	for (int k = 0; k < 3; k++) {
		pose.local[0].scale[k] = 3;
	}
	skinned_as(rig, "'vol_correct'", NULL, &pose, out, out + (size_t)rig->vertex_count * 3);
	assert_near(mesh_volume(rig, out) / mesh_volume(rig, rig->positions), 27, 1e-4);
	arena_destroy(arena);
	free(out);
	rig_release(rig);
}

/* In two primitives and full of seams it is still one part. */
static void seams_part_no_volume(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	int *owner = xcalloc((size_t)rig->index_count, sizeof *owner);
	struct rig *soup = soup_of(rig, owner);
	float *out = xcalloc((size_t)soup->vertex_count * 6, sizeof *out);
	pose_rig(soup, "'vol_correct'", y_axis, 90, 1, out);
	double volume = 0;
	for (int i = 0; i < soup->vertex_count; i += 3) {
		const float *a = out + i * 3, *b = a + 3, *c = a + 6;
		volume += a[0] * ((double)b[1] * c[2] - (double)b[2] * c[1]) +
			a[1] * ((double)b[2] * c[0] - (double)b[0] * c[2]) +
			a[2] * ((double)b[0] * c[1] - (double)b[1] * c[0]);
	}
	assert_near(volume / 6 / mesh_volume(rig, rig->positions), 1, 1e-6);
	free(out);
	free(owner);
	rig_release(soup);
	rig_release(rig);
}

static void open_surfaces_are_refused(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	for (int i = 0; i < rig->index_count; i += 3) {
		if (rig->indices[i] == 41 * 16) {
			rig->indices[i + 1] = rig->indices[i + 2] = rig->indices[i];
		}
	}
	struct arena *arena = arena_create();
	struct skin_library *library = skin_library_create(NULL, 0);
	const struct skinning_settings settings = settings_of(arena, "'vol_correct'");
	const struct skin_plan_params params = {
		.subject = {.rig = rig, .skinning = settings},
		.clip = -1,
	};
	struct skin_plan plan;
	struct error err = {0};
	assert_false(skin_plan_make(library, &params, &plan, &err));
	assert_int_equal(err.code, ERROR_MISSING_DATA);
	assert_non_null(strstr(err.text, "NOT_CLOSED"));
	skin_library_destroy(library);
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(open_surfaces_are_refused),
		cmocka_unit_test(volumes_come_back),
		cmocka_unit_test(vertices_go_the_known_way),
		cmocka_unit_test(rest_and_rigid_motions_are_kept),
		cmocka_unit_test(scaled_joints_scale_the_volume),
		cmocka_unit_test(seams_part_no_volume),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
