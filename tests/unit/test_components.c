// Rigid parts, balls and bridges between them (METHODS A3) on cyl2, which is cut at y = 1: there
// the weights are equal, so that the faces below it go to joint 0 and those above it to joint 1.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "rigs.h"
#include "skinned.h"

#define CYL2_VERTICES 658
#define RING 16
#define BALL_VERTICES (16 * 7 + 2)

static const double y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};

/* cyl2 as a method cuts it, and skinned with joint 1 turned. */
struct posed {
	struct rig *rig;
	float *positions, *normals;
};

static struct posed pose_cyl2(
	struct rig *rig, const char *skinning, const double axis[static 3], double degrees) {
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	set_rotation(&pose.local[1], axis[0], axis[1], axis[2], degrees);
	struct posed out = {.rig = skinned_rig(rig, skinning)};
	const size_t count = (size_t)out.rig->vertex_count;
	out.positions = xcalloc(count * 6, sizeof *out.positions);
	out.normals = out.positions + count * 3;
	skinned_as(rig, skinning, NULL, &pose, out.positions, out.normals);
	arena_destroy(arena);
	return out;
}

static struct posed cyl2_as(const char *skinning, const double axis[static 3], double degrees) {
	struct rig *rig = rig_cyl2();
	const struct posed out = pose_cyl2(rig, skinning, axis, degrees);
	rig_release(rig);
	return out;
}

static void posed_finish(struct posed *posed) {
	rig_release(posed->rig);
	free(posed->positions);
}

static void assert_sound(const struct rig *rig) {
	struct error err = {0};
	if (!rig_check(rig, &err)) {
		fail_msg("%s", err.text);
	}
}

static double distance(const float *a, const float *b) {
	return sqrt(pow((double)a[0] - (double)b[0], 2) + pow((double)a[1] - (double)b[1], 2) +
		pow((double)a[2] - (double)b[2], 2));
}

static void parts_share_no_vertices(void **state) {
	(void)state;
	struct posed p = cyl2_as("'parts_rigid'", z_axis, 0);
	assert_sound(p.rig);
	assert_int_equal(p.rig->vertex_count, CYL2_VERTICES + RING);
	for (int i = 0; i < p.rig->index_count; i += 3) {
		const uint32_t *face = p.rig->indices + i;
		double y = 0;
		for (int c = 0; c < 3; c++) {
			y += (double)p.rig->positions[face[c] * 3 + 1] / 3;
		}
		for (int c = 0; c < 3; c++) {
			assert_int_equal(p.rig->influence_slots[face[c]], y > 1);
			assert_true(p.rig->influence_weights[face[c]] == 1);
		}
	}
	posed_finish(&p);
}

static void parts_at_rest_are_the_mesh(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct posed p = pose_cyl2(rig, "'parts_rigid'", z_axis, 0);
	assert_int_equal(p.rig->index_count, rig->index_count);
	for (int i = 0; i < rig->index_count; i++) {
		const float *a = p.positions + p.rig->indices[i] * 3;
		assert_near(distance(a, rig->positions + rig->indices[i] * 3), 0, 1e-6);
	}
	posed_finish(&p);
	rig_release(rig);
}

static void parts_are_not_deformed(void **state) {
	(void)state;
	struct posed p = cyl2_as("'parts_rigid'", (const double[]){0.6, 0, 0.8}, 130);
	for (int i = 0; i < p.rig->index_count; i += 3) {
		for (int c = 0; c < 3; c++) {
			const uint32_t a = p.rig->indices[i + c],
				       b = p.rig->indices[i + (c + 1) % 3];
			assert_near(distance(p.positions + a * 3, p.positions + b * 3),
				distance(p.rig->positions + a * 3, p.rig->positions + b * 3), 1e-6);
		}
	}
	posed_finish(&p);
}

