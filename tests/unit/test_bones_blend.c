// Bones blending checked against METHODS A9's closed forms.
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "base/quat.h"
#include "check.h"
#include "rigs.h"
#include "skinned.h"

#define DEGREES (180 / 3.14159265358979323846)

static const double y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};

static void azimuth_is_the_share_of_the_angle(void **state) {
	(void)state;
	const float beside_joint[3] = {0.1f, 1, 0};
	for (int degrees = 5; degrees < 180; degrees += 5) {
		for (int w = 0; w <= 8; w++) {
			float out[3], n[3];
			skinned_cyl2_vertex("'bones_blend'", beside_joint, (float)w / 8, y_axis,
				degrees, out, n);
			// METHODS A9: 22.5 degrees at 90 and a quarter.
			assert_near(atan2(-out[2], out[0]) * DEGREES, degrees * w / 8.0, 2e-4);
			assert_near(atan2(-n[2], n[0]) * DEGREES, degrees * w / 8.0, 2e-4);
			assert_near(hypot(out[0], out[2]), 0.1, 1e-7);
		}
	}
}

static void bend_puts_a_vertex_where_known(void **state) {
	(void)state;
	const float at[3] = {0.1f, 0.9f, 0};
	const double expected[3] = {0.134500, 0.956298, 0};
	float out[3], n[3];
	skinned_cyl2_vertex("'bones_blend'", at, 0.3f, z_axis, 90, out, n);
	for (int k = 0; k < 3; k++) {
		assert_near(out[k], expected[k], 1e-6);
	}
}

/* The mean of rotations in double precision, by the same fixed point to its end. */
static void mean_by_doubles(
	const double (*q)[4], const float *weights, int count, double mean[static 4]) {
	memcpy(mean, q[0], 4 * sizeof *mean);
	for (int step = 0; step < 200; step++) {
		double sum[3] = {0};
		for (int k = 0; k < count; k++) {
			double back[4], way[4];
			quat_conjugate(mean, back);
			quat_multiply(back, q[k], way);
			const double sign = way[3] < 0 ? -1 : 1;
			const double s = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
			const double half = atan2(s, fabs(way[3]));
			for (int i = 0; i < 3 && s > 0; i++) {
				sum[i] += weights[k] * sign * half * way[i] / s;
			}
		}
		const double half = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
		const double by = half > 0 ? sin(half) / half : 1;
		const double turn[4] = {by * sum[0], by * sum[1], by * sum[2], cos(half)};
		quat_multiply(mean, turn, mean);
	}
}

static void four_bones_meet_in_their_mean(void **state) {
	(void)state;
	const float weights[4] = {0.4f, 0.3f, 0.2f, 0.1f};
	for (unsigned seed = 1; seed <= 20; seed++) {
		struct rig *rig = rig_hub(seed, 4, 1, 4);
		memcpy(rig->influence_weights, weights, sizeof weights);
		for (int k = 0; k < 4; k++) {
			rig->influence_slots[k] = (uint16_t)k;
		}
		struct arena *arena = arena_create();
		const struct pose pose = pose_rest(rig, arena);
		double world[4][12], m[12], q[4][4], stretch[9], mean[4], turned[12];
		for (int j = 1; j < 4; j++) {
			// Up to 120 degrees from the parent, each about another axis.
			double axis[3] = {0, 0, 0};
			axis[j - 1] = 1;
			struct transform turn = TRANSFORM_IDENTITY;
			set_rotation(&turn, axis[0], axis[1], axis[2], 120 * random_number(&seed));
			double rest[4], by[4];
			for (int k = 0; k < 4; k++) {
				rest[k] = pose.local[j].rotation[k];
				by[k] = turn.rotation[k];
			}
			quat_multiply(rest, by, by);
			for (int k = 0; k < 4; k++) {
				pose.local[j].rotation[k] = (float)by[k];
			}
		}
		pose_to_world(rig, &pose, world);
		for (int j = 0; j < 4; j++) {
			mat_multiply(world[j], rig->slots[j].inverse_bind, m);
			mat_polar(m, q[j], stretch);
		}
		mean_by_doubles((const double(*)[4])q, weights, 4, mean);
		const float zero[3] = {0}, one[3] = {1, 1, 1};
		const float rotation[4] = {
			(float)mean[0], (float)mean[1], (float)mean[2], (float)mean[3]};
		mat_from_transform(zero, rotation, one, turned);
		double normal[3] = {rig->normals[0], rig->normals[1], rig->normals[2]};
		mat_map_direction(turned, normal, normal);
		float out[3], n[3];
		skinned_as(rig, "'bones_blend'", NULL, &pose, out, n);
		for (int k = 0; k < 3; k++) {
			assert_near(n[k], normal[k], 2e-6);
		}
		arena_destroy(arena);
		rig_release(rig);
	}
}

static void vertices_that_fall_back_are_those_of_sbs(void **state) {
	(void)state;
	struct rig *rig = rig_random(11, 9, 500, 4);
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	unsigned seed = 4;
	for (int j = 0; j < 9; j++) {
		for (int k = 0; k < 4; k++) {
			pose.local[j].rotation[k] += 0.5f * (float)random_number(&seed);
		}
	}
	float *own = xcalloc(500 * 12, sizeof *own), *sbs = own + 500 * 6;
	skinned_as(rig, "'bones_blend'", NULL, &pose, own, own + 1500);
	skinned_as(rig, "'sbs'", NULL, &pose, sbs, sbs + 1500);
	assert_memory_equal(own, sbs, 500 * 6 * sizeof *own);
	free(own);
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(azimuth_is_the_share_of_the_angle),
		cmocka_unit_test(bend_puts_a_vertex_where_known),
		cmocka_unit_test(four_bones_meet_in_their_mean),
		cmocka_unit_test(vertices_that_fall_back_are_those_of_sbs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
