// contact/slide, penetration and float, held against closed forms.
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "checked.h"
#include "rigs.h"
#include "shared_files.h"

#define KEYS 31
#define PI 3.14159265358979323846

/* A body, 1 to 2 high, that follows joint 0, and a flat foot on the ground that follows joint 1,
 * which rests 1 above the middle of the foot. */
static struct rig *rig_with_foot(void) {
	enum { SIDE = 5, FOOT = SIDE * SIDE, COUNT = 2 * FOOT };
	float positions[COUNT][3], weights[COUNT];
	for (int i = 0; i < FOOT; i++) {
		const float x = (float)(i % SIDE - 2) * 0.05f, z = (float)(i / SIDE - 2) * 0.05f;
		const float foot[3] = {x, 0, z}, body[3] = {x, 1 + (float)i / (FOOT - 1), z};
		memcpy(positions[i], foot, sizeof foot);
		memcpy(positions[FOOT + i], body, sizeof body);
		weights[i] = 1;
		weights[FOOT + i] = 0;
	}
	return rig_cyl2_vertices(COUNT, (const float(*)[3])positions, weights);
}

/* Places of joints at a moment. */
struct motion {
	double body[3];  // of joint 0
	double foot[3];  // of joint 1, besides where it rests
	double turn_deg; // of joint 1 about +Y
};

typedef struct motion motion_at(double time_s, const double *numbers);

static float *take(struct rig *rig, size_t count) {
	return rig_storage(rig, count, sizeof(float), "keys", NULL);
}

/* A clip of 1 s with 31 keys. */
static void add_clip(struct rig *rig, const char *name, motion_at *at, const double *numbers) {
	float *times = take(rig, KEYS), *body = take(rig, KEYS * 3), *foot = take(rig, KEYS * 3);
	float *turns = take(rig, KEYS * 4);
	for (int i = 0; i < KEYS; i++) {
		const struct motion motion = at(i / 30., numbers);
		struct transform turn;
		times[i] = (float)(i / 30.);
		for (int k = 0; k < 3; k++) {
			body[i * 3 + k] = (float)motion.body[k];
			foot[i * 3 + k] = (float)(motion.foot[k] - motion.body[k] + (k == 1));
		}
		set_rotation(&turn, 0, 1, 0, motion.turn_deg);
		memcpy(turns + i * 4, turn.rotation, sizeof turn.rotation);
	}
	const struct channel channels[] = {
		{.joint = 0, .path = CHANNEL_TRANSLATION, .width = 3, .values = body},
		{.joint = 1, .path = CHANNEL_TRANSLATION, .width = 3, .values = foot},
		{.joint = 1, .path = CHANNEL_ROTATION, .width = 4, .values = turns},
	};
	const struct constant_channel none = {0, CHANNEL_TRANSLATION, {0}};
	rig_add_clip(rig, name, 3, (const struct constant_channel[]){none, none, none});
	struct clip *clip = &rig->clips[rig->clip_count - 1];
	for (int i = 0; i < 3; i++) {
		clip->channels[i] = channels[i];
		clip->channels[i].interpolation = INTERPOLATION_LINEAR;
		clip->channels[i].key_count = KEYS;
		clip->channels[i].times = times;
	}
	clip->duration_s = 1;
}

/* --- Heights --- */

static struct motion bob(double time_s, const double *numbers) {
	const double y = numbers[0] + numbers[1] * sin(2 * PI * time_s);
	return (struct motion){.body = {0, y, 0}, .foot = {0, y, 0}};
}

static void the_lowest_vertex_is_held_against_the_ground(void **state) {
	(void)state;
	struct rig *rig = rig_with_foot();
	add_clip(rig, "Sink", bob, (const double[]){-0.1, 0});
	add_clip(rig, "Rise", bob, (const double[]){0.3, 0.05});
	add_clip(rig, "Fly", bob, (const double[]){0.3, 0.05});
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const double length = checked.file.length;
	assert_near(checked_value(&checked, "contact/penetration", "Sink"), 0.1 / length, 1e-6);
	assert_near(checked_value(&checked, "contact/float", "Sink"), 0, 0);
	assert_near(checked_value(&checked, "contact/penetration", "Rise"), 0, 0);
	// Keys do not hit the bottom of the sine.
	const double low = 0.3 + 0.05 * sin(2 * PI * 22 / 30.);
	assert_near(checked_value(&checked, "contact/float", "Rise"), low / length, 1e-6);
	assert_string_equal(checked_measurement(&checked, "contact/float", "Rise")->joint, "J1");
	assert_non_null(checked_skip(&checked, "contact/float", "Fly"));
	assert_non_null(checked_skip(&checked, "contact/penetration", "Fly"));
	assert_non_null(checked_skip(&checked, "contact/slide", "Rise"));
	checked_finish(&checked);
	rig_release(rig);
}

