// Rules of motion: lengths and rates against known ones, and one fault at a time put into the demo
// humanoid, whose value follows from its size and the joint's reach.
#include <stdlib.h>
#include <string.h>

#include "baked_channel.h"
#include "base/quat.h"
#include "check.h"
#include "check/samples.h"
#include "checked.h"
#include "rigs.h"
#include "shared_files.h"

#define HUMANOID "assets/demo/humanoid.glb"
#define LENGTH 1.73011

/* Without surfaces, which take longest. */
static struct checked check_motion(const struct rig *rig) {
	static const char *const only[] = {"motion/*", "clip/*", "rig/*", NULL};
	return checked_rules(rig, CHECK_PROFILE_GAME, only);
}

static double chord(double degrees) {
	return 2 * sin(degrees / 2 / 180 * acos(-1));
}

/* Within 0.5 % of what is known. */
static void assert_about(double actual, double expected) {
	assert_near(actual, expected, 0.005 * expected);
}

/* --- Lengths --- */

static struct check_asset *measure(struct rig *rig, struct arena *arena) {
	static struct check_profile profile;
	profile = check_profile_builtin(CHECK_PROFILE_GAME);
	return check_asset_create(rig, facts_of_rig(rig, arena), &profile, NULL, arena);
}

static double reach_of(const struct check_asset *asset, const char *joint) {
	return asset->reach[rig_find_joint(asset->rig, joint)];
}

/* Computed by another implementation. */
static void figures_have_known_lengths(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct rig *cylinder = own_rig("assets/demo/cyl2.glb"), *humanoid = own_rig(HUMANOID);
	const struct check_asset *asset = measure(cylinder, arena);
	assert_near(asset->length, 2, 1e-6);
	assert_near(reach_of(asset, "J1"), 2 * sqrt(0.55 * 0.55 + 0.01), 1e-6);
	assert_near(reach_of(asset, "J0"), 1 + 2 * sqrt(0.55 * 0.55 + 0.01), 1e-6);
	asset = measure(humanoid, arena);
	assert_near(asset->length, 1.73011, 5e-6);
	assert_near(reach_of(asset, "LeftForeArm"), 0.442945, 5e-6);
	assert_near(reach_of(asset, "Head"), 0.272625, 5e-6);
	assert_near(reach_of(asset, "LeftArm"), 0.713217, 5e-6);
	assert_near(reach_of(asset, "Hips"), 1.045331, 5e-6);
	assert_string_equal(humanoid->joints[asset->hip].name, "Hips");
	assert_int_equal(asset->foot_count, 2);
	assert_near(asset->ground, 0, 0);
	arena_destroy(arena);
	rig_release(cylinder);
	rig_release(humanoid);
}