static void surface_carries_over(void **state) {
	(void)state;
	// Attributes that are functions of the position: so they must be in any cut.
	static const char *const methods[] = {"'parts_rigid'", "'bridge_blend'"};
	for (int m = 0; m < 2; m++) {
		struct rig *rig = rig_cyl2();
		const size_t count = (size_t)rig->vertex_count;
		rig->texcoords[0] = rig_storage(rig, count, 2 * sizeof(float), "", NULL);
		rig->colors = rig_storage(rig, count, 4 * sizeof(float), "", NULL);
		float *deltas = rig_storage(rig, count, 3 * sizeof(float), "", NULL);
		for (size_t v = 0; v < count; v++) {
			memcpy(rig->texcoords[0] + v * 2, rig->positions + v * 3,
				2 * sizeof(float));
			memcpy(rig->colors + v * 4, rig->positions + v * 3, 3 * sizeof(float));
			memcpy(deltas + v * 3, rig->positions + v * 3, 3 * sizeof(float));
		}
		rig->primitives[0].target_count = 1;
		rig->primitives[0].targets = xcalloc(1, sizeof *rig->primitives[0].targets);
		rig->primitives[0].targets[0].positions = deltas;
		rig->weight_count = rig->joints[0].weight_count = 1;
		rig->rest_weights = rig_storage(rig, 1, sizeof(float), "", NULL);
		struct rig *cut = skinned_rig(rig, methods[m]);
		rig_release(rig);
		assert_sound(cut);
		for (int i = 0; i < cut->primitive_count; i++) {
			const struct primitive *p = &cut->primitives[i];
			for (int v = 0; v < p->vertex_count; v++) {
				const size_t at = (size_t)(p->first_vertex + v);
				const float *expected = cut->positions + at * 3;
				assert_memory_equal(cut->texcoords[0] + at * 2, expected, 8);
				assert_memory_equal(cut->colors + at * 4, expected, 12);
				assert_memory_equal(p->targets[0].positions + v * 3, expected, 12);
			}
		}
		rig_release(cut);
	}
}

static void balls_fill_the_joints(void **state) {
	(void)state;
	struct posed p = cyl2_as("'joint_ball'", y_axis, 0);
	struct posed bent = cyl2_as("'joint_ball'", z_axis, 90);
	assert_sound(p.rig);
	assert_int_equal(p.rig->primitive_count, 2);
	const struct primitive *ball = &p.rig->primitives[1];
	assert_int_equal(ball->vertex_count, BALL_VERTICES);
	assert_int_equal(ball->first_vertex, CYL2_VERTICES + RING);
	const float joint[3] = {0, 1, 0};
	for (int v = ball->first_vertex; v < p.rig->vertex_count; v++) {
		assert_near(distance(p.positions + v * 3, joint), 0.1, 1e-6);
		assert_near(distance(bent.positions + v * 3, joint), 0.1, 1e-6);
		assert_int_equal(p.rig->influence_slots[v], 1);
		for (int k = 0; k < 3; k++) {
			const double out = (double)p.positions[v * 3 + k] - (double)joint[k];
			assert_near(p.normals[v * 3 + k], out / 0.1, 1e-5);
		}
	}
	posed_finish(&p);
	posed_finish(&bent);
}

/* Volume under a primitive's triangles, as seen from the joint. */
static double volume_of(const struct posed *p, const struct primitive *primitive) {
	double sum = 0;
	for (int i = 0; i < primitive->index_count; i += 3) {
		double c[3][3];
		for (int k = 0; k < 9; k++) {
			const uint32_t index = p->rig->indices[primitive->first_index + i + k / 3];
			const size_t vertex = (size_t)primitive->first_vertex + index;
			c[k / 3][k % 3] =
				(double)p->positions[vertex * 3 + (size_t)k % 3] - (k % 3 == 1);
		}
		sum += c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) +
			c[0][1] * (c[1][2] * c[2][0] - c[1][0] * c[2][2]) +
			c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0]);
	}
	return sum / 6;
}

static void balls_are_closed_and_face_outwards(void **state) {
	(void)state;
	struct posed p = cyl2_as("'joint_ball'", z_axis, 0);
	// A stack of seven frustums and two cones of 16 sides, their ends of area 8 r^2 sin(pi/8).
	double expected = 0;
	for (int i = 0; i < 8; i++) {
		const double from = 3.14159265358979323846 * i / 8,
			     to = from + 3.14159265358979323846 / 8;
		const double a = sin(from), b = sin(to), height = cos(from) - cos(to);
		expected +=
			height / 3 * (a * a + a * b + b * b) * 8 * sin(3.14159265358979323846 / 8);
	}
	assert_near(volume_of(&p, &p.rig->primitives[1]) / (expected * 1e-3), 1, 1e-5);
	posed_finish(&p);
}

