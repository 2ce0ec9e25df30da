// Limits by profile: what is built in, overrides in order, what is wanted, and globs.
#include "base/check_profile.h"

#include <string.h>

#include "check.h"
#include "check/rules.h"

static const struct check_rule_info pop = {
	.id = "motion/pop", .by_clip = true, .limits = {INFINITY, .006, .03}};
static const struct check_rule_info penetration = {
	.id = "contact/penetration", .by_clip = true, .limits = {INFINITY, .025, .08}};
static const struct check_rule_info still = {
	.id = "clip/still", .below = true, .limits = {INFINITY, 1e-4, INFINITY}};
static const struct check_rule_info triangles = {
	.id = "budget/triangles", .limits = {INFINITY, 70e3, 200e3}};

static void expect(struct check_limits limits, double note, double warning, double error) {
	assert_true(limits.note == note && limits.warning == warning && limits.error == error);
}

static void profiles_have_the_published_limits(void **state) {
	(void)state;
	static const double pops[CHECK_PROFILE_COUNT][2] = {
		{.008, .04}, {.008, .04}, {.006, .03}, {.006, .03}, {.002, .01}, {.002, .01}};
	static const double depths[CHECK_PROFILE_COUNT][2] = {
		{.05, .15}, {.05, .15}, {.025, .08}, {.025, .08}, {.01, .03}, {.005, .03}};
	for (int id = 0; id < CHECK_PROFILE_COUNT; id++) {
		const double note = id == CHECK_PROFILE_STRICT ? .5 : INFINITY;
		const struct check_profile profile =
			check_profile_builtin((enum check_profile_id)id);
		assert_string_equal(profile.name, check_profile_names[id]);
		assert_non_null(check_profile_uses[id]);
		enum check_level at_most = CHECK_OK;
		expect(check_profile_limits(&profile, &pop, "a.glb", "Walk", &at_most),
			note * pops[id][0], pops[id][0], pops[id][1]);
		assert_int_equal(at_most, CHECK_ERROR);
		expect(check_profile_limits(&profile, &penetration, NULL, "Walk", NULL),
			note * depths[id][0], depths[id][0], depths[id][1]);
	}
}

static void strict_notes_what_is_below_at_twice(void **state) {
	(void)state;
	expect(check_profile_builtin_limits(CHECK_PROFILE_STRICT, &still), 2e-4, 1e-4, INFINITY);
	expect(check_profile_builtin_limits(CHECK_PROFILE_GAME, &still), INFINITY, 1e-4, INFINITY);
}

static void settings_differ_by_profile(void **state) {
	(void)state;
	const struct check_settings game = check_profile_builtin(CHECK_PROFILE_GAME).settings;
	const struct check_settings vrm = check_profile_builtin(CHECK_PROFILE_VRM).settings;
	assert_true(game.height[0] == .05 && game.height[1] == 20 && vrm.height[1] == 3);
	assert_true(vrm.required_vrm && !game.required_vrm);
	assert_int_equal(game.influences, 8);
	assert_int_equal(game.surface_samples, 1024);
}

static void every_number_has_a_source(void **state) {
	(void)state;
	for (int id = 0; id < CHECK_PROFILE_COUNT; id++) {
		const struct check_profile_source source =
			check_profile_builtin_source((enum check_profile_id)id, "budget/joints");
		assert_non_null(source.source);
		assert_int_equal(strlen(source.as_of), strlen("2026-11"));
	}
	assert_string_equal(check_profile_builtin_source(CHECK_PROFILE_VRM, "budget/joints").source,
		check_profile_builtin_source(CHECK_PROFILE_GAME, "budget/joints").source);
	assert_string_not_equal(
		check_profile_builtin_source(CHECK_PROFILE_VRM, "budget/joints").source,
		check_profile_builtin_source(CHECK_PROFILE_VRM, "motion/pop").source);
}