/* Down by numbers[0], the body by another numbers[1], from numbers[2] to numbers[3] seconds. */
static struct motion dip(double time_s, const double *numbers) {
	const bool down = time_s > numbers[2] - 1e-6 && time_s < numbers[3] + 1e-6;
	const double foot = down ? -numbers[0] : 0, body = down ? -numbers[1] : 0;
	return (struct motion){.body = {0, foot + body, 0}, .foot = {0, foot, 0}};
}

static enum check_level level_of(
	const struct checked *checked, const char *rule, const char *clip) {
	const struct check_finding *finding = checked_finding(checked, rule, clip);
	return finding ? finding->level : CHECK_OK;
}

/* The value is the greatest depth in any case. One frame of 0.04 counts as 0.02, four as they are;
 * 0.06 counts as 0.03 and warns. */
static void brief_dips_count_half(void **state) {
	(void)state;
	struct rig *rig = rig_with_foot();
	const double length = 1.98;
	add_clip(rig, "Brief", dip, (const double[]){0.04 * length, 0, 0.4, 0.4});
	add_clip(rig, "Held", dip, (const double[]){0.04 * length, 0, 0.4, 0.5});
	add_clip(rig, "Deep", dip, (const double[]){0.06 * length, 0, 0.4, 0.4});
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_near(checked.file.length, length, 0.02);
	assert_near(checked_value(&checked, "contact/penetration", "Brief"), 0.04, 1e-3);
	assert_int_equal(level_of(&checked, "contact/penetration", "Brief"), CHECK_OK);
	assert_int_equal(level_of(&checked, "contact/penetration", "Held"), CHECK_WARNING);
	assert_int_equal(level_of(&checked, "contact/penetration", "Deep"), CHECK_WARNING);
	checked_finish(&checked);
	rig_release(rig);
}

/* A body that is down where the foot is lies, with the foot; one that is not far down stands. */
static void the_feet_of_a_figure_that_lies_are_its_body(void **state) {
	(void)state;
	struct rig *rig = rig_with_foot();
	add_clip(rig, "Stands", dip, (const double[]){0.08, 0.4, 0, 1});
	add_clip(rig, "Lies", dip, (const double[]){0.08, 0.9, 0, 1});
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_int_equal(level_of(&checked, "contact/penetration", "Stands"), CHECK_WARNING);
	assert_int_equal(level_of(&checked, "contact/penetration", "Lies"), CHECK_OK);
	assert_near(checked_value(&checked, "contact/penetration", "Stands"),
		checked_value(&checked, "contact/penetration", "Lies"), 1e-6);
	checked_finish(&checked);
	rig_release(rig);
}

/* A figure whose lowest point at rest is far above height 0 need not stand there: a fish. */
static void a_ground_that_is_guessed_gives_notes(void **state) {
	(void)state;
	struct rig *rig = rig_with_foot();
	for (int i = 0; i < rig->vertex_count; i++) {
		rig->positions[i * 3 + 1] += 1;
	}
	add_clip(rig, "Sink", bob, (const double[]){-0.2, 0});
	add_clip(rig, "Rise", bob, (const double[]){0.2, 0});
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_near(checked_value(&checked, "contact/penetration", "Sink"),
		0.2 / checked.file.length, 1e-6);
	assert_int_equal(level_of(&checked, "contact/penetration", "Sink"), CHECK_NOTE);
	assert_int_equal(level_of(&checked, "contact/float", "Rise"), CHECK_NOTE);
	checked_finish(&checked);
	struct check_profile profile = check_profile_builtin(CHECK_PROFILE_GAME);
	profile.settings.has_ground = true;
	profile.settings.ground = 1;
	checked = checked_profile(rig, &profile);
	assert_int_equal(level_of(&checked, "contact/penetration", "Sink"), CHECK_ERROR);
	checked_finish(&checked);
	rig_release(rig);
}