static void names_have_sides(void **state) {
	(void)state;
	static const struct {
		const char *name;
		int side;
		const char *twin;
	} rows[] = {
		{"LeftForeArm", 1, "RightForeArm"},
		{"RIGHT_HAND", -1, "LEFT_HAND"},
		{"mixamorig:leftLeg", 1, "mixamorig:rightLeg"},
		{"thigh.l", 1, "thigh.r"},
		{"J_Bip_R_Hand", -1, "J_Bip_L_Hand"},
		{"l-eye", 1, "r-eye"},
		{"Spine", 0, ""},
		{"tail", 0, ""},
		{"l", 0, ""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char twin[64] = "";
		assert_int_equal(check_side_of(rows[i].name, twin), rows[i].side);
		assert_string_equal(twin, rows[i].twin);
	}
}

/* --- Rates --- */

/* A clip of one joint whose keys are at these times. */
static struct check_clip *clip_of(
	struct rig *rig, const double *times, int count, struct arena *arena) {
	const struct constant_channel still = {0, CHANNEL_ROTATION, {0, 0, 0, 1}};
	rig_add_clip(rig, "Clip", 1, &still);
	struct channel *channel = &rig->clips[rig->clip_count - 1].channels[0];
	float *keys = arena_alloc(arena, (size_t)count, sizeof *keys);
	float *values = arena_alloc(arena, (size_t)count * 4, sizeof *values);
	for (int i = 0; i < count; i++) {
		keys[i] = (float)times[i];
		values[i * 4 + 3] = 1;
	}
	channel->times = keys;
	channel->values = values;
	channel->key_count = count;
	return check_clip_create(measure(rig, arena), rig->clip_count - 1, arena);
}

static void rates_are_those_of_keys(void **state) {
	(void)state;
	double even[25], sparse[40], uneven[40];
	for (int i = 0; i < 25; i++) {
		even[i] = 1.0 / 24 + i / 24.0; // as Blender begins
	}
	// Keys on some frames of 30 only: two, one, three of them apart.
	sparse[0] = uneven[0] = 0;
	for (int i = 1; i < 40; i++) {
		sparse[i] = sparse[i - 1] + (i % 3 + 1) / 30.0;
		uneven[i] = uneven[i - 1] + 0.01 + 0.0137 * ((i * 7) % 5);
	}
	struct arena *arena = arena_create();
	struct rig *rig = rig_cyl2();
	const struct check_clip *clip = clip_of(rig, even, 25, arena);
	assert_near(clip->rate, 24, 0);
	assert_int_equal(clip->count, 25);
	assert_near(clip->start_s, 1.0 / 24, 1e-6);
	assert_near(check_clip_time(clip, 24), 25.0 / 24, 1e-6);
	clip = clip_of(rig, sparse, 40, arena);
	assert_near(clip->rate, 30, 0);
	assert_false(clip->irregular);
	assert_int_equal(clip->count, 79);
	clip = clip_of(rig, uneven, 40, arena);
	assert_near(clip->rate, 30, 0);
	assert_true(clip->irregular);
	// An end between two samples is a sample of its own.
	even[24] = even[23] + 0.5 / 24;
	clip = clip_of(rig, even, 25, arena);
	assert_near(clip->rate, 24, 0);
	assert_int_equal(clip->count, 25);
	assert_near(check_clip_time(clip, 24), even[24], 1e-6);
	arena_destroy(arena);
	rig_release(rig);
}

static void clips_of_any_length_are_survived(void **state) {
	(void)state;
	const double endless[] = {0, 1e30}, many[] = {0, 1, 2e6};
	struct arena *arena = arena_create();
	struct rig *rig = rig_cyl2();
	const struct check_clip *clip = clip_of(rig, endless, 2, arena);
	assert_true(clip->too_long);
	assert_near(check_clip_time(clip, clip->count - 1), (double)(float)1e30, 1e24);
	clip = clip_of(rig, many, 3, arena);
	assert_true(clip->too_long);
	struct checked checked = check_motion(rig);
	assert_non_null(checked_skip(&checked, "motion/pop", "Clip"));
	checked_finish(&checked);
	arena_destroy(arena);
	rig_release(rig);
}

/* --- Faults --- */

static void the_demo_humanoid_is_sound(void **state) {
	(void)state;
	struct rig *rig = own_rig(HUMANOID);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	for (size_t i = 0; i < checked.file.finding_count; i++) {
		assert_int_equal(checked.file.findings[i].level, CHECK_NOTE);
	}
	checked_finish(&checked);
	rig_release(rig);
}

/* The finding of a rule for a clip, which must be at a joint and time (NULL, NAN = wherever). */
static const struct check_finding *find(const struct checked *checked, const char *rule,
	const char *clip, const char *joint, double time_s) {
	const struct check_finding *finding = checked_finding(checked, rule, clip);
	if (!finding) {
		checked_print(checked);
		fail_msg("no %s in %s", rule, clip);
	}
	if (joint) {
		assert_string_equal(finding->at.joint, joint);
	}
	if (!isnan(time_s)) {
		assert_near(finding->at.time_s, time_s, 1e-6);
	}
	return finding;
}

static void a_turned_key_pops(void **state) {
	(void)state;
	struct rig *rig = own_rig(HUMANOID);
	const struct baked_channel arm = bake_channel(rig, "Idle", "LeftForeArm", CHANNEL_ROTATION);
	turn_key(arm.values + 20 * 4, 1, 0, 0, 12);
	const struct baked_channel head = bake_channel(rig, "Walk", "Head", CHANNEL_ROTATION);
	turn_key(head.values + 7 * 4, 0, 1, 0, 20);
	const struct baked_channel hips = bake_channel(rig, "Run", "Hips", CHANNEL_TRANSLATION);
	hips.values[9 * 3 + 1] += (float)(0.06 * LENGTH);
	struct checked checked = check_motion(rig);
	const struct check_finding *pop =
		find(&checked, "motion/pop", "Idle", "LeftForeArm", (double)arm.times[20]);
	assert_about(pop->at.value, chord(12) * 0.442945 / LENGTH);
	assert_int_equal(pop->level, CHECK_ERROR);
	assert_int_equal(pop->count, 1);
	assert_true(pop->curve.count > 10);
	pop = find(&checked, "motion/pop", "Walk", "Head", (double)head.times[7]);
	assert_about(pop->at.value, chord(20) * 0.272625 / LENGTH);
	pop = find(&checked, "motion/pop", "Run", "Hips", (double)hips.times[9]);
	assert_near(pop->at.value, 0.06, 0.003);
	assert_null(checked_finding(&checked, "motion/pop", "Wave"));
	checked_finish(&checked);
	rig_release(rig);
}

static void a_turn_that_stays_is_a_jump_and_a_seam(void **state) {
	(void)state;
	struct rig *rig = own_rig(HUMANOID);
	const struct baked_channel arm = bake_channel(rig, "Idle", "RightArm", CHANNEL_ROTATION);
	for (int f = 30; f < arm.count; f++) {
		turn_key(arm.values + f * 4, 0, 0, 1, 25);
	}
	struct checked checked = check_motion(rig);
	const struct check_finding *jump =
		find(&checked, "motion/jump", "Idle", "RightArm", (double)arm.times[30]);
	assert_about(jump->at.value, chord(25) * 0.713217 / LENGTH);
	assert_null(checked_finding(&checked, "motion/pop", "Idle"));
	const struct check_finding *seam =
		find(&checked, "motion/loop_seam", "Idle", "RightArm", NAN);
	assert_about(seam->at.value, chord(25) * 0.713217 / LENGTH);
	checked_finish(&checked);
	rig_release(rig);
}

static void a_half_turn_and_back_is_a_turn(void **state) {
	(void)state;
	struct rig *rig = own_rig(HUMANOID);
	const struct baked_channel arm = bake_channel(rig, "Wave", "LeftForeArm", CHANNEL_ROTATION);
	turn_key(arm.values + 25 * 4, 1, 0, 0, 160);
	struct checked checked = check_motion(rig);
	const struct check_finding *turn =
		find(&checked, "motion/turn", "Wave", "LeftForeArm", (double)arm.times[25]);
	assert_near(turn->at.value, 160, 2);
	checked_finish(&checked);
	rig_release(rig);
}

/* A zigzag turns at every key as sharply as at any other: it neither pops nor jumps nor trembles.
 */
static void zigzags_are_sound(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/cyl2.glb");
	struct checked checked = checked_rig(rig, CHECK_PROFILE_CINEMATIC);
	static const char *const rules[] = {
		"motion/pop", "motion/jump", "motion/jitter", "motion/stutter"};
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		assert_null(checked_finding(&checked, rules[i], "bend"));
		assert_null(checked_finding(&checked, rules[i], "twist"));
	}
	checked_finish(&checked);
	rig_release(rig);
}

