// Baked clips checked against METHODS A1's closed forms, and against the method that they were
// baked with.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "pose/sample/sampler.h"
#include "rigs.h"
#include "skinned.h"

#define PI 3.14159265358979323846

/* Gives a rig one clip in which joint 1 turns about +Z, key after key. */
static void add_clip(struct rig *rig, int count, const float *times, const double *degrees) {
	float *kept = rig_storage(rig, (size_t)count, sizeof *kept, "", NULL);
	float *values = rig_storage(rig, (size_t)count * 4, sizeof *values, "", NULL);
	memcpy(kept, times, (size_t)count * sizeof *kept);
	for (int i = 0; i < count; i++) {
		struct transform turned;
		set_rotation(&turned, 0, 0, 1, degrees[i]);
		memcpy(values + i * 4, turned.rotation, sizeof turned.rotation);
	}
	struct channel *channel = xcalloc(1, sizeof *channel);
	*channel = (struct channel){
		.joint = 1,
		.path = CHANNEL_ROTATION,
		.interpolation = INTERPOLATION_LINEAR,
		.key_count = count,
		.width = 4,
		.times = kept,
		.values = values,
	};
	rig->clips = rig_storage(rig, 1, sizeof *rig->clips, "", NULL);
	rig->clips[0] = (struct clip){
		.name = xstrndup("bend", 4),
		.duration_s = (double)times[count - 1],
		.channel_count = 1,
		.channels = channel,
	};
	rig->clip_count = 1;
}

/* Plays the rig's clip at a time: positions, then normals. False with *err. */
static bool play(
	const struct rig *rig, const char *skinning, double time_s, float *out, struct error *err) {
	struct arena *arena = arena_create();
	struct skin_library *library = skin_library_create(NULL, 0);
	const struct skinning_settings settings = settings_of(arena, skinning);
	const struct skin_plan_params params = {
		.subject = {.rig = rig, .skinning = settings},
		.clip = 0,
		.time_s = time_s,
	};
	struct skin_plan plan;
	bool ok = skin_plan_make(library, &params, &plan, err);
	if (ok) {
		// Playback takes its vertices from keys, not from these.
		const struct prepare_job job = {
			.rig = rig,
			.matrices =
				arena_alloc(arena, (size_t)rig->slot_count, sizeof *job.matrices),
			.arena = arena,
		};
		const struct skin_job skin = {.positions = rig->positions,
			.normals = rig->normals,
			.out_positions = out,
			.out_normals = out + (size_t)rig->vertex_count * 3};
		struct skin_palette palette;
		ok = skin_plan_prepare(&plan, &job, &palette, err);
		skin_plan_run(&plan, &palette, &skin, NULL, false);
		skin_plan_finish(&plan);
	}
	skin_library_destroy(library);
	arena_destroy(arena);
	return ok;
}

static void play_fine(const struct rig *rig, const char *skinning, double time_s, float *out) {
	struct error err = {0};
	if (!play(rig, skinning, time_s, out, &err)) {
		fail_msg("%s: %s", skinning, err.text);
	}
}

/* The same by the method that bakes, at the moment itself. */
static void skin_directly(const struct rig *rig, const char *skinning, double time_s, float *out) {
	struct arena *arena = arena_create();
	struct pose pose = pose_rest(rig, arena);
	clip_sample(rig, &rig->clips[0], time_s, &pose);
	skinned_as(rig, skinning, NULL, &pose, out, out + (size_t)rig->vertex_count * 3);
	arena_destroy(arena);
}

static void limbs_shorten_between_keys_by_the_known_ratio(void **state) {
	(void)state;
	static const struct {
		double degrees, ratio;
	} rows[] = {{30, 0.965926}, {60, 0.866025}, {90, 0.707107}};
	const float tip[1][3] = {{0, 2, 0}}, weight = 1, times[2] = {0, 1};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rig *rig = rig_cyl2_vertices(1, tip, &weight);
		add_clip(rig, 2, times, (const double[2]){0, rows[i].degrees});
		float out[6];
		play_fine(rig, "{'method': 'vertex_keyframe', 'rate': 1}", 0.5, out);
		assert_near(hypot(out[0], out[1] - 1), rows[i].ratio, 1e-6);
		const double half = rows[i].degrees * PI / 360;
		assert_near(out[3], cos(half), 1e-6); // the normal, of +X
		assert_near(out[4], sin(half), 1e-6);
		rig_release(rig);
	}
}