static void the_last_override_that_fits_wins(void **state) {
	(void)state;
	static const char *const attacks[] = {"*Attack*", NULL},
				 *const props[] = {"props/**", NULL};
	const struct check_override overrides[] = {
		{"motion/*", {NAN, .1, .2}, CHECK_WARNING, NULL, NULL, NULL, NULL},
		{"motion/pop", {.05, NAN, NAN}, CHECK_OK, NULL, NULL, NULL, NULL},
		{"motion/pop", {NAN, .15, NAN}, CHECK_ERROR, NULL, attacks, "the studio",
			"2026-01"},
		{"*", CHECK_LIMITS_OFF, CHECK_OK, props, NULL, NULL, NULL},
	};
	struct check_profile profile = check_profile_builtin(CHECK_PROFILE_GAME);
	profile.overrides = overrides;
	profile.override_count = 4;
	enum check_level at_most = CHECK_OK;
	expect(check_profile_limits(&profile, &pop, "a.glb", "Walk", &at_most), .05, .1, .2);
	assert_int_equal(at_most, CHECK_WARNING);
	expect(check_profile_limits(&profile, &pop, "a.glb", "2H_Attack", &at_most), .05, .15, .2);
	assert_int_equal(at_most, CHECK_ERROR);
	expect(check_profile_limits(&profile, &pop, "props/x/box.glb", "Walk", NULL), INFINITY,
		INFINITY, INFINITY);
	// Of the whole rig no clip's overrides are.
	expect(check_profile_limits(&profile, &triangles, NULL, NULL, &at_most), INFINITY, 70e3,
		200e3);
}

static void limits_that_are_kept_follow_those_that_are_said(void **state) {
	(void)state;
	struct check_override override = {.rule = "*", .limits = {NAN, .05, NAN}};
	struct check_profile profile = check_profile_builtin(CHECK_PROFILE_GAME);
	profile.overrides = &override;
	profile.override_count = 1;
	// An error at .03 would come before the warning.
	expect(check_profile_limits(&profile, &pop, NULL, "Walk", NULL), INFINITY, .05, .05);
	override.limits = (struct check_limits){NAN, INFINITY, NAN};
	expect(check_profile_limits(&profile, &pop, NULL, "Walk", NULL), INFINITY, INFINITY, .03);
	override.limits = (struct check_limits){.04, NAN, .04};
	expect(check_profile_limits(&profile, &pop, NULL, "Walk", NULL), .04, .04, .04);
	override.limits = (struct check_limits){NAN, NAN, 2e-4};
	expect(check_profile_limits(&profile, &still, NULL, "Walk", NULL), INFINITY, 2e-4, 2e-4);
	override.limits = (struct check_limits){NAN, NAN, 1e-5};
	expect(check_profile_limits(&profile, &still, NULL, "Walk", NULL), INFINITY, 1e-4, 1e-5);
}

static void users_limits_have_the_source_that_they_say(void **state) {
	(void)state;
	struct check_override override = {.rule = "motion/*",
		.limits = {NAN, NAN, NAN},
		.at_most = CHECK_WARNING,
		.source = "the studio",
		.as_of = "2026-01"};
	struct check_profile profile = check_profile_builtin(CHECK_PROFILE_GAME);
	profile.overrides = &override;
	profile.override_count = 1;
	assert_string_equal(check_profile_source(&profile, "motion/pop").as_of, "2026-11");
	override.limits.warning = 1;
	assert_string_equal(check_profile_source(&profile, "motion/pop").as_of, "2026-01");
	assert_string_equal(check_profile_source(&profile, "clip/still").as_of, "2026-11");
	override.source = NULL;
	assert_null(check_profile_source(&profile, "motion/pop").source);
}

static void what_is_not_wanted_is_off(void **state) {
	(void)state;
	static const char *const motion[] = {"motion/*", NULL}, *const jumps[] = {"*/jump", NULL},
				 *const walks[] = {"Walk*", NULL};
	struct check_profile profile = check_profile_builtin(CHECK_PROFILE_GAME);
	profile.only = motion;
	profile.clips = walks;
	assert_true(check_profile_limits(&profile, &pop, NULL, "Walk_A", NULL).error == .03);
	assert_true(check_profile_limits(&profile, &pop, NULL, "Run", NULL).error == INFINITY);
	assert_true(check_profile_limits(&profile, &triangles, NULL, NULL, NULL).error == INFINITY);
	profile.skip = jumps;
	assert_true(check_profile_limits(&profile, &pop, NULL, "Walk_A", NULL).error == .03);
	profile.skip = motion;
	assert_true(check_profile_limits(&profile, &pop, NULL, "Walk_A", NULL).error == INFINITY);
	// A rule that came after the version of the rules file.
	struct check_rule_info newer = pop;
	newer.since = CHECK_RULES_VERSION + 1;
	const struct check_profile plain = check_profile_builtin(CHECK_PROFILE_GAME);
	assert_true(check_profile_limits(&plain, &newer, NULL, "Walk", NULL).error == INFINITY);
}

