// Two versions of an asset, held against closed forms.
#include <stdlib.h>
#include <string.h>

#include "against/surface_tree.h"
#include "check.h"
#include "checked.h"
#include "interface/against.h"
#include "rigs.h"
#include "shared_files.h"

/* A run with all its steps taken. */
static struct check_run *begin(const struct rig *rig, struct arena *arena) {
	struct check_profile *profile = arena_alloc(arena, 1, sizeof *profile);
	*profile = check_profile_builtin(CHECK_PROFILE_GAME);
	const struct check_job job = {
		.rig = rig,
		.facts = facts_of_rig(rig, arena),
		.profile = profile,
		.path = "test.glb",
	};
	struct error err = {0};
	struct check_run *run = renderer_check_begin(&job, arena, &err);
	for (size_t i = 0; i < renderer_check_steps(run); i++) {
		assert_true(renderer_check_step(run, i, &err));
	}
	return run;
}

static struct checked compare(const struct rig *before, const struct rig *after) {
	struct checked checked = {.arena = arena_create()};
	checked.run = begin(after, checked.arena);
	const struct check_against_job job = {
		.before = begin(before, checked.arena), .after = checked.run};
	struct error err = {0};
	assert_true(renderer_check_against(&job, &err));
	renderer_check_finish(checked.run, &checked.file);
	return checked;
}

static bool is_against(const struct check_measurement *at) {
	return strncmp(renderer_check_rule((size_t)at->rule)->id, "diff/", 5) == 0;
}

static void a_file_is_the_same_as_itself(void **state) {
	(void)state;
	static const char *const files[] = {"assets/demo/humanoid.glb", "assets/demo/cyl3.glb"};
	for (size_t i = 0; i < 2; i++) {
		struct rig *before = own_rig(files[i]), *after = own_rig(files[i]);
		struct checked checked = compare(before, after);
		size_t count = 0;
		for (size_t k = 0; k < checked.file.measurement_count; k++) {
			const struct check_measurement *at = &checked.file.measurements[k];
			if (is_against(at)) {
				assert_near(at->value, 0, 0);
				count++;
			}
		}
		// 8 of the figure, 4 of each clip.
		assert_int_equal(count, 8 + 4 * before->clip_count);
		for (size_t k = 0; k < checked.file.finding_count; k++) {
			assert_false(is_against(&checked.file.findings[k].at));
		}
		checked_finish(&checked);
		rig_release(before);
		rig_release(after);
	}
}

static void without_an_earlier_version_nothing_is_said(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/cyl2.glb");
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	for (size_t k = 0; k < checked.file.measurement_count; k++) {
		assert_false(is_against(&checked.file.measurements[k]));
	}
	for (size_t k = 0; k < checked.file.skip_count; k++) {
		const int rule = checked.file.skipped[k].rule;
		assert_int_not_equal(strncmp(renderer_check_rule((size_t)rule)->id, "diff/", 5), 0);
	}
	checked_finish(&checked);
	rig_release(rig);
}

/* cyl2 with a clip that turns its upper joint about +Z. */
static struct rig *turned(double degrees) {
	struct rig *rig = rig_cyl2();
	struct constant_channel turn = {1, CHANNEL_ROTATION, {0}};
	struct transform transform;
	set_rotation(&transform, 0, 0, 1, degrees);
	memcpy(turn.values, transform.rotation, sizeof transform.rotation);
	rig_add_clip(rig, "Turn", 1, &turn);
	return rig;
}

/* The reach of the upper joint is twice the median distance of its vertices, and the length 2; the
 * farthest vertex is at the rim. */