static struct rig *bending(void) {
	struct rig *rig = rig_cyl2();
	const float times[4] = {0.1f, 0.3f, 0.45f, 1};
	add_clip(rig, 4, times, (const double[4]){0, 40, -30, 80});
	return rig;
}

static void keys_are_what_was_baked(void **state) {
	(void)state;
	static const struct {
		const char *baked, *base;
		double times[3];
	} rows[] = {
		{"{'method': 'vertex_keyframe'}", "'lbs'", {0.1, 0.5, 1}},
		{"{'method': 'vertex_keyframe', 'interpolation': 'catmull_rom'}", "'lbs'",
			{0, 0.5, 1}},
		{"{'method': 'vertex_keyframe', 'base': 'dqs', 'rate': 7.5}", "'dqs'",
			{0, 2 / 7.5, 1}},
		{"{'method': 'vertex_keyframe', 'rate': 0}", "'lbs'", {0.3f, 0.45f, 1}},
	};
	struct rig *rig = bending();
	const size_t count = (size_t)rig->vertex_count * 6;
	float *out = xcalloc(count * 2, sizeof *out);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		for (int k = 0; k < 3; k++) {
			play_fine(rig, rows[i].baked, rows[i].times[k], out);
			skin_directly(rig, rows[i].base, rows[i].times[k], out + count);
			assert_memory_equal(out, out + count, count * sizeof *out);
		}
	}
	free(out);
	rig_release(rig);
}

/* Greatest distance to what the base makes of the moments themselves. */
static double worst(const struct rig *rig, const char *skinning) {
	const size_t count = (size_t)rig->vertex_count * 3;
	float *out = xcalloc(count * 4, sizeof *out);
	double most = 0;
	for (int i = 0; i <= 40; i++) {
		// Within the clip's last stretch, which turns evenly.
		const double time_s = 0.55 + 0.01 * i;
		play_fine(rig, skinning, time_s, out);
		skin_directly(rig, "'lbs'", time_s, out + 2 * count);
		for (size_t k = 0; k < count; k++) {
			most = fmax(most, fabs((double)out[k] - (double)out[2 * count + k]));
		}
	}
	free(out);
	return most;
}

static void more_keys_and_curves_come_nearer(void **state) {
	(void)state;
	struct rig *rig = bending();
	// 200 degrees a second; on a circle of radius 1.1 the sagitta of a chord is r (1 -
	// cos(a/2)).
	const double at_10 = worst(rig, "{'method': 'vertex_keyframe', 'rate': 10}");
	const double at_20 = worst(rig, "{'method': 'vertex_keyframe', 'rate': 20}");
	const double curved = worst(
		rig, "{'method': 'vertex_keyframe', 'rate': 20, 'interpolation': 'catmull_rom'}");
	assert_true(at_10 <= 1.1 * (1 - cos(10 * PI / 180)) + 1e-5);
	assert_true(at_20 <= 1.1 * (1 - cos(5 * PI / 180)) + 1e-5);
	assert_true(at_20 > at_10 / 5 && at_20 < at_10 / 3); // a quarter
	assert_true(curved < at_20 / 10);
	rig_release(rig);
}

/* METHODS C.1: keys 0, 1, 4 at 0, 1, 3 have the slope 4/3 in the middle. A vertex moves along X by
 * as much; halfway to the last key Hermite's form is (0.5 1 + 0.5 4) + 2 (4/3 - 3/2) / 8. */