/* The law of noise: 1.538 sqrt(1.5) sigma rho / L, whose sample median scatters. */
static void noise_trembles_by_its_law(void **state) {
	(void)state;
	struct rig *rig = own_rig(HUMANOID);
	const double sigma = 2;
	unsigned seed = 7;
	const struct baked_channel arm = bake_channel(rig, "Idle", "RightArm", CHANNEL_ROTATION);
	for (int f = 0; f < arm.count; f++) {
		for (int axis = 0; axis < 3; axis++) {
			// The sum of 12 even numbers in [-1, 1] has variance 4.
			double sum = 0;
			for (int i = 0; i < 12; i++) {
				sum += random_number(&seed);
			}
			turn_key(arm.values + f * 4, axis == 0, axis == 1, axis == 2,
				sum / 2 * sigma);
		}
	}
	struct checked checked = check_motion(rig);
	const struct check_finding *jitter =
		find(&checked, "motion/jitter", "Idle", "RightArm", NAN);
	const double law = 1.538 * sqrt(1.5) * sigma / 180 * acos(-1) * 0.713217 / LENGTH;
	assert_near(jitter->at.value, law, 0.3 * law);
	checked_finish(&checked);
	rig_release(rig);
}

/* A limb that recoils and then rests, again and again, alternates as noise does (0.5 here), but
 * moves in half of the frames alone. */