static void bridges_have_no_width_at_rest(void **state) {
	(void)state;
	struct posed p = cyl2_as("{'method':'bridge_blend','subrings':3}", z_axis, 0);
	assert_sound(p.rig);
	assert_int_equal(p.rig->vertex_count, CYL2_VERTICES + RING + RING * 4);
	for (int v = 0; v < p.rig->vertex_count; v++) {
		assert_near(distance(p.positions + v * 3, p.rig->positions + v * 3), 0, 1e-6);
		assert_near(distance(p.normals + v * 3, p.rig->normals + v * 3), 0, 1e-5);
	}
	posed_finish(&p);
}

/* METHODS' curve from a point of the ring at y = 1 to where 90 degrees about +Z take it, (x, 1, z)
 * to (0, 1 + x, z): it leaves along +Y and arrives along -X. */
static void curve(double x, double z, double u, double out[static 3]) {
	const double a[3] = {x, 1, z}, b[3] = {0, 1 + x, z};
	const double leave[3] = {0, 1, 0}, arrive[3] = {-1, 0, 0};
	const double length = sqrt(2) * fabs(x);
	const double h00 = 2 * u * u * u - 3 * u * u + 1, h10 = u * u * u - 2 * u * u + u;
	const double h01 = -2 * u * u * u + 3 * u * u, h11 = u * u * u - u * u;
	for (int k = 0; k < 3; k++) {
		out[k] = h00 * a[k] + h10 * length * leave[k] + h01 * b[k] +
			h11 * length * arrive[k];
	}
}

/* Runs a check for every vertex of the strips: its place on the ring and its u. */
static void for_strips(const struct posed *p, int subrings,
	void (*check)(const struct posed *p, int vertex, double x, double z, double u)) {
	const struct primitive *strips = &p->rig->primitives[1];
	assert_int_equal(strips->vertex_count, RING * (subrings + 1));
	for (int i = 0; i < strips->vertex_count; i++) {
		const int v = strips->first_vertex + i;
		const float *rest = p->rig->positions + v * 3;
		assert_near(rest[1], 1, 1e-6);
		check(p, v, (double)rest[0], (double)rest[2],
			(double)(i % (subrings + 1)) / subrings);
	}
}

static void check_curve(const struct posed *p, int vertex, double x, double z, double u) {
	double expected[3];
	curve(x, z, u, expected);
	for (int k = 0; k < 3; k++) {
		assert_near(p->positions[vertex * 3 + k], expected[k], 1e-6);
	}
}

static void bridges_are_hermite_curves(void **state) {
	(void)state;
	struct posed p = cyl2_as("{'method':'bridge_blend','subrings':5}", z_axis, 90);
	for_strips(&p, 5, check_curve);
	posed_finish(&p);
}

static void check_line(const struct posed *p, int vertex, double x, double z, double u) {
	assert_near(p->positions[vertex * 3], (1 - u) * x, 1e-6);
	assert_near(p->positions[vertex * 3 + 1], 1 + u * x, 1e-6);
	assert_near(p->positions[vertex * 3 + 2], z, 1e-6);
}

static void linear_bridges_are_straight(void **state) {
	(void)state;
	struct posed p =
		cyl2_as("{'method':'bridge_blend','subrings':5,'variant':'linear'}", z_axis, 90);
	for_strips(&p, 5, check_line);
	posed_finish(&p);
}

/* Against the cross product of differences along the curve and to the ring's neighbours. */
static void check_normal(const struct posed *p, int vertex, double x, double z, double u) {
	const double step = 1e-5;
	if (u == 0 || u == 1 || fabs(x) < 1e-3) {
		return; // the parts' own
	}
	double along[2][3], across[2][3], n[3], a[3], b[3];
	for (int side = 0; side < 2; side++) {
		const double by = side ? step : -step;
		curve(x, z, u + by, along[side]);
		// The ring's tangent, against its direction in the faces below.
		curve(x - by * z, z + by * x, u, across[side]);
	}
	for (int k = 0; k < 3; k++) {
		a[k] = across[0][k] - across[1][k];
		b[k] = along[1][k] - along[0][k];
	}
	n[0] = a[1] * b[2] - a[2] * b[1];
	n[1] = a[2] * b[0] - a[0] * b[2];
	n[2] = a[0] * b[1] - a[1] * b[0];
	const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
	double cosine = 0;
	for (int k = 0; k < 3; k++) {
		cosine += (double)p->normals[vertex * 3 + k] * n[k] / length;
	}
	assert_true(fabs(cosine) > cos(0.01));
	if (x > 0) {
		// Outside of the bend they point outwards: away from (0, 1, 0).
		const float *at = p->positions + vertex * 3, *normal = p->normals + vertex * 3;
		assert_true((double)at[0] * (double)normal[0] +
				((double)at[1] - 1) * (double)normal[1] +
				(double)at[2] * (double)normal[2] >
			0);
	}
}