static void a_turn_is_worth_its_chord(void **state) {
	(void)state;
	const double pi = acos(-1);
	static const double turns[] = {0.01, 5, 30, 90, 179};
	for (size_t i = 0; i < 5; i++) {
		struct rig *before = turned(10), *after = turned(10 + turns[i]);
		struct checked checked = compare(before, after);
		const double chord = 2 * sin(turns[i] * pi / 360);
		const double reach = 2 * hypot(0.55, 0.1);
		assert_near(
			checked_value(&checked, "diff/motion", "Turn"), chord * reach / 2, 1e-6);
		assert_near(
			checked_param(checked_measurement(&checked, "diff/motion", "Turn"), "p95"),
			chord * reach / 2, 1e-6);
		assert_near(checked_value(&checked, "diff/surface", "Turn"),
			chord * hypot(1, 0.1) / 2, 1e-6);
		assert_near(checked_value(&checked, "diff/shape", NULL), 0, 0);
		assert_near(checked_value(&checked, "diff/rest", NULL), 0, 0);
		const struct check_finding *finding =
			checked_finding(&checked, "diff/motion", "Turn");
		if (i > 0) {
			assert_string_equal(finding->at.joint, before->joints[1].name);
		} else {
			assert_null(finding);
		}
		checked_finish(&checked);
		rig_release(before);
		rig_release(after);
	}
}

/* Vertices in reverse. */
static void renumber(struct rig *rig) {
	const int count = rig->vertex_count, influences = rig->primitives[0].influence_count;
	for (int v = 0; v < count / 2; v++) {
		const int other = count - 1 - v;
		for (int k = 0; k < 3; k++) {
			const float position = rig->positions[3 * v + k];
			const float normal = rig->normals[3 * v + k];
			rig->positions[3 * v + k] = rig->positions[3 * other + k];
			rig->normals[3 * v + k] = rig->normals[3 * other + k];
			rig->positions[3 * other + k] = position;
			rig->normals[3 * other + k] = normal;
		}
		for (int k = 0; k < influences; k++) {
			const int a = v * influences + k, b = other * influences + k;
			const uint16_t slot = rig->influence_slots[a];
			const float weight = rig->influence_weights[a];
			rig->influence_slots[a] = rig->influence_slots[b];
			rig->influence_weights[a] = rig->influence_weights[b];
			rig->influence_slots[b] = slot;
			rig->influence_weights[b] = weight;
		}
	}
	for (int i = 0; i < rig->index_count; i++) {
		rig->indices[i] = (uint32_t)(count - 1) - rig->indices[i];
	}
}

static void numbers_of_vertices_do_not_matter(void **state) {
	(void)state;
	struct rig *before = turned(40), *after = turned(40);
	renumber(after);
	struct checked checked = compare(before, after);
	assert_near(checked_value(&checked, "diff/surface", "Turn"), 0, 0);
	assert_near(checked_value(&checked, "diff/shape", NULL), 0, 0);
	assert_near(checked_value(&checked, "diff/topology", NULL), 0, 0);
	assert_near(checked_value(&checked, "diff/uv", NULL), 0, 0);
	checked_finish(&checked);
	rig_release(before);
	rig_release(after);
}

/* A cylinder that is thicker by a tenth: its vertices are 0.01 from those before. */
static void another_mesh_is_measured_by_its_surface(void **state) {
	(void)state;
	for (int renumbered = 0; renumbered < 2; renumbered++) {
		struct rig *before = turned(0), *after = turned(0);
		for (int v = 0; v < after->vertex_count; v++) {
			after->positions[3 * v] *= 1.1f;
			after->positions[3 * v + 2] *= 1.1f;
		}
		if (renumbered) {
			renumber(after);
		}
		struct checked checked = compare(before, after);
		assert_near(checked_value(&checked, "diff/shape", NULL), 0.005, 1e-7);
		assert_near(checked_value(&checked, "diff/surface", "Turn"), 0.005, 1e-7);
		const struct check_measurement *shape =
			checked_measurement(&checked, "diff/shape", NULL);
		const double rms = checked_param(shape, "rms");
		assert_true(rms > 0.0045 && rms < 0.005);
		assert_near(checked_param(shape, "p99"), 0.005, 1e-7);
		checked_finish(&checked);
		rig_release(before);
		rig_release(after);
	}
}

/* Moves all vertices at random; one is nowhere. */
static float *scattered(const struct rig *rig, unsigned seed, int nowhere, struct arena *arena) {
	const size_t count = (size_t)rig->vertex_count * 3;
	float *out = arena_alloc(arena, count, sizeof *out);
	for (size_t i = 0; i < count; i++) {
		out[i] = rig->positions[i] + (float)random_number(&seed) * 0.3f;
	}
	out[3 * nowhere + 1] = nowhere % 2 ? INFINITY : NAN;
	return out;
}

