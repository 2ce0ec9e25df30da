/* Rules files: what they set, what is refused and where, profiles that are written and read back,
 * and the schema beside the tables. */
#include "checks/rules_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "interface/checks.h"
#include "json_text.h"

static const struct check_rule_info jump = {
	.id = "motion/jump", .by_clip = true, .limits = {INFINITY, .03, .12}};
static const struct check_rule_info slide = {
	.id = "contact/slide", .by_clip = true, .limits = {INFINITY, .04, .12}};
static const struct check_rule_info triangles = {
	.id = "budget/triangles", .limits = {INFINITY, 70e3, 200e3}};
static const struct check_rule_info still = {
	.id = "clip/still", .below = true, .limits = {INFINITY, 1e-4, INFINITY}};
static const struct check_rule_info seam = {
	.id = "motion/loop_seam", .by_clip = true, .limits = {.005, .02, .08}};
static const struct check_rule_info bones = {
	.id = "motion/bone_length", .by_clip = true, .limits = {.05, .2, .6}};

static const struct check_rule_info *const infos[] = {
	&jump, &slide, &triangles, &still, &seam, &bones};
static const struct check_rule_list rules = {infos, 6};

static bool read_text(
	const char *text, struct arena *arena, struct check_profile *profile, struct error *err) {
	const struct value *value = json_read(arena, text, strlen(text), err);
	assert_non_null(value);
	return check_rules_file_read(value, "rules.json", &rules, arena, profile, err);
}

static void expect(const struct check_profile *profile, const struct check_rule_info *rule,
	const char *file, const char *clip, struct check_limits wanted) {
	const struct check_limits limits = check_profile_limits(profile, rule, file, clip, NULL);
	if (limits.note != wanted.note || limits.warning != wanted.warning ||
		limits.error != wanted.error) {
		fail_msg("%s of %s: %g, %g, %g", rule->id, clip ? clip : "the rig", limits.note,
			limits.warning, limits.error);
	}
}

static const char example[] =
	"{\"$schema\": \"x\", \"version\": 1, \"extends\": \"game\", \"settings\": {\"ground\": "
	"0.5,"
	" \"skinning\": \"dqs\", \"loops\": [\"Idle*\", \"Walk*\"], \"airborne\": [\"Jump*\"],"
	" \"still\": [\"TPose\"], \"height\": [1.4, 2.1], \"required_joints\": [\"Hips\"],"
	" \"influences\": \"any\", \"self_intersection_ms\": 0, \"surface_samples\": 64},"
	" \"rules\": {\"budget/triangles\": {\"note\": 7500, \"warning\": 15000, \"error\": 20000,"
	" \"source\": \"the studio\", \"as_of\": \"2026-01\"},"
	" \"motion/jump\": {\"warning\": 0.05}, \"motion/*\": {\"error\": \"off\"},"
	" \"clip/*\": {\"level_at_most\": \"note\"}},"
	" \"for\": [{\"clips\": [\"*Attack*\"], \"rules\": {\"motion/jump\": {\"warning\": 0.15}}},"
	" {\"files\": [\"props/**\"], \"rules\": {\"contact/*\": \"off\"}}],"
	" \"suppress\": [{\"rule\": \"contact/slide\", \"clip\": \"Sleep\", \"joint\": \"leg_*\","
	" \"reason\": \"lies on it\", \"until\": \"2028-02-29\", \"by\": \"mk\", \"at_most\": "
	"0.8}]}";