static void normals_are_those_of_the_curved_surface(void **state) {
	(void)state;
	struct posed p = cyl2_as("{'method':'bridge_blend','subrings':5}", z_axis, 90);
	for_strips(&p, 5, check_normal);
	posed_finish(&p);
}

/* True if a vertex of the parts, the first primitive, has this position. */
static bool is_on_parts(const struct posed *p, const float *at) {
	for (int v = 0; v < p->rig->primitives[0].vertex_count; v++) {
		if (distance(p->positions + v * 3, at) < 1e-6) {
			return true;
		}
	}
	return false;
}

static void check_end(const struct posed *p, int vertex, double x, double z, double u) {
	(void)x;
	(void)z;
	assert_true((u > 0 && u < 1) || is_on_parts(p, p->positions + vertex * 3));
}

static void bridges_end_at_both_parts(void **state) {
	(void)state;
	struct posed p = cyl2_as("'bridge_blend'", (const double[]){0.6, 0, 0.8}, 70);
	for_strips(&p, 4, check_end);
	posed_finish(&p);
}

/* The deviation of the faces, with bridges, from a closed surface: the sum of their areas as
 * vectors. */
static void bridges_close_the_surface(void **state) {
	(void)state;
	static const struct {
		const char *method;
		bool closed;
	} rows[] = {{"'bridge_blend'", true}, {"'parts_rigid'", false}};
	for (int row = 0; row < 2; row++) {
		struct posed p = cyl2_as(rows[row].method, z_axis, 90);
		double sum[3] = {0};
		for (int i = 0; i < p.rig->primitive_count; i++) {
			const struct primitive *part = &p.rig->primitives[i];
			for (int at = 0; at < part->index_count; at += 3) {
				const uint32_t *face = p.rig->indices + part->first_index + at;
				const float *v[3];
				for (int c = 0; c < 3; c++) {
					v[c] = p.positions +
						((size_t)part->first_vertex + face[c]) * 3;
				}
				for (int k = 0; k < 3; k++) {
					const int l = (k + 1) % 3, m = (k + 2) % 3;
					sum[k] += ((double)v[1][l] - (double)v[0][l]) *
							((double)v[2][m] - (double)v[0][m]) -
						((double)v[1][m] - (double)v[0][m]) *
							((double)v[2][l] - (double)v[0][l]);
				}
			}
		}
		// Open, the two mouths are missing, each of area 0.03: at right angles, times two.
		const double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
		assert_near(length, rows[row].closed ? 0 : 2 * sqrt(2) * 0.0306146746, 2e-6);
		posed_finish(&p);
	}
}

static void nothing_builds_on_parts(void **state) {
	(void)state;
	static const char *const bases[] = {"parts_rigid", "joint_ball", "bridge_blend"};
	for (int i = 0; i < 3; i++) {
		struct arena *arena = arena_create();
		const struct skinning_settings settings = settings_of(
			arena, arena_printf(arena, "{'method':'psd','base':'%s'}", bases[i]));
		struct error err = {0};
		assert_false(skin_plan_check(NULL, &settings, &err));
		assert_int_equal(err.code, ERROR_INVALID_VALUE);
		assert_non_null(strstr(err.text, bases[i]));
		arena_destroy(arena);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_share_no_vertices),
		cmocka_unit_test(parts_at_rest_are_the_mesh),
		cmocka_unit_test(parts_are_not_deformed),
		cmocka_unit_test(surface_carries_over),
		cmocka_unit_test(balls_fill_the_joints),
		cmocka_unit_test(balls_are_closed_and_face_outwards),
		cmocka_unit_test(bridges_have_no_width_at_rest),
		cmocka_unit_test(bridges_are_hermite_curves),
		cmocka_unit_test(linear_bridges_are_straight),
		cmocka_unit_test(normals_are_those_of_the_curved_surface),
		cmocka_unit_test(bridges_end_at_both_parts),
		cmocka_unit_test(bridges_close_the_surface),
		cmocka_unit_test(nothing_builds_on_parts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