/* A tree that has moved is as good as one that is made there. */
static void distances_from_a_moved_surface_are_exact(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct rig *rig = rig_cyl2();
	const float *here = scattered(rig, 3, 0, arena), *there = scattered(rig, 4, 5, arena);
	struct surface_tree *moved = surface_tree_create(rig, here, arena);
	const struct surface_tree *made = surface_tree_create(rig, there, arena);
	unsigned seed = 5;
	double before = 0, apart = 0;
	for (int i = 0; i < 2000; i++) {
		double point[3];
		for (int k = 0; k < 3; k++) {
			point[k] = random_number(&seed) * 2;
		}
		surface_tree_move(moved, here);
		before = surface_tree_distance(moved, point);
		surface_tree_move(moved, there);
		const double distance = surface_tree_distance(moved, point);
		assert_near(distance, surface_tree_distance(made, point), 1e-12);
		apart = fmax(apart, fabs(distance - before));
	}
	assert_true(apart > 0.05);
	// The vertex that was nowhere is on the surface again.
	const double point[3] = {there[0], there[1], there[2]};
	assert_near(surface_tree_distance(moved, point), 0, 0);
	rig_release(rig);
	arena_destroy(arena);
}

static void rename_joint(struct rig *rig, int joint, const char *name) {
	free(rig->joints[joint].name);
	rig->joints[joint].name = strdup(name);
}

static void joints_are_paired(void **state) {
	(void)state;
	struct rig *before = own_rig("assets/demo/humanoid.glb");
	struct rig *after = own_rig("assets/demo/humanoid.glb");
	const int head = rig_find_joint(after, "Head"), hand = rig_find_joint(after, "LeftHand");
	const int foot = rig_find_joint(after, "LeftFoot");
	rename_joint(after, head, "Kopf");
	rename_joint(after, foot, "Fuss");
	after->joints[foot].rest.translation[0] += 0.05f;
	after->joints[hand].parent = after->joints[after->joints[hand].parent].parent;
	struct checked checked = compare(before, after);
	const struct check_measurement *joints = checked_measurement(&checked, "diff/joints", NULL);
	assert_near(checked_param(joints, "renamed"), 1, 0);
	// The hand, and the toe, whose foot is not the one from before.
	assert_near(checked_param(joints, "reparented"), 2, 0);
	assert_near(checked_param(joints, "removed"), 1, 0);
	assert_near(checked_param(joints, "added"), 1, 0);
	assert_near(joints->value, 5, 0);
	const struct check_finding *finding = checked_finding(&checked, "diff/joints", NULL);
	assert_non_null(finding);
	assert_non_null(strstr(finding->message, "Kopf"));
	checked_finish(&checked);
	rig_release(before);
	rig_release(after);
}

static void a_moved_rest_is_its_translation(void **state) {
	(void)state;
	struct rig *before = rig_cyl2(), *after = rig_cyl2();
	after->joints[1].rest.translation[1] += 0.25f;
	struct checked checked = compare(before, after);
	assert_near(checked_value(&checked, "diff/rest", NULL), 0.25 / 2, 1e-9);
	assert_near(checked_value(&checked, "diff/joints", NULL), 0, 0);
	checked_finish(&checked);
	rig_release(before);
	rig_release(after);
}

/* The keys of a clip, 1.6 times as fast. */
static void speed_up(struct clip *clip) {
	clip->tracks = NULL;
	clip->duration_s /= 1.6;
	const float *done = NULL;
	for (int i = 0; i < clip->channel_count; i++) {
		float *times = (float *)(uintptr_t)clip->channels[i].times;
		for (int k = 0; k < clip->channels[i].key_count && times != done; k++) {
			times[k] /= 1.6f;
		}
		done = times;
	}
}