/* Eight joints in a row along z, each with a ring of vertices, all of it on the ground. */
static struct rig *rig_of_snake(void) {
	enum { JOINTS = 8, RING = 6 };
	struct rig *rig = rig_random(1, JOINTS, JOINTS * RING, 4);
	for (int i = 0; i < JOINTS; i++) {
		rig->joints[i].rest = (struct transform)TRANSFORM_IDENTITY;
		rig->joints[i].rest.translation[2] = i > 0 ? 0.5f : 0;
	}
	rig_bind(rig);
	for (int v = 0; v < rig->vertex_count; v++) {
		const double turn = 2 * PI * (v % RING) / RING;
		rig->positions[v * 3] = (float)(0.05 * sin(turn));
		rig->positions[v * 3 + 1] = (float)(0.05 - 0.05 * cos(turn));
		rig->positions[v * 3 + 2] = (float)(0.5 * (v / RING) + 0.25);
		for (int k = 0; k < 4; k++) {
			rig->influence_slots[v * 4 + k] = (uint16_t)(v / RING);
			rig->influence_weights[v * 4 + k] = k == 0;
		}
	}
	return rig;
}

static void a_figure_that_rests_on_its_body_has_no_feet(void **state) {
	(void)state;
	struct rig *rig = rig_of_snake();
	const struct constant_channel sink = {0, CHANNEL_TRANSLATION, {0, -0.14f, 0}};
	rig_add_clip(rig, "Crawl", 1, &sink);
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	// 0.04 of its length: between a foot's limit and a body's.
	assert_near(checked_value(&checked, "contact/penetration", "Crawl"), 0.04, 0.001);
	assert_int_equal(level_of(&checked, "contact/penetration", "Crawl"), CHECK_OK);
	assert_non_null(strstr(checked_skip(&checked, "contact/slide", "Crawl"), "no feet"));
	checked_finish(&checked);
	rig_release(rig);
}

/* --- Slides --- */

/* All of it goes so far in a second. */
static struct motion glide(double time_s, const double *numbers) {
	return (struct motion){
		.body = {0, 0, numbers[0] * time_s}, .foot = {0, 0, numbers[0] * time_s}};
}

/* The ends of a contact are cut: 28 of 30 intervals are left. */
static void a_glide_is_a_slide(void **state) {
	(void)state;
	struct rig *rig = rig_with_foot();
	add_clip(rig, "Idle", glide, (const double[]){0.12});
	add_clip(rig, "Bow", glide, (const double[]){0.12});
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const double expected = 0.12 * 28 / 30 / checked.file.length;
	const struct check_finding *slide = checked_finding(&checked, "contact/slide", "Idle");
	assert_non_null(slide);
	assert_near(slide->at.value, expected, 1e-6);
	assert_string_equal(slide->at.joint, "J1");
	assert_near(checked_param(&slide->at, "start"), 1 / 30., 1e-6);
	assert_near(checked_param(&slide->at, "end"), 29 / 30., 1e-6);
	// Limits are three times as wide where a clip is no loop.
	assert_near(checked_value(&checked, "contact/slide", "Bow"), expected, 1e-6);
	assert_null(checked_finding(&checked, "contact/slide", "Bow"));
	checked_finish(&checked);
	rig_release(rig);
}

/* The foot goes back under a body that stays where it is, for a third of the time faster. */
static struct motion walk_in_place(double time_s, const double *numbers) {
	const double fast = fmin(fmax(time_s - 1 / 3., 0), 1 / 3.);
	return (struct motion){.foot = {0, 0, -numbers[0] * time_s - numbers[1] * fast}};
}

static void a_walk_in_place_does_not_slide(void **state) {
	(void)state;
	struct rig *rig = rig_with_foot();
	add_clip(rig, "Walk", walk_in_place, (const double[]){1, 0});
	add_clip(rig, "Walk slipping", walk_in_place, (const double[]){1, 0.6});
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const double length = checked.file.length;
	const struct check_measurement *walk =
		checked_measurement(&checked, "contact/slide", "Walk");
	assert_near(walk->value, 0, 1e-5);
	assert_near(checked_param(walk, "treadmill"), 1 / length, 1e-5);
	assert_near(checked.file.clips[0].treadmill, 1 / length, 1e-5);
	assert_near(checked_value(&checked, "contact/slide", "Walk slipping"), 0.2 / length, 1e-5);
	checked_finish(&checked);
	rig_release(rig);
}

/* The foot goes back under the body, and eases in and out: by sin(2 pi t) / (2 pi) it is ahead of a
 * ground that goes evenly. */
static struct motion ease_in_place(double time_s, const double *numbers) {
	const double way = time_s - sin(2 * PI * time_s) / (2 * PI);
	return (struct motion){.foot = {0, 0, -numbers[0] * way}};
}

/* Less than half of its intervals are near the common speed; all of them go its way. Where the clip
 * is no loop, nothing says that it walks, and the foot swings. */