static void a_file_sets_what_it_names(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct check_profile profile;
	struct error err = {0};
	if (!read_text(example, arena, &profile, &err)) {
		fail_msg("%s", err.text);
	}
	const struct check_settings *settings = &profile.settings;
	assert_true(settings->has_ground && settings->ground == .5);
	assert_string_equal(settings->skinning, "dqs");
	assert_string_equal(settings->loops[1], "Walk*");
	assert_null(settings->loops[2]);
	assert_string_equal(settings->airborne[0], "Jump*");
	assert_string_equal(settings->still[0], "TPose");
	assert_true(settings->height[0] == 1.4 && settings->height[1] == 2.1);
	assert_string_equal(settings->required_joints[0], "Hips");
	assert_int_equal(settings->influences, CHECK_ANY_INFLUENCES);
	assert_true(settings->self_intersection_ms == 0 && settings->unused_share == .2);
	assert_int_equal(settings->surface_samples, 64);
	assert_string_equal(profile.name, "rules.json");

	expect(&profile, &triangles, "a.glb", NULL, (struct check_limits){7500, 15000, 20000});
	assert_string_equal(check_profile_source(&profile, triangles.id).source, "the studio");
	// The exact name holds before the glob, which comes later.
	expect(&profile, &jump, "a.glb", "Walk", (struct check_limits){INFINITY, .05, INFINITY});
	expect(&profile, &jump, "a.glb", "2H_Attack",
		(struct check_limits){INFINITY, .15, INFINITY});
	expect(&profile, &slide, "props/x/box.glb", "Walk",
		(struct check_limits){INFINITY, INFINITY, INFINITY});
	expect(&profile, &slide, "a.glb", "Walk", slide.limits);
	enum check_level at_most;
	check_profile_limits(&profile, &still, NULL, "Walk", &at_most);
	assert_int_equal(at_most, CHECK_NOTE);

	const struct check_suppression *suppression = profile.suppressions;
	assert_int_equal(profile.suppression_count, 1);
	assert_string_equal(suppression->joint, "leg_*");
	assert_string_equal(suppression->until, "2028-02-29");
	assert_null(suppression->material);
	assert_true(suppression->at_most == .8);
	arena_destroy(arena);
}

static void the_least_file_is_the_profile_game(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct check_profile profile;
	assert_true(read_text("{\"version\": 1}", arena, &profile, NULL));
	char digest[CHECK_DIGEST_BYTES], game[CHECK_DIGEST_BYTES];
	const struct check_profile built_in = check_profile_builtin(CHECK_PROFILE_GAME);
	check_profile_digest(&profile, &rules, digest);
	check_profile_digest(&built_in, &rules, game);
	assert_string_equal(digest, game);
	assert_int_equal(strlen(digest), CHECK_DIGEST_BYTES - 1);
	assert_true(strncmp(digest, "sha256:", 7) == 0);
	arena_destroy(arena);
}