static void curves_mind_uneven_times(void **state) {
	(void)state;
	const float at[1][3] = {{0, 0, 0}}, weight = 1, times[3] = {0, 1, 3};
	struct rig *rig = rig_cyl2_vertices(1, at, &weight);
	add_clip(rig, 3, times, (const double[3]){0});
	struct channel *channel = (struct channel *)&rig->clips[0].channels[0];
	float *values = rig_storage(rig, 9, sizeof *values, "", NULL);
	values[3] = 1, values[6] = 4;
	values[1] = values[4] = values[7] = 1;
	channel->path = CHANNEL_TRANSLATION;
	channel->width = 3;
	channel->values = values;
	float out[6];
	play_fine(rig, "{'method': 'vertex_keyframe', 'rate': 0, 'interpolation': 'catmull_rom'}",
		2, out);
	assert_near(out[0], 2.5 + 2 * (4.0 / 3 - 1.5) / 8, 1e-6);
	play_fine(rig, "{'method': 'vertex_keyframe', 'rate': 0}", 2, out);
	assert_near(out[0], 2.5, 1e-6);
	rig_release(rig);
}

static void opposite_normals_keep_the_key_before(void **state) {
	(void)state;
	const float at[1][3] = {{0.1f, 2, 0}}, weight = 1, times[2] = {0, 1};
	struct rig *rig = rig_cyl2_vertices(1, at, &weight);
	add_clip(rig, 2, times, (const double[2]){0, 180});
	float out[6];
	// +X at the key before, -X at the one behind.
	play_fine(rig, "{'method': 'vertex_keyframe', 'rate': 0}", 0.5, out);
	assert_true(out[3] == 1 && out[4] == 0 && out[5] == 0);
	assert_near(out[0], 0, 1e-6);
	rig_release(rig);
}

static void what_cannot_be_baked_is_refused(void **state) {
	(void)state;
	struct rig *rig = bending();
	float *out = xcalloc((size_t)rig->vertex_count * 6, sizeof *out);
	struct error err = {0};
	assert_false(play(
		rig, "{'method': 'vertex_keyframe', 'base': 'vertex_keyframe'}", 0, out, &err));
	assert_int_equal(err.code, ERROR_INVALID_VALUE);
	// 1000 keys a second of 658 vertices: 128 MiB hold 8,494 keys, 8.49 s.
	rig->clips[0].duration_s = 8.4;
	err = (struct error){0};
	assert_true(play(rig, "{'method': 'vertex_keyframe', 'rate': 1000}", 0, out, &err));
	rig->clips[0].duration_s = 8.6;
	assert_false(play(rig, "{'method': 'vertex_keyframe', 'rate': 1000}", 0, out, &err));
	assert_int_equal(err.code, ERROR_TOO_LARGE);
	assert_non_null(strstr(err.text, "rate"));
	rig->clips[0].duration_s = 1e30;
	err = (struct error){0};
	assert_false(play(rig, "{'method': 'vertex_keyframe'}", 0, out, &err));
	assert_int_equal(err.code, ERROR_TOO_LARGE);
	free(out);
	rig_release(rig);
}

static void a_clip_without_duration_is_one_key(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	const float times[1] = {0};
	add_clip(rig, 1, times, (const double[1]){35});
	const size_t count = (size_t)rig->vertex_count * 6;
	float *out = xcalloc(count * 2, sizeof *out);
	skin_directly(rig, "'lbs'", 0, out + count);
	play_fine(rig, "{'method': 'vertex_keyframe'}", 0, out);
	assert_memory_equal(out, out + count, count * sizeof *out);
	play_fine(rig, "{'method': 'vertex_keyframe', 'rate': 0}", 0, out);
	assert_memory_equal(out, out + count, count * sizeof *out);
	free(out);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_cannot_be_baked_is_refused),
		cmocka_unit_test(limbs_shorten_between_keys_by_the_known_ratio),
		cmocka_unit_test(keys_are_what_was_baked),
		cmocka_unit_test(more_keys_and_curves_come_nearer),
		cmocka_unit_test(curves_mind_uneven_times),
		cmocka_unit_test(opposite_normals_keep_the_key_before),
		cmocka_unit_test(a_clip_without_duration_is_one_key),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