static void recoils_are_no_noise(void **state) {
	(void)state;
	struct rig *rig = own_rig(HUMANOID);
	const struct baked_channel arm = bake_channel(rig, "Idle", "RightArm", CHANNEL_ROTATION);
	for (int f = 0; f < arm.count; f++) {
		static const double kick[8] = {8, 0, 6, 0};
		turn_key(arm.values + f * 4, 1, 0, 0, kick[f % 8]);
	}
	struct checked checked = check_motion(rig);
	assert_null(checked_finding(&checked, "motion/jitter", "Idle"));
	checked_finish(&checked);
	rig_release(rig);
}

/* Repeats frames of every joint of a clip. */
static void repeat(struct rig *rig, const char *clip, const int *frames, int count) {
	for (int joint = 0; joint < rig->joint_count; joint++) {
		for (int path = CHANNEL_TRANSLATION; path <= CHANNEL_SCALE; path++) {
			const struct baked_channel channel = bake_channel(
				rig, clip, rig->joints[joint].name, (enum channel_path)path);
			for (int i = 0; i < count; i++) {
				float *key = channel.values + frames[i] * channel.width;
				memcpy(key, key - channel.width,
					(size_t)channel.width * sizeof *key);
			}
		}
	}
}

static void repeated_frames_are_counted(void **state) {
	(void)state;
	struct rig *rig = own_rig(HUMANOID);
	const int apart[] = {5, 14}, in_a_row[] = {8, 9, 20};
	repeat(rig, "Run", apart, 2);
	repeat(rig, "Walk", in_a_row, 3);
	struct checked checked = check_motion(rig);
	const struct check_finding *stutter = find(&checked, "motion/stutter", "Run", NULL, NAN);
	assert_near(stutter->at.value, 2, 0);
	assert_int_equal(stutter->at.sample, 5);
	stutter = find(&checked, "motion/stutter", "Walk", NULL, NAN);
	assert_near(stutter->at.value, 3, 0);
	assert_int_equal(stutter->at.sample, 8);
	assert_null(checked_finding(&checked, "motion/stutter", "Wave"));
	checked_finish(&checked);
	rig_release(rig);
}

/* The last key of an arm turned by 15 degrees, eased in from the middle of the clip on. */
static void a_loop_that_does_not_close_has_a_seam(void **state) {
	(void)state;
	struct rig *rig = own_rig(HUMANOID);
	const struct baked_channel arm = bake_channel(rig, "Walk", "LeftArm", CHANNEL_ROTATION);
	for (int f = 0; f < arm.count; f++) {
		const double u = fmin(fmax((f - 0.35 * arm.count) / (0.6 * arm.count), 0), 1);
		turn_key(arm.values + f * 4, 1, 0, 0, 15 * u * u * (3 - 2 * u));
	}
	struct checked checked = check_motion(rig);
	const struct check_finding *seam =
		find(&checked, "motion/loop_seam", "Walk", "LeftArm", NAN);
	assert_about(seam->at.value, chord(15) * 0.713217 / LENGTH);
	assert_null(checked_finding(&checked, "clip/frame_short", "Walk"));
	// Under a name that is no loop's, nobody minds.
	rig->clips[rig_find_clip(rig, "Walk")].name[0] = 'T';
	struct checked other = check_motion(rig);
	assert_null(checked_finding(&other, "motion/loop_seam", "Talk"));
	checked_finish(&checked);
	checked_finish(&other);
	rig_release(rig);
}

/* All joints lose the last key. */
static void a_loop_without_its_last_frame_is_told_from_a_seam(void **state) {
	(void)state;
	struct rig *rig = own_rig(HUMANOID);
	for (int joint = 0; joint < rig->joint_count; joint++) {
		bake_channel(rig, "Walk", rig->joints[joint].name, CHANNEL_ROTATION);
		bake_channel(rig, "Walk", rig->joints[joint].name, CHANNEL_TRANSLATION);
	}
	struct clip *clip = &rig->clips[rig_find_clip(rig, "Walk")];
	for (int i = 0; i < clip->channel_count; i++) {
		clip->channels[i].key_count--;
	}
	struct checked checked = check_motion(rig);
	find(&checked, "clip/frame_short", "Walk", NULL, NAN);
	assert_null(checked_finding(&checked, "motion/loop_seam", "Walk"));
	assert_string_equal(checked_skip(&checked, "motion/loop_seam", "Walk"),
		"the loop lacks its last frame");
	checked_finish(&checked);
	rig_release(rig);
}