static void a_sloppy_walk_in_place_is_held_against_its_own_speed(void **state) {
	(void)state;
	struct rig *rig = rig_with_foot();
	add_clip(rig, "Walk", ease_in_place, (const double[]){1});
	add_clip(rig, "Bow", ease_in_place, (const double[]){1});
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const double length = checked.file.length;
	const struct check_measurement *walk =
		checked_measurement(&checked, "contact/slide", "Walk");
	// Without the two slowest intervals the median is between the 8th and the 9th: 1 and 1.21.
	const double sine = 30 / (2 * PI) * 2 * sin(PI / 30);
	const double common = 1 + sine * sin(2 * PI / 30) / 2;
	assert_near(checked_param(walk, "treadmill"), common / length, 1e-5);
	double slide = 0;
	for (int a = 1; a <= 29; a++) {
		for (int b = a; b <= 29; b++) {
			const double way = (b - a) / 30. - sin(2 * PI * b / 30) / (2 * PI) +
				sin(2 * PI * a / 30) / (2 * PI);
			slide = fmax(slide, fabs(way - common * (b - a) / 30));
		}
	}
	assert_near(walk->value, slide / length, 1e-5);
	assert_near(checked_value(&checked, "contact/slide", "Bow"), 0, 0);
	checked_finish(&checked);
	rig_release(rig);
}

/* At this speed a foot near the floor swings. */
static void a_swinging_foot_does_not_slide(void **state) {
	(void)state;
	struct rig *rig = rig_with_foot();
	add_clip(rig, "Run", glide, (const double[]){1});
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_near(checked_value(&checked, "contact/slide", "Run"), 0, 0);
	checked_finish(&checked);
	rig_release(rig);
}

/* The foot turns about its middle, where a vertex rests. */
static struct motion pivot(double time_s, const double *numbers) {
	return (struct motion){.turn_deg = numbers[0] * time_s};
}

static void a_foot_that_turns_on_the_spot_does_not_slide(void **state) {
	(void)state;
	struct rig *rig = rig_with_foot();
	add_clip(rig, "Idle", pivot, (const double[]){60});
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	assert_near(checked_value(&checked, "contact/slide", "Idle"), 0, 1e-6);
	checked_finish(&checked);
	rig_release(rig);
}

/* The same wherever the figure stands, and however large it is. */
static void values_do_not_depend_on_size(void **state) {
	(void)state;
	struct rig *small = rig_with_foot(), *large = rig_with_foot();
	add_clip(small, "Idle", glide, (const double[]){0.12});
	for (int i = 0; i < large->vertex_count * 3; i++) {
		large->positions[i] *= 100;
	}
	large->joints[1].rest.translation[1] *= 100;
	rig_bind(large);
	const struct constant_channel sink = {0, CHANNEL_TRANSLATION, {0, -10, 0}};
	rig_add_clip(large, "Sink", 1, &sink);
	const struct constant_channel less = {0, CHANNEL_TRANSLATION, {0, -0.1f, 0}};
	rig_add_clip(small, "Sink", 1, &less);
	struct checked a = checked_rig(small, CHECK_PROFILE_GAME);
	struct checked b = checked_rig(large, CHECK_PROFILE_GAME);
	assert_near(checked_value(&a, "contact/penetration", "Sink"),
		checked_value(&b, "contact/penetration", "Sink"), 1e-6);
	checked_finish(&a);
	checked_finish(&b);
	rig_release(small);
	rig_release(large);
}

static void the_demo_figure_stands_firmly(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	for (size_t i = 0; i < checked.file.clip_count; i++) {
		const char *clip = checked.file.clips[i].name;
		assert_true(checked_value(&checked, "contact/slide", clip) < 0.0015);
		assert_true(checked_value(&checked, "contact/penetration", clip) < 0.00089);
		assert_near(checked_value(&checked, "contact/float", clip), 0, 0);
	}
	checked_finish(&checked);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_lowest_vertex_is_held_against_the_ground),
		cmocka_unit_test(brief_dips_count_half),
		cmocka_unit_test(the_feet_of_a_figure_that_lies_are_its_body),
		cmocka_unit_test(a_ground_that_is_guessed_gives_notes),
		cmocka_unit_test(a_figure_that_rests_on_its_body_has_no_feet),
		cmocka_unit_test(a_sloppy_walk_in_place_is_held_against_its_own_speed),
		cmocka_unit_test(a_glide_is_a_slide),
		cmocka_unit_test(a_walk_in_place_does_not_slide),
		cmocka_unit_test(a_swinging_foot_does_not_slide),
		cmocka_unit_test(a_foot_that_turns_on_the_spot_does_not_slide),
		cmocka_unit_test(values_do_not_depend_on_size),
		cmocka_unit_test(the_demo_figure_stands_firmly),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
