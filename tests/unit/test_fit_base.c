// The way back through a base method checked against displacements that went forth through it.
#include <string.h>

#include "base/vec.h"
#include "check.h"
#include "fit/base.h"
#include "rigs.h"
#include "sculpted.h"

static struct rig *stretched_rig(void) {
	return rig_random(7, 4, 200, 4);
}

/* A pose of no particular kind, with some scale where the joints may scale. */
static struct pose any_pose(struct sculpted *s, double scale) {
	struct pose pose = sculpted_pose(s);
	set_rotation(&pose.local[1], 0.6, 0, 0.8, 70);
	set_rotation(&pose.local[2], 0, 1, 0, -50);
	pose.local[2].scale[0] = (float)scale;
	return pose;
}

/* Displaces rest vertices and turns rest normals, skins both, and asks for the way back. */
static void way_back(const char *base, double scale) {
	struct sculpted *s = sculpted_create(stretched_rig(), base, base);
	const struct pose pose = any_pose(s, scale);
	sculpted_add(s, "any", &pose, 0);
	const size_t count = (size_t)s->rig->vertex_count;
	float *position = arena_alloc(s->arena, count, 3 * sizeof(float));
	float *normal = arena_alloc(s->arena, count, 3 * sizeof(float));
	unsigned seed = 3;
	for (size_t i = 0; i < count * 3; i++) {
		position[i] = s->rig->positions[i] + (float)(0.3 * random_number(&seed));
		normal[i] = s->rig->normals[i] + (float)(0.3 * random_number(&seed));
	}
	for (size_t v = 0; v < count; v++) {
		double unit[3] = {normal[v * 3], normal[v * 3 + 1], normal[v * 3 + 2]};
		vec3_normalize(unit);
		for (int i = 0; i < 3; i++) {
			normal[v * 3 + (size_t)i] = (float)unit[i];
		}
	}
	float *to = arena_alloc(s->arena, count, 3 * sizeof(float));
	float *normal_to = arena_alloc(s->arena, count, 3 * sizeof(float));
	sculpted_skin(s, s->base, &pose, position, normal, to, normal_to);
	struct base_samples *samples = base_samples_create(s->rig, NULL);
	assert_true(base_sample(samples, &s->input, 0, NULL));
	for (int v = 0; v < s->rig->vertex_count; v++) {
		double moved[3], turned[3], condition;
		assert_true(base_pull_position(samples, v, to + v * 3, moved, &condition));
		base_pull_normal(samples, v, normal_to + v * 3, turned);
		assert_true(condition >= 1 - 1e-6);
		for (int i = 0; i < 3; i++) {
			const int k = v * 3 + i;
			assert_near(moved[i], position[k] - s->rig->positions[k], 3e-6 * condition);
			assert_near(turned[i], normal[k] - s->rig->normals[k], 3e-6 * condition);
		}
	}
	base_samples_destroy(samples);
	sculpted_destroy(s);
}

static void leads_back_through_lbs(void **state) {
	(void)state;
	way_back("lbs", 1);
	way_back("lbs", 1.7);
}

static void leads_back_through_dqs(void **state) {
	(void)state;
	way_back("dqs", 1);
	way_back("dqs", 1.7);
}

static void nothing_leads_back_from_a_flattened_vertex(void **state) {
	(void)state;
	// METHODS A5, G13: twisted by 180 degrees, weights of one half: diag(0, 1, 0).
	const float positions[2][3] = {{0.1f, 1, 0}, {0.1f, 1.1f, 0}}, weights[2] = {0.5f, 0.7f};
	struct sculpted *s =
		sculpted_create(rig_cyl2_vertices(2, positions, weights), "lbs", "lbs");
	const struct pose pose = sculpted_pose(s);
	set_rotation(&pose.local[1], 0, 1, 0, 180);
	sculpted_add(s, "twist", &pose, 0);
	struct base_samples *samples = base_samples_create(s->rig, NULL);
	assert_true(base_sample(samples, &s->input, 0, NULL));
	double moved[3], condition;
	assert_false(base_pull_position(samples, 0, positions[0], moved, &condition));
	assert_true(condition > BASE_WORST_CONDITION);
	assert_true(moved[0] == 0 && moved[1] == 0 && moved[2] == 0);
	// The other is scaled by 0.4 across the axis: sqrt(1 + 2 * 0.16) * sqrt(1 + 2 / 0.16) / 3.
	assert_true(base_pull_position(samples, 1, positions[1], moved, &condition));
	assert_near(condition, sqrt(1.32 * 13.5) / 3, 1e-5);
	base_samples_destroy(samples);
	sculpted_destroy(s);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(leads_back_through_lbs),
		cmocka_unit_test(leads_back_through_dqs),
		cmocka_unit_test(nothing_leads_back_from_a_flattened_vertex),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