static void the_rest_pose_at_an_end_is_no_jump(void **state) {
	(void)state;
	struct rig *rig = own_rig(HUMANOID);
	for (int joint = 0; joint < rig->joint_count; joint++) {
		const struct baked_channel channel =
			bake_channel(rig, "Run", rig->joints[joint].name, CHANNEL_ROTATION);
		memcpy(channel.values, rig->joints[joint].rest.rotation,
			sizeof rig->joints[joint].rest.rotation);
	}
	struct checked checked = check_motion(rig);
	const struct check_finding *frame = find(&checked, "clip/rest_frame", "Run", NULL, 0);
	assert_int_equal(frame->level, CHECK_WARNING);
	assert_null(checked_finding(&checked, "motion/jump", "Run"));
	checked_finish(&checked);
	rig_release(rig);
}

static void a_loop_in_place_that_wanders_drifts(void **state) {
	(void)state;
	struct rig *rig = own_rig(HUMANOID);
	const struct baked_channel hips = bake_channel(rig, "Walk", "Hips", CHANNEL_TRANSLATION);
	for (int f = 0; f < hips.count; f++) {
		hips.values[f * 3] += (float)(0.06 * LENGTH * f / (hips.count - 1));
	}
	struct checked checked = check_motion(rig);
	const struct check_finding *drift =
		find(&checked, "motion/root_drift", "Walk", "Hips", NAN);
	assert_about(drift->at.value, 0.06);
	assert_near(checked_param(&drift->at, "per_second"), 0.06 / 1.08, 1e-3);
	checked_finish(&checked);
	rig_release(rig);
}

static void bones_and_scales_have_their_factors(void **state) {
	(void)state;
	struct rig *rig = own_rig(HUMANOID);
	const struct baked_channel bone = bake_channel(rig, "Wave", "LeftLeg", CHANNEL_TRANSLATION);
	const struct baked_channel head = bake_channel(rig, "Idle", "Head", CHANNEL_SCALE);
	const struct baked_channel arm = bake_channel(rig, "Idle", "LeftForeArm", CHANNEL_SCALE);
	for (int f = 0; f < bone.count; f++) {
		const double wave = pow(sin(acos(-1) * f / (bone.count - 1)), 2);
		for (int k = 0; k < 3; k++) {
			bone.values[f * 3 + k] *= (float)(1 + 0.3 * wave);
		}
	}
	for (int f = 0; f < head.count; f++) {
		const double wave = pow(sin(acos(-1) * f / (head.count - 1)), 2);
		for (int k = 0; k < 3; k++) {
			head.values[f * 3 + k] *= (float)(1 + 0.4 * wave);
		}
		// At other times than the head: else they were one finding.
		const double earlier = pow(sin(2 * acos(-1) * f / (arm.count - 1)), 2);
		arm.values[f * 3] *= (float)(1 + 0.5 * earlier);
	}
	struct checked checked = check_motion(rig);
	assert_about(find(&checked, "motion/bone_length", "Wave", "LeftLeg", NAN)->at.value, 0.3);
	assert_near(checked_value(&checked, "motion/scale", "Idle"), 0.5, 0.0025);
	assert_about(
		find(&checked, "rig/nonuniform_scale", "Idle", "LeftForeArm", NAN)->at.value, 0.5);
	int scaled = 0;
	for (size_t i = 0; i < checked.file.finding_count; i++) {
		const struct check_finding *finding = &checked.file.findings[i];
		const bool of_head = finding->at.joint && strcmp(finding->at.joint, "Head") == 0;
		if (of_head && fabs(finding->at.value - 0.4) < 0.002) {
			scaled++;
		}
	}
	assert_int_equal(scaled, 1);
	checked_finish(&checked);
	rig_release(rig);
}