static bool is_a_rule(const char *glob) {
	for (int i = 0; i < check_rule_count; i++) {
		if (check_glob(glob, check_rules[i]->info.id)) {
			return true;
		}
	}
	return false;
}

static void rows_of_profiles_name_rules(void **state) {
	(void)state;
	enum check_profile_id id;
	for (size_t i = 0; check_profile_row(i, &id); i++) {
		if (!is_a_rule(check_profile_row(i, &id))) {
			fail_msg("%s has limits for \"%s\", which is no rule",
				check_profile_names[id], check_profile_row(i, &id));
		}
	}
}

/* Of limits that are not off. */
static bool is_ordered(struct check_limits limits, bool below) {
	const double all[] = {limits.note, limits.warning, limits.error};
	double before = below ? INFINITY : -INFINITY;
	for (int i = 0; i < 3; i++) {
		if (isfinite(all[i])) {
			if (below ? all[i] > before : all[i] < before) {
				return false;
			}
			before = all[i];
		}
	}
	return true;
}

static void limits_do_not_fall_from_note_to_error(void **state) {
	(void)state;
	for (int i = 0; i < check_rule_count; i++) {
		for (int id = 0; id < CHECK_PROFILE_COUNT; id++) {
			const struct check_rule_info *rule = &check_rules[i]->info;
			const struct check_limits limits =
				check_profile_builtin_limits((enum check_profile_id)id, rule);
			if (!is_ordered(limits, rule->below)) {
				fail_msg("%s in %s: %g, %g, %g", rule->id, check_profile_names[id],
					limits.note, limits.warning, limits.error);
			}
		}
	}
}

static void globs_match_whole_texts(void **state) {
	(void)state;
	static const struct {
		const char *glob, *text;
		bool matches;
	} cases[] = {
		{"", "", true},
		{"", "a", false},
		{"*", "", true},
		{"*", "a/b", true},
		{"?", "", false},
		{"?", "a", true},
		{"?", "\xf0\x9f\xa6\x8a", true},
		{"??", "\xf0\x9f\xa6\x8a", false},
		{"motion/*", "motion/pop", true},
		{"motion/*", "emotion/pop", false},
		{"*pop", "motion/pop", true},
		{"*pop", "motion/popped", false},
		{"a*b*c", "aXbYbZc", true},
		{"a*b*c", "aXbYbZ", false},
		{"*Attack*", "1H_Attack_Chop", true},
		{"attack", "Attack", false},
		{"**", "x", true},
		{"*a?", "aaab", true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (check_glob(cases[i].glob, cases[i].text) != cases[i].matches) {
			fail_msg("\"%s\" on \"%s\"", cases[i].glob, cases[i].text);
		}
	}
}

/* A recursive matcher takes ages for this. */
static void globs_of_many_stars_take_no_time(void **state) {
	(void)state;
	char text[4096];
	memset(text, 'a', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	assert_false(check_glob("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(profiles_have_the_published_limits),
		cmocka_unit_test(strict_notes_what_is_below_at_twice),
		cmocka_unit_test(settings_differ_by_profile),
		cmocka_unit_test(every_number_has_a_source),
		cmocka_unit_test(the_last_override_that_fits_wins),
		cmocka_unit_test(limits_that_are_kept_follow_those_that_are_said),
		cmocka_unit_test(users_limits_have_the_source_that_they_say),
		cmocka_unit_test(what_is_not_wanted_is_off),
		cmocka_unit_test(rows_of_profiles_name_rules),
		cmocka_unit_test(limits_do_not_fall_from_note_to_error),
		cmocka_unit_test(globs_match_whole_texts),
		cmocka_unit_test(globs_of_many_stars_take_no_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