static void what_is_wrong_is_refused_at_its_place(void **state) {
	(void)state;
	static const struct {
		const char *text, *pointer, *said;
	} cases[] = {
		{"[]", "", "a list, must be an object"},
		{"{}", "", "member \"version\" is missing"},
		{"{\"version\": 2}", "/version", "reads rules files up to version 1"},
		{"{\"version\": 0}", "/version", "must be a whole number from 1 on"},
		{"{\"version\": 1.5}", "/version", "must be a whole number from 1 on"},
		{"{\"version\": \"1\"}", "/version", "must be a number"},
		{"{\"version\": 1, \"rule\": {}}", "/rule", "the nearest are: rules"},
		{"{\"version\": 1, \"extends\": \"gamer\"}", "/extends", "must be one of: web"},
		{"{\"version\": 1, \"settings\": {\"airbourne\": []}}", "/settings/airbourne",
			"the nearest are: airborne"},
		{"{\"version\": 1, \"settings\": {\"loops\": \"Idle\"}}", "/settings/loops",
			"must be a list of strings"},
		{"{\"version\": 1, \"settings\": {\"still\": [\"a\", \"\"]}}", "/settings/still/1",
			"is empty"},
		{"{\"version\": 1, \"settings\": {\"height\": [2, 1]}}", "/settings/height",
			"the smaller one first"},
		{"{\"version\": 1, \"settings\": {\"height\": [1]}}", "/settings/height",
			"a list of 2 numbers"},
		{"{\"version\": 1, \"settings\": {\"ground\": \"floor\"}}", "/settings/ground",
			"a height or \"auto\""},
		{"{\"version\": 1, \"settings\": {\"influences\": 0}}", "/settings/influences",
			"from 1 on, or \"any\""},
		{"{\"version\": 1, \"settings\": {\"surface_samples\": 0}}",
			"/settings/surface_samples", "from 1 to"},
		{"{\"version\": 1, \"rules\": []}", "/rules", "must be an object"},
		{"{\"version\": 1, \"rules\": {\"motion/jmup\": \"off\"}}", "/rules/motion~1jmup",
			"is no rule; the nearest are: motion/jump"},
		{"{\"version\": 1, \"rules\": {\"motoin/*\": \"off\"}}", "/rules/motoin~1*",
			"matches no rule"},
		{"{\"version\": 1, \"rules\": {\"motion/jump\": 3}}", "/rules/motion~1jump",
			"limits in an object, or \"off\""},
		{"{\"version\": 1, \"rules\": {\"motion/jump\": \"on\"}}", "/rules/motion~1jump",
			"limits in an object, or \"off\""},
		{"{\"version\": 1, \"rules\": {\"motion/jump\": {\"warn\": 1}}}",
			"/rules/motion~1jump/warn", "the nearest are: warning"},
		{"{\"version\": 1, \"rules\": {\"motion/jump\": {\"note\": null}}}",
			"/rules/motion~1jump/note", "a number or \"off\""},
		{"{\"version\": 1, \"rules\": {\"motion/jump\": {\"note\": 2, \"error\": 1}}}",
			"/rules/motion~1jump", "must not fall from note to error"},
		{"{\"version\": 1, \"rules\": {\"clip/still\": {\"warning\": 1, \"error\": 2}}}",
			"/rules/clip~1still", "must not rise from note to error"},
		{"{\"version\": 1, \"rules\": {\"clip/*\": {\"level_at_most\": \"ok\"}}}",
			"/rules/clip~1*/level_at_most", "must be one of: note, warning, error"},
		{"{\"version\": 1, \"for\": {}}", "/for", "must be a list"},
		{"{\"version\": 1, \"for\": [{\"rules\": {}}]}", "/for/0",
			"\"files\" or \"clips\" must say"},
		{"{\"version\": 1, \"for\": [{\"clips\": [\"a\"]}]}", "/for/0",
			"\"rules\" is missing"},
		{"{\"version\": 1, \"for\": [{\"clip\": []}]}", "/for/0/clip",
			"the nearest are: clips"},
		{"{\"version\": 1, \"suppress\": [{\"rule\": \"clip/*\"}]}", "/suppress/0",
			"\"reason\" is missing"},
		{"{\"version\": 1, \"suppress\": [{\"rule\": \"clip/*\", \"reason\": \" \"}]}",
			"/suppress/0/reason", "must say why"},
		{"{\"version\": 1, \"suppress\": [{\"rule\": \"clap/*\", \"reason\": \"x\"}]}",
			"/suppress/0/rule", "matches no rule"},
		{"{\"version\": 1, \"suppress\": [{\"rule\": \"*\", \"reason\": \"x\","
		 " \"until\": \"2027-02-29\"}]}",
			"/suppress/0/until", "must be a date"},
		{"{\"version\": 1, \"suppress\": [{\"rule\": \"*\", \"reason\": \"x\","
		 " \"until\": \"30.6.2027\"}]}",
			"/suppress/0/until", "must be a date"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena *arena = arena_create();
		struct check_profile profile;
		struct error err = {0};
		if (read_text(cases[i].text, arena, &profile, &err)) {
			fail_msg("%s is taken", cases[i].text);
		}
		if (!strstr(err.text, cases[i].said) ||
			strcmp(err.pointer, cases[i].pointer) != 0) {
			fail_msg("%s: %s at \"%s\"", cases[i].text, err.text, err.pointer);
		}
		arena_destroy(arena);
	}
}

static void expect_same_when_read_back(
	enum check_profile_id id, const struct check_rule_list *list) {
	struct arena *arena = arena_create();
	struct buffer text = {0};
	struct check_profile back;
	struct error err = {0};
	const struct check_profile built_in = check_profile_builtin(id);
	check_rules_file_write(id, list, &text);
	const struct value *value = json_read(arena, text.data, text.size, &err);
	if (!value || !check_rules_file_read(value, "x", list, arena, &back, &err)) {
		fail_msg("%s: %s at %s", check_profile_names[id], err.text, err.pointer);
	}
	char digest[2][CHECK_DIGEST_BYTES];
	check_profile_digest(&built_in, list, digest[0]);
	check_profile_digest(&back, list, digest[1]);
	assert_string_equal(digest[0], digest[1]);
	for (size_t i = 0; i < list->count; i++) {
		const struct check_rule_info *rule = list->rules[i];
		expect(&back, rule, NULL, NULL,
			check_profile_limits(&built_in, rule, NULL, NULL, NULL));
		assert_string_equal(check_profile_source(&back, rule->id).source,
			check_profile_source(&built_in, rule->id).source);
	}
	buffer_finish(&text);
	arena_destroy(arena);
}

static void built_in_profiles_are_the_same_when_read_back(void **state) {
	(void)state;
	struct check_rule_list all;
	all.rules = renderer_check_rules(&all.count);
	assert_true(all.count > 50);
	for (int id = 0; id < CHECK_PROFILE_COUNT; id++) {
		expect_same_when_read_back((enum check_profile_id)id, &rules);
		expect_same_when_read_back((enum check_profile_id)id, &all);
	}
}

static void digests_differ_with_all_that_a_file_says(void **state) {
	(void)state;
	static const char *const texts[] = {"{\"version\": 1}",
		"{\"version\": 1, \"extends\": \"mobile\"}",
		"{\"version\": 1, \"settings\": {\"ground\": 0}}",
		"{\"version\": 1, \"settings\": {\"loops\": []}}",
		"{\"version\": 1, \"rules\": {\"motion/jump\": {\"warning\": 0.031}}}",
		"{\"version\": 1, \"rules\": {\"motion/jump\": {\"level_at_most\": \"note\"}}}",
		"{\"version\": 1, \"for\": [{\"clips\": [\"a\"], \"rules\": {\"*\": \"off\"}}]}",
		"{\"version\": 1, \"for\": [{\"clips\": [\"b\"], \"rules\": {\"*\": \"off\"}}]}",
		"{\"version\": 1, \"for\": [{\"files\": [\"a\"], \"rules\": {\"*\": \"off\"}}]}",
		"{\"version\": 1, \"suppress\": [{\"rule\": \"*\", \"reason\": \"x\"}]}",
		"{\"version\": 1, \"suppress\": [{\"rule\": \"*\", \"reason\": \"y\"}]}"};
	enum { COUNT = sizeof texts / sizeof *texts };
	char digests[COUNT][CHECK_DIGEST_BYTES];
	for (int i = 0; i < COUNT; i++) {
		struct arena *arena = arena_create();
		struct check_profile profile;
		assert_true(read_text(texts[i], arena, &profile, NULL));
		check_profile_digest(&profile, &rules, digests[i]);
		for (int k = 0; k < i; k++) {
			if (strcmp(digests[i], digests[k]) == 0) {
				fail_msg("%s and %s", texts[i], texts[k]);
			}
		}
		arena_destroy(arena);
	}
	// Written in another way, it is the same.
	struct arena *arena = arena_create();
	struct check_profile profile;
	char digest[CHECK_DIGEST_BYTES];
	assert_true(
		read_text("{\"rules\": {\"motion/jump\": {\"error\": 0.12, \"warning\": 3.1e-2},"
			  " \"contact/slide\": {}}, \"version\": 1}",
			arena, &profile, NULL));
	check_profile_digest(&profile, &rules, digest);
	assert_string_equal(digest, digests[4]);
	arena_destroy(arena);
}

static void too_many_limits_and_names_are_refused(void **state) {
	(void)state;
	struct buffer text = {0};
	const char head[] = "{\"version\": 1, \"settings\": {\"loops\": [\"a\"";
	buffer_append(&text, head, strlen(head));
	for (int i = 0; i < 5000; i++) {
		buffer_append(&text, ",\"a\"", 4);
	}
	buffer_append(&text, "]}}", 4);
	struct arena *arena = arena_create();
	struct check_profile profile;
	struct error err = {0};
	assert_false(read_text((const char *)text.data, arena, &profile, &err));
	assert_int_equal(err.code, ERROR_TOO_LARGE);
	arena_destroy(arena);
	buffer_finish(&text);
}

/* --- The schema --- */

static void write_member(struct json_writer *json, const struct member *member) {
	json_write_key(json, member->name);
	json_write_begin_object(json);
	json_write_member_integer(json, "type", member->type);
	json_write_member_bool(json, "required", member->required);
	if (isfinite(member->most) && (member->least != 0 || member->most != 0)) {
		json_write_member_double(json, "least", member->least);
		json_write_member_double(json, "most", member->most);
	}
	if (member->choices) {
		json_write_key(json, "choices");
		json_write_begin_list(json);
		for (int i = 0; member->choices[i]; i++) {
			json_write_string(json, member->choices[i]);
		}
		json_write_end_list(json);
	}
	json_write_end_object(json);
}

static void write_tables(struct json_writer *json) {
	json_write_begin_list(json);
	for (int t = 0; check_rules_file_tables[t]; t++) {
		json_write_begin_object(json);
		for (size_t i = 0; i < check_rules_file_tables[t]->count; i++) {
			write_member(json, &check_rules_file_tables[t]->members[i]);
		}
		json_write_end_object(json);
	}
	json_write_end_list(json);
}

static void write_examples(struct json_writer *json) {
	json_write_begin_list(json);
	json_write_string(json, example);
	for (int id = 0; id < CHECK_PROFILE_COUNT; id++) {
		struct buffer text = {0};
		check_rules_file_write((enum check_profile_id)id, &rules, &text);
		buffer_append(&text, "", 1);
		json_write_string(json, (const char *)text.data);
		buffer_finish(&text);
	}
	json_write_end_list(json);
}

static void the_schema_says_what_the_tables_say(void **state) {
	(void)state;
	struct buffer text = {0};
	struct json_writer json = {.out = &text};
	json_write_begin_object(&json);
	json_write_key(&json, "tables");
	write_tables(&json);
	json_write_key(&json, "examples");
	write_examples(&json);
	json_write_end_object(&json);
	char path[] = "/tmp/posed_rules_XXXXXX", command[128], said[16384];
	const int file = mkstemp(path);
	assert_true(file >= 0);
	assert_int_equal(write(file, text.data, text.size), (ssize_t)text.size);
	close(file);
	snprintf(command, sizeof command,
		"/usr/bin/python3 tests/unit/check_rules_schema.py %s 2>&1", path);
	FILE *stream = popen(command, "r");
	assert_non_null(stream);
	said[fread(said, 1, sizeof said - 1, stream)] = '\0';
	const int status = pclose(stream);
	unlink(path);
	buffer_finish(&text);
	if (status != 0) {
		fail_msg("%s", said);
	}
	print_message("%s", said);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_sets_what_it_names),
		cmocka_unit_test(the_least_file_is_the_profile_game),
		cmocka_unit_test(what_is_wrong_is_refused_at_its_place),
		cmocka_unit_test(built_in_profiles_are_the_same_when_read_back),
		cmocka_unit_test(digests_differ_with_all_that_a_file_says),
		cmocka_unit_test(too_many_limits_and_names_are_refused),
		cmocka_unit_test(the_schema_says_what_the_tables_say),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