static void clips_come_and_go_and_change(void **state) {
	(void)state;
	struct rig *before = own_rig("assets/demo/cyl2.glb");
	struct rig *after = own_rig("assets/demo/cyl2.glb");
	const int twist = rig_find_clip(after, "twist"), bend = rig_find_clip(after, "bend");
	free(after->clips[twist].name);
	after->clips[twist].name = strdup("spin");
	speed_up(&after->clips[bend]);
	struct checked checked = compare(before, after);
	assert_near(checked_value(&checked, "diff/clips_removed", NULL), 1, 0);
	assert_near(checked_value(&checked, "diff/clips_added", NULL), 1, 0);
	const struct check_finding *removed = checked_finding(&checked, "diff/clips_removed", NULL);
	assert_non_null(strstr(removed->message, "twist"));
	const struct check_measurement *duration =
		checked_measurement(&checked, "diff/duration", "bend");
	const double length = checked_param(duration, "before");
	assert_near(checked_param(duration, "after"), length / 1.6, 1e-6);
	assert_near(duration->value, length - length / 1.6, 1e-6);
	const struct check_measurement *rate = checked_measurement(&checked, "diff/rate", "bend");
	assert_near(checked_param(rate, "before"), 10, 0);
	assert_near(checked_param(rate, "after"), 24, 0);
	assert_true(checked_value(&checked, "diff/motion", "bend") > 0.1);
	checked_finish(&checked);
	rig_release(before);
	rig_release(after);
}

/* Texture coordinates that count the vertices. */
static void add_texcoords(struct rig *rig) {
	struct error err = {0};
	rig->texcoords[0] =
		rig_storage(rig, 2 * (size_t)rig->vertex_count, sizeof(float), "test", &err);
	assert_non_null(rig->texcoords[0]);
	for (int v = 0; v < rig->vertex_count; v++) {
		rig->texcoords[0][2 * v] = (float)v;
	}
}

static void texture_coordinates_and_materials_are_counted(void **state) {
	(void)state;
	struct rig *before = own_rig("assets/demo/humanoid.glb");
	struct rig *after = own_rig("assets/demo/humanoid.glb");
	add_texcoords(before);
	add_texcoords(after);
	assert_true(after->material_count > 0);
	for (int v = 10; v < 13; v++) {
		after->texcoords[0][2 * v] += 0.25f;
	}
	after->materials[0].roughness = 0.125f;
	struct checked checked = compare(before, after);
	assert_near(checked_value(&checked, "diff/uv", NULL), 3, 0);
	const struct check_measurement *uv = checked_measurement(&checked, "diff/uv", NULL);
	assert_int_equal(uv->vertex_count, 3);
	assert_int_equal(uv->vertices[0], 10);
	const struct check_measurement *materials =
		checked_measurement(&checked, "diff/materials", NULL);
	assert_near(materials->value, 1, 0);
	assert_near(checked_param(materials, "changed"), 1, 0);
	checked_finish(&checked);
	rig_release(before);
	rig_release(after);
}

static void measurements_tell_what_they_were(void **state) {
	(void)state;
	struct rig *before = turned(0), *after = own_rig("assets/demo/cyl2.glb");
	rig_add_clip(before, "bend", 0, NULL);
	struct checked old = checked_rig(before, CHECK_PROFILE_GAME);
	struct checked new = checked_rig(after, CHECK_PROFILE_GAME);
	renderer_check_compare(&old.file, new.arena, &new.file);
	const struct check_measurement *bent = checked_measurement(&new, "clip/duration", "bend");
	const struct check_measurement *twisted =
		checked_measurement(&new, "clip/duration", "twist");
	const struct check_measurement *vertices =
		checked_measurement(&new, "budget/vertices", NULL);
	assert_true(bent->has_before);
	assert_near(bent->before, checked_value(&old, "clip/duration", "bend"), 0);
	assert_false(twisted->has_before);
	assert_true(vertices->has_before);
	assert_near(vertices->before, before->vertex_count, 0);
	checked_finish(&old);
	checked_finish(&new);
	rig_release(before);
	rig_release(after);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_the_same_as_itself),
		cmocka_unit_test(without_an_earlier_version_nothing_is_said),
		cmocka_unit_test(a_turn_is_worth_its_chord),
		cmocka_unit_test(numbers_of_vertices_do_not_matter),
		cmocka_unit_test(another_mesh_is_measured_by_its_surface),
		cmocka_unit_test(distances_from_a_moved_surface_are_exact),
		cmocka_unit_test(joints_are_paired),
		cmocka_unit_test(a_moved_rest_is_its_translation),
		cmocka_unit_test(clips_come_and_go_and_change),
		cmocka_unit_test(texture_coordinates_and_materials_are_counted),
		cmocka_unit_test(measurements_tell_what_they_were),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
