// Distances at the skin: against formulas, the renderer's own linear blend skinning, and all
// vertices one by one.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "compress/measure.h"
#include "compress/skin_mesh.h"
#include "rigs.h"
#include "skin/method.h"

#define JOINTS 7
#define VERTICES 700
#define TARGETS 2

static const struct skinning_method *linear(void) {
	static const struct value id = {.kind = VALUE_STRING, .string = "lbs"};
	return skin_method_find(&id, NULL);
}

/* Two poses of a rig in an arena. */
struct poses {
	struct pose pose[2];
	double (*world[2])[12], *weights[2];
};

static struct poses rest_poses(const struct rig *rig, struct arena *arena) {
	struct poses poses;
	for (int i = 0; i < 2; i++) {
		poses.pose[i] = pose_rest(rig, arena);
		poses.world[i] = arena_alloc(arena, (size_t)rig->joint_count, 12 * sizeof(double));
		poses.weights[i] =
			arena_alloc(arena, (size_t)rig->weight_count + 1, sizeof(double));
	}
	return poses;
}

static void compare(const struct rig *rig, struct poses *poses, struct skin_mesh *mesh) {
	struct skin_mesh_pose both[2];
	for (int i = 0; i < 2; i++) {
		pose_to_world(rig, &poses->pose[i], poses->world[i]);
		both[i] = (struct skin_mesh_pose){
			(const double(*)[12])poses->world[i], poses->weights[i]};
	}
	skin_mesh_compare(mesh, &both[0], &both[1]);
}

/* Turns about any axes, the second pose a little farther. */
static void turn(const struct rig *rig, struct poses *poses, double farther_deg, unsigned *seed) {
	for (int i = 0; i < rig->joint_count; i++) {
		double axis[3] = {random_number(seed), random_number(seed), random_number(seed)};
		const double length =
			sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
		const double degrees = 60 * random_number(seed);
		const double more = farther_deg * random_number(seed);
		for (int k = 0; k < 2; k++) {
			set_rotation(&poses->pose[k].local[i], axis[0] / length, axis[1] / length,
				axis[2] / length, degrees + k * more);
		}
	}
}

static void a_vertex_that_turns_moves_by_a_chord(void **state) {
	(void)state;
	const float place[1][3] = {{0.25f, 0, 0}}, weight = 0;
	struct rig *rig = rig_cyl2_vertices(1, place, &weight);
	struct arena *arena = arena_create();
	struct skin_mesh *mesh = skin_mesh_make(rig, arena);
	struct poses poses = rest_poses(rig, arena);
	set_rotation(&poses.pose[0].local[0], 0, 0, 1, 0.01 * 180 / M_PI);
	compare(rig, &poses, mesh);
	assert_near(skin_mesh_distance(mesh, 0), 2 * 0.25 * sin(0.005), 1e-9);
	assert_int_equal(skin_mesh_joint(mesh, 0), 0);
	arena_destroy(arena);
	rig_release(rig);
}