/* Scales of a joint's keys: those listed, then 1. */
static void set_scales(struct rig *rig, const char *joint, const float *scales, int count) {
	const struct baked_channel channel = bake_channel(rig, "Idle", joint, CHANNEL_SCALE);
	for (int f = 0; f < channel.count; f++) {
		for (int k = 0; k < 3; k++) {
			channel.values[f * 3 + k] = f < count ? scales[f] : 1;
		}
	}
}

/* Scales are the only way that a clip has to show and hide things; a joint that is gone for a frame
 * amid the clip blinks. */
static void growing_out_of_nothing_is_meant(void **state) {
	(void)state;
	struct rig *rig = own_rig(HUMANOID);
	set_scales(rig, "Head", (const float[]){0, 0, 0.1f, 0.5f, 0.9f}, 5);
	struct checked checked = check_motion(rig);
	assert_near(checked_value(&checked, "motion/scale", "Idle"), 0, 1e-6);
	checked_finish(&checked);
	set_scales(rig, "Head", (const float[]){1, 1, 0, 1}, 4);
	checked = check_motion(rig);
	assert_about(find(&checked, "motion/scale", "Idle", "Head", NAN)->at.value, 1);
	checked_finish(&checked);
	rig_release(rig);
}

/* One fault that takes several joints along is one finding. */
static void joints_that_grow_together_are_one_finding(void **state) {
	(void)state;
	static const float scales[] = {1, 1, 1.4f, 1};
	struct rig *rig = own_rig(HUMANOID);
	set_scales(rig, "Head", scales, 4);
	set_scales(rig, "LeftArm", scales, 4);
	set_scales(rig, "RightArm", scales, 4);
	struct checked checked = check_motion(rig);
	int findings = 0;
	for (size_t i = 0; i < checked.file.finding_count; i++) {
		const struct check_finding *finding = &checked.file.findings[i];
		findings += fabs(finding->at.value - 0.4) < 1e-3;
	}
	assert_int_equal(findings, 1);
	assert_non_null(strstr(checked_finding(&checked, "motion/scale", "Idle")->message,
		"(and 2 other joints)"));
	checked_finish(&checked);
	rig_release(rig);
}

/* Steps are held on purpose, in one channel of a node beside others that move. */
static void steps_are_no_jumps(void **state) {
	(void)state;
	struct rig *rig = own_rig(HUMANOID);
	struct baked_channel arm = bake_channel(rig, "Idle", "RightArm", CHANNEL_ROTATION);
	for (int f = 30; f < arm.count; f++) {
		turn_key(arm.values + f * 4, 0, 0, 1, 120);
	}
	struct clip *clip = &rig->clips[rig_find_clip(rig, "Idle")];
	for (int i = 0; i < clip->channel_count; i++) {
		if (clip->channels[i].values == arm.values) {
			clip->channels[i].interpolation = INTERPOLATION_STEP;
		}
	}
	struct checked checked = check_motion(rig);
	assert_null(checked_finding(&checked, "motion/jump", "Idle"));
	assert_null(checked_finding(&checked, "motion/turn", "Idle"));
	assert_null(checked_finding(&checked, "motion/speed", "Idle"));
	checked_finish(&checked);
	rig_release(rig);
}

/* The published reference implementation of SPARC on the same paths, in Python. */
static void smoothness_is_the_published_one(void **state) {
	(void)state;
	struct rig *rig = own_rig(HUMANOID);
	struct checked checked = check_motion(rig);
	const struct check_measurement *walk =
		checked_measurement(&checked, "motion/smoothness", "Walk");
	assert_near(walk->value, -2.933380, 2e-5);
	assert_near(checked_param(walk, "hips"), -2.912991, 2e-5);
	assert_near(checked_param(walk, "left_hand"), -2.296047, 2e-5);
	assert_near(checked_param(walk, "right_foot"), -2.041017, 2e-5);
	assert_near(checked_value(&checked, "motion/smoothness", "Wave"), -6.520858, 2e-5);
	checked_finish(&checked);
	rig_release(rig);
}

