// Sentences of findings: fields, formats of numbers, and templates that are malformed.
#include "check/message.h"

#include <string.h>

#include "check.h"
#include "check/rules.h"

static struct check_finding finding(void) {
	return (struct check_finding){
		.at = {.value = 0.041237,
			.absolute = NAN,
			.time_s = 0.416667,
			.joint = "b_Neck\"<\n",
			.params = {{"ratio", 9.25}, {"degrees", -0.2}, {"vertices_13", 13185}},
			.param_count = 3},
		.threshold = 0.006,
		.count = 2,
	};
}

static void expect_of(
	const struct check_finding *finding, const char *template, const char *wanted) {
	struct arena *arena = arena_create();
	assert_true(check_message_is_sound(template));
	assert_string_equal(check_message(template, finding, "Walk", arena), wanted);
	arena_destroy(arena);
}

static void expect(const char *template, const char *wanted) {
	const struct check_finding at = finding();
	expect_of(&at, template, wanted);
}

static void fields_are_names_and_numbers(void **state) {
	(void)state;
	expect("", "");
	expect("{joint} leaves its path by {value:%} at {time:3} s of {clip}",
		"b_Neck\"<\n leaves its path by 4.12 % at 0.417 s of Walk");
	expect("{value}, from {threshold}, {count:#} times, ratio {ratio:1}",
		"0.04124, from 0.006, 2 times, ratio 9.2");
	expect("{{value} is {{", "{value} is {");
}

static void the_unknown_is_a_question_mark(void **state) {
	(void)state;
	expect("{absolute} {material} {nothing:%}", "? ? ?");
	const struct check_finding none = {.at = {.value = NAN}};
	struct arena *arena = arena_create();
	assert_string_equal(check_message("{clip} {value}", &none, NULL, arena), "? ?");
	arena_destroy(arena);
}

static void numbers_are_written_as_people_do(void **state) {
	(void)state;
	expect("{degrees:#} {degrees:1} {vertices_13:#} {vertices_13}", "0 -0.2 13185 13185");
	static const struct {
		double value;
		const char *plain, *percent, *whole;
	} cases[] = {
		{0, "0", "0 %", "0"},
		{1, "1", "100 %", "1"},
		{0.5, "0.5", "50 %", "0"},
		{99.996, "100", "10000 %", "100"},
		{-2.34567, "-2.346", "-235 %", "-2"},
		{1e6, "1000000", "100000000 %", "1000000"},
		{0.0000123456, "0.00001235", "0.00123 %", "0"},
		{1e-12, "1e-12", "1e-10 %", "0"},
		{1e30, "1e+30", "1e+32 %", "1e+30"},
		{INFINITY, "infinite", "infinite", "infinite"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct check_finding at = {.at = {.value = cases[i].value}};
		expect_of(&at, "{value}", cases[i].plain);
		expect_of(&at, "{value:%}", cases[i].percent);
		expect_of(&at, "{value:#}", cases[i].whole);
	}
}

static void expect_with(double value, const char *template, const char *wanted) {
	const struct check_finding at = {.at = {.value = value, .time_s = NAN}};
	expect_of(&at, template, wanted);
}

static void words_go_by_the_number_as_it_is_written(void **state) {
	(void)state;
	static const char keys[] = "{value:#} {value|key is|keys are} off";
	expect_with(1, keys, "1 key is off");
	expect_with(2, keys, "2 keys are off");
	expect_with(0, keys, "0 keys are off");
	expect_with(11, keys, "11 keys are off");
	static const char turns[] = "{value:0} {value:0|degree|degrees}";
	expect_with(1.4, turns, "1 degree");
	expect_with(-1, turns, "-1 degrees");
	expect_with(1.6, turns, "2 degrees");
	expect_with(1.4, "{value} {value|degree|degrees}", "1.4 degrees");
	expect_with(1, "key{value||s}", "key");
	expect_with(2, "key{value||s}", "keys");
	expect_with(NAN, "{value} {value|key|keys}", "? keys");
}

static void malformed_templates_are_found(void **state) {
	(void)state;
	static const char *const bad[] = {"{", "{}", "{value", "{value:}", "{value:x}", "{value:%",
		"{value:33}", "{value|}", "{value|a}", "{value|a|b", "{value|a|b|c}",
		"{value|a|{b}}", "{value||", "{joint|a|b}", "{|a|b}", "{Value}", "{a b}",
		"{joint:%}", "text {clip:3}", "{value} {", "{{{", NULL};
	for (int i = 0; bad[i]; i++) {
		if (check_message_is_sound(bad[i])) {
			fail_msg("\"%s\" counts as sound", bad[i]);
		}
	}
}

static void all_rules_have_sound_templates_and_texts(void **state) {
	(void)state;
	for (int i = 0; i < check_rule_count; i++) {
		const struct check_rule_info *rule = &check_rules[i]->info;
		const char *const texts[] = {rule->id, rule->unit, rule->catches, rule->definition,
			rule->effect, rule->fix, rule->blender, rule->maya, rule->message};
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
			if (!texts[k] || (!*texts[k] && texts[k] != rule->unit)) {
				fail_msg("%s lacks text %zu", rule->id, k);
			}
		}
		if (!check_message_is_sound(rule->message) || !check_message_is_sound(rule->fix)) {
			fail_msg("%s: \"%s\", \"%s\"", rule->id, rule->message, rule->fix);
		}
	}
}