static void distances_are_those_of_the_renderer(void **state) {
	(void)state;
	struct rig *rig = rig_random(3, JOINTS, VERTICES, 4);
	struct arena *arena = arena_create();
	struct skin_mesh *mesh = skin_mesh_make(rig, arena);
	struct poses poses = rest_poses(rig, arena);
	static float skinned[2][VERTICES * 3], normals[VERTICES * 3];
	unsigned seed = 11;
	turn(rig, &poses, 5, &seed);
	compare(rig, &poses, mesh);
	for (int k = 0; k < 2; k++) {
		skin_pose(rig, linear(), &poses.pose[k], false, skinned[k], normals);
	}
	for (int v = 0; v < VERTICES; v++) {
		double square = 0;
		for (int k = 0; k < 3; k++) {
			const double apart =
				(double)skinned[0][3 * v + k] - (double)skinned[1][3 * v + k];
			square += apart * apart;
		}
		assert_near(skin_mesh_distance(mesh, v), sqrt(square), 1e-5);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void add_targets(struct rig *rig, unsigned *seed) {
	struct primitive *primitive = &rig->primitives[0];
	primitive->targets = calloc(TARGETS, sizeof *primitive->targets);
	primitive->target_count = TARGETS;
	for (int t = 0; t < TARGETS; t++) {
		float *moves = rig_storage(rig, 3 * VERTICES, sizeof *moves, "test", NULL);
		for (int i = 0; i < 3 * VERTICES; i++) {
			moves[i] = (float)(0.3 * random_number(seed));
		}
		primitive->targets[t].positions = moves;
	}
	rig->weight_count = TARGETS;
	rig->rest_weights = rig_storage(rig, TARGETS, sizeof(float), "test", NULL);
	rig->joints[primitive->joint].weight_count = TARGETS;
}

static void no_vertex_is_passed_over(void **state) {
	(void)state;
	struct rig *rig = rig_random(5, JOINTS, VERTICES, 4);
	struct arena *arena = arena_create();
	unsigned seed = 21;
	add_targets(rig, &seed);
	struct skin_mesh *mesh = skin_mesh_make(rig, arena);
	struct poses poses = rest_poses(rig, arena);
	for (int i = 0; i < 60; i++) {
		turn(rig, &poses, 2, &seed);
		for (int t = 0; t < TARGETS; t++) {
			poses.weights[0][t] = i % 3 == 0 ? 0 : random_number(&seed);
			poses.weights[1][t] =
				poses.weights[0][t] + (i % 3 == 2 ? 0.1 * random_number(&seed) : 0);
		}
		compare(rig, &poses, mesh);
		double most = 0;
		int which = 0, vertex;
		for (int v = 0; v < VERTICES; v++) {
			const double distance = skin_mesh_distance(mesh, v);
			which = distance > most ? v : which;
			most = fmax(most, distance);
		}
		const int likely = i;
		assert_near(skin_mesh_farthest(mesh, &likely, 1, &vertex), most, 0);
		assert_int_equal(vertex, which);
	}
	arena_destroy(arena);
	rig_release(rig);
}

/* The source's pose, but for one joint that is turned by 0.02 rad about its z axis at one moment.
 */
struct damaged {
	const struct source *source;
	int moment, joint;
};

static bool damaged_local(
	void *decoder, int moment, struct source_transform *local, double *weights) {
	const struct damaged *damaged = decoder;
	const struct source *source = damaged->source;
	(void)weights;
	memcpy(local, source->local, (size_t)source->joint_count * sizeof *local);
	if (moment == damaged->moment) {
		double *q = local[damaged->joint].rotation;
		const double by[4] = {0, 0, sin(0.01), cos(0.01)};
		const double turned[4] = {q[3] * by[0] + q[0] * by[3] + q[1] * by[2],
			q[3] * by[1] + q[1] * by[3] - q[0] * by[2], q[3] * by[2] + q[2] * by[3],
			q[3] * by[3] - q[2] * by[2]};
		memcpy(q, turned, sizeof turned);
	}
	return true;
}

/* A decoder that is wrong at one moment is found out: where, when, and by how much. */
static void a_wrong_decoder_is_noticed(void **state) {
	(void)state;
	const float places[3][3] = {{0.1f, 1.5f, 0}, {0, 1.9f, 0.2f}, {0.3f, 0.2f, 0}};
	const float weights[3] = {1, 1, 0};
	struct rig *rig = rig_cyl2_vertices(3, places, weights);
	struct clip *clip = rig_storage(rig, 1, sizeof *clip, "test", NULL);
	*clip = (struct clip){.name = strdup("still"), .duration_s = 1};
	rig->clips = clip;
	rig->clip_count = 1;
	struct arena *arena = arena_create();
	struct error err = {0};
	struct source source;
	assert_true(source_make(&(struct source_job){rig, clip, NULL}, 4, arena, &source, &err));
	const struct error_shell shell = error_shell_make(rig, 0.03, arena);
	const struct skin_metric metric = {.rig = rig};
	struct skin_points points = skin_points_choose(rig, &shell, false, arena);
	struct skin_probe probe = skin_probe_make(&metric, &points, arena);
	const double reaches[1] = {0};
	struct measure measure = measure_make(&source, &shell, reaches, arena);
	struct shell_error found;
	struct damaged damaged = {&source, 6, 1};
	measure.skin = &probe;
	measure.exact = true;
	measure.most_m = INFINITY;
	assert_true(measure_all(&measure, damaged_local, &damaged, arena, &found));
	/* The joint is at y = 1, and the second vertex 0.9 from its z axis. */
	assert_near(found.max_m, 2 * 0.9 * sin(0.01), 1e-7);
	assert_int_equal(found.vertex, 1);
	assert_int_equal(found.joint, 1);
	assert_near(found.time_s, 6.0 / 16, 1e-6);
	damaged.moment = -1;
	assert_true(measure_all(&measure, damaged_local, &damaged, arena, &found));
	assert_near(found.max_m, 0, 1e-7);
	arena_destroy(arena);
	rig_release(rig);
}

/* The corners of a box are its points, and a vertex that is added counts, too. */
static void the_outermost_vertices_stand_for_all(void **state) {
	(void)state;
	float places[27][3], weights[27] = {0};
	for (int i = 0; i < 27; i++) {
		places[i][0] = (float)(0.1 * (i % 3 - 1));
		places[i][1] = (float)(0.2 * (i / 3 % 3 - 1));
		places[i][2] = (float)(0.3 * (i / 9 - 1));
	}
	struct rig *rig = rig_cyl2_vertices(27, (const float(*)[3])places, weights);
	struct arena *arena = arena_create();
	const struct error_shell shell = error_shell_make(rig, 0.03, arena);
	struct skin_points points = skin_points_choose(rig, &shell, true, arena);
	bool corners[27] = {false};
	for (int i = 0; i < points.count; i++) {
		corners[points.vertices[i]] = true;
	}
	for (int i = 0; i < 27; i++) {
		const bool corner = i % 3 != 1 && i / 3 % 3 != 1 && i / 9 != 1;
		assert_true(!corner || corners[i]);
	}
	assert_near(points.shell.reach[0], sqrt(0.01 + 0.04 + 0.09), 1e-6);
	assert_true(points.shell.reach[1] < 0);
	assert_int_equal(points.shell.first_point[1], points.shell.first_point[2]);
	const int before = points.count, total = points.shell.first_point[2];
	assert_true(skin_points_add(&points, 13));
	assert_false(skin_points_add(&points, 13));
	assert_int_equal(points.count, before + 1);
	assert_int_equal(points.shell.first_point[2], total + 1);
	arena_destroy(arena);
	rig_release(rig);
}

/* All joints share their outermost vertices, and every vertex there is gets added. */
static void room_for_more_vertices_ends(void **state) {
	(void)state;
	struct rig *rig = rig_random(9, JOINTS, VERTICES, JOINTS);
	struct arena *arena = arena_create();
	for (size_t i = 0; i < rig->influence_count; i++) {
		rig->influence_weights[i] = 1.0f / JOINTS;
	}
	const struct error_shell shell = error_shell_make(rig, 0.03, arena);
	struct skin_points points = skin_points_choose(rig, &shell, false, arena);
	int added = 0;
	for (int v = 0; v < VERTICES; v++) {
		added += skin_points_add(&points, v);
	}
	assert_int_equal(added, SKIN_POINTS_MORE);
	assert_int_equal(points.count, points.room);
	for (int i = 0; i < points.shell.first_point[JOINTS]; i++) {
		for (int k = 0; k < 3; k++) {
			assert_true(isfinite(points.shell.points[i][k]));
		}
	}
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_vertex_that_turns_moves_by_a_chord),
		cmocka_unit_test(distances_are_those_of_the_renderer),
		cmocka_unit_test(no_vertex_is_passed_over),
		cmocka_unit_test(a_wrong_decoder_is_noticed),
		cmocka_unit_test(the_outermost_vertices_stand_for_all),
		cmocka_unit_test(room_for_more_vertices_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