static void a_knee_bent_forward_is_found(void **state) {
	(void)state;
	struct rig *rig = own_rig(HUMANOID);
	const struct baked_channel shin = bake_channel(rig, "Idle", "LeftLeg", CHANNEL_ROTATION);
	for (int f = 20; f < 40; f++) {
		turn_key(shin.values + f * 4, 1, 0, 0, -60);
	}
	struct checked checked = check_motion(rig);
	const struct check_finding *knee = find(&checked, "motion/knee", "Idle", "LeftLeg", NAN);
	assert_int_equal(knee->level, CHECK_ERROR);
	assert_true(knee->at.value > 25 && knee->at.value < 60);
	assert_null(checked_finding(&checked, "motion/knee", "Walk"));
	checked_finish(&checked);
	rig_release(rig);
}

/* An upper arm turned about its bone and across it, by known angles, against limits. */
static void limits_of_joints_are_those_of_the_profile(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	const struct constant_channel still = {1, CHANNEL_ROTATION, {0, 0, 0, 1}};
	rig_add_clip(rig, "Twist", 1, &still);
	rig_add_clip(rig, "Bend", 1, &still);
	const char *joint = rig->joints[1].name;
	struct arena *arena = arena_create();
	for (int i = 0; i < 2; i++) {
		// Two keys, so that the clips last; the bone is along +Y.
		struct channel *channel = &rig->clips[i].channels[0];
		float *values = arena_alloc(arena, 8, sizeof *values);
		float *times = arena_alloc(arena, 2, sizeof *times);
		values[3] = values[7] = 1;
		times[1] = 1;
		turn_key(values + 4, i == 1, i == 0, 0, i == 0 ? -50 : 70);
		channel->values = values;
		channel->times = times;
		channel->key_count = 2;
		rig->clips[i].duration_s = 1;
	}
	const struct check_joint_limit limits[] = {
		{"J*", {-INFINITY, 60}, {-30, 90}}, {"*", {0, 0}, {0, 0}}};
	struct check_profile profile = check_profile_builtin(CHECK_PROFILE_GAME);
	static const char *const only[] = {"motion/joint_limit", NULL};
	profile.only = only;
	profile.settings.joint_limits = limits;
	profile.settings.joint_limit_count = 2;
	struct checked checked = checked_profile(rig, &profile);
	const struct check_finding *twist = find(&checked, "motion/joint_limit", "Twist", joint, 1);
	assert_near(twist->at.value, 20, 1e-4);
	assert_near(checked_param(&twist->at, "twist"), -50, 1e-4);
	assert_int_equal(twist->level, CHECK_ERROR);
	const struct check_finding *bend = find(&checked, "motion/joint_limit", "Bend", joint, 1);
	assert_near(bend->at.value, 10, 1e-4);
	assert_near(checked_param(&bend->at, "swing"), 70, 1e-4);
	assert_int_equal(bend->level, CHECK_WARNING);
	checked_finish(&checked);
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_have_known_lengths),
		cmocka_unit_test(names_have_sides),
		cmocka_unit_test(rates_are_those_of_keys),
		cmocka_unit_test(clips_of_any_length_are_survived),
		cmocka_unit_test(the_demo_humanoid_is_sound),
		cmocka_unit_test(a_turned_key_pops),
		cmocka_unit_test(a_turn_that_stays_is_a_jump_and_a_seam),
		cmocka_unit_test(a_half_turn_and_back_is_a_turn),
		cmocka_unit_test(zigzags_are_sound),
		cmocka_unit_test(noise_trembles_by_its_law),
		cmocka_unit_test(recoils_are_no_noise),
		cmocka_unit_test(repeated_frames_are_counted),
		cmocka_unit_test(a_loop_that_does_not_close_has_a_seam),
		cmocka_unit_test(a_loop_without_its_last_frame_is_told_from_a_seam),
		cmocka_unit_test(the_rest_pose_at_an_end_is_no_jump),
		cmocka_unit_test(a_loop_in_place_that_wanders_drifts),
		cmocka_unit_test(bones_and_scales_have_their_factors),
		cmocka_unit_test(growing_out_of_nothing_is_meant),
		cmocka_unit_test(joints_that_grow_together_are_one_finding),
		cmocka_unit_test(steps_are_no_jumps),
		cmocka_unit_test(smoothness_is_the_published_one),
		cmocka_unit_test(a_knee_bent_forward_is_found),
		cmocka_unit_test(limits_of_joints_are_those_of_the_profile),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