/* --- Singular and plural --- */

/* The words of templates that stand for more than one: "vertices", "are". */
struct plurals {
	struct arena *arena;
	const char *words[400];
	size_t count;
};

static bool is_listed(const struct plurals *plurals, const char *word) {
	size_t i = 0;
	while (i < plurals->count && strcmp(plurals->words[i], word) != 0) {
		i++;
	}
	return i < plurals->count;
}

/* Calls take() for each word of a text; a colon ends what is said of a number before it. */
static void each_word(const char *text, struct arena *arena,
	void (*take)(void *context, const char *word), void *context) {
	static const char separators[] = " ,;.|{}()";
	for (size_t length; *text; text += length) {
		text += strspn(text, separators);
		length = strcspn(text, separators);
		if (length > 0) {
			take(context, arena_strndup(arena, text, length));
		}
	}
}

static void list_plural(void *context, const char *word) {
	struct plurals *plurals = context;
	if (!is_listed(plurals, word)) {
		assert_true(plurals->count < sizeof plurals->words / sizeof *plurals->words);
		plurals->words[plurals->count++] = word;
	}
}

struct search {
	const char *word;
	bool found;
};

static void compare_word(void *context, const char *word) {
	struct search *search = context;
	search->found |= strcmp(word, search->word) == 0;
}

/* Words of both choices are not plurals, nor are "of" and "the". */
static void list_plurals(const char *template, struct plurals *plurals) {
	for (const char *at = template; (at = strchr(at, '|')); at = strchr(at, '}')) {
		const size_t one = strcspn(at + 1, "|"), many = strcspn(at + one + 2, "}");
		struct plurals both = {.arena = plurals->arena};
		each_word(arena_strndup(plurals->arena, at + one + 2, many), plurals->arena,
			list_plural, &both);
		for (size_t i = 0; i < both.count; i++) {
			struct search search = {.word = both.words[i]};
			each_word(arena_strndup(plurals->arena, at + 1, one), plurals->arena,
				compare_word, &search);
			if (!search.found && strlen(search.word) > 2 &&
				strcmp(search.word, "the") != 0) {
				list_plural(plurals, search.word);
			}
		}
	}
}

/* The sentence of a template all of whose numbers are the same. */
static const char *with_all_numbers(const char *template, double number, struct arena *arena) {
	struct check_finding finding = {
		.at = {.value = number,
			.absolute = number,
			.time_s = number,
			.joint = "Head",
			.material = "Skin",
			.text = "these"},
		.threshold = number,
	};
	struct check_measurement *at = &finding.at;
	for (const char *field = template; (field = strchr(field, '{')); field++) {
		const char *name = arena_strndup(arena, field + 1, strcspn(field + 1, ":|}"));
		size_t i = 0;
		while (i < at->param_count && strcmp(at->params[i].name, name) != 0) {
			i++;
		}
		if (i == at->param_count && i < CHECK_PARAMS_MAX) {
			at->params[at->param_count++] = (struct check_param){name, number};
		}
	}
	return check_message(template, &finding, "Walk", arena);
}

/* Two words behind each "1", an adjective and its noun or a noun and its verb. */
struct walk {
	const struct plurals *plurals;
	int left;
	const char *found;
};

static void follow(void *context, const char *word) {
	struct walk *walk = context;
	if (strcmp(word, "1") == 0) {
		walk->left = 2;
	} else if (strchr(word, ':') || strcmp(word, "times") == 0) {
		walk->left = 0; // "1 times as fine" is right
	} else if (strcmp(word, "100") != 0 && strcmp(word, "%") != 0 && walk->left > 0) {
		walk->left--;
		walk->found = is_listed(walk->plurals, word) ? word : walk->found;
	}
}

static const char *plural_of_one(
	const char *sentence, const struct plurals *plurals, struct arena *arena) {
	struct walk walk = {.plurals = plurals};
	each_word(sentence, arena, follow, &walk);
	return walk.found;
}

/* Numbers that no word goes by: "1 of 2 keys could be left out", "1 vertex, against 2". */
static bool stands_alone(const char *name) {
	static const char *const names[] = {"threshold", "redundant", "missing", "vertices_before",
		"triangles_before", "finer", NULL};
	int i = 0;
	while (names[i] && strcmp(names[i], name) != 0) {
		i++;
	}
	return names[i];
}

/* Each whole number has words that go by it, and "degrees" is such a word. */
static void expect_words(const char *id, const char *template, struct arena *arena) {
	for (const char *at = template; (at = strchr(at, '{')); at++) {
		const size_t length = strcspn(at + 1, ":|}");
		const char *name = arena_strndup(arena, at + 1, length);
		const bool counts = strncmp(at + 1 + length, ":#}", 3) == 0;
		assert_int_not_equal(strncmp(strchr(at, '}'), "} degrees", 9), 0);
		if (counts && !stands_alone(name) &&
			!strstr(template, arena_printf(arena, "{%s|", name))) {
			fail_msg("%s: no word goes by {%s} in \"%s\"", id, name, template);
		}
	}
}

static void no_rule_says_1_keys(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct plurals plurals = {.arena = arena};
	for (int i = 0; i < check_rule_count; i++) {
		list_plurals(check_rules[i]->info.message, &plurals);
		list_plurals(check_rules[i]->info.fix, &plurals);
	}
	assert_true(is_listed(&plurals, "vertices") && is_listed(&plurals, "are"));
	for (int i = 0; i < 2 * check_rule_count; i++) {
		const struct check_rule_info *rule = &check_rules[i / 2]->info;
		const char *template = i % 2 ? rule->fix : rule->message;
		expect_words(rule->id, template, arena);
		const char *one = with_all_numbers(template, 1, arena);
		const char *two = with_all_numbers(template, 2, arena);
		const char *plural = plural_of_one(one, &plurals, arena);
		if (plural) {
			fail_msg("%s: \"%s\" in \"%s\"", rule->id, plural, one);
		}
		assert_null(strchr(two, '|'));
		assert_string_not_equal(one, strchr(template, '|') ? two : "");
	}
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_names_and_numbers),
		cmocka_unit_test(the_unknown_is_a_question_mark),
		cmocka_unit_test(numbers_are_written_as_people_do),
		cmocka_unit_test(words_go_by_the_number_as_it_is_written),
		cmocka_unit_test(malformed_templates_are_found),
		cmocka_unit_test(all_rules_have_sound_templates_and_texts),
		cmocka_unit_test(no_rule_says_1_keys),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
