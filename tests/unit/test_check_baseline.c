// Baselines: states of findings, what is gone, remarks, and reports that are none.
#include "checks/baseline.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "checks/report.h"
#include "json_text.h"
#include "limits.h"
#include "nasty_report.h"

enum { POP, STILL, WEIGHTS };

static const struct check_clip_facts clips[] = {{.name = "Walk"}, {.name = "Run"}};

/* A run over one file with one finding, and measurements of these rules. */
struct run {
	struct check_report report;
	struct check_file file;
	struct check_finding finding;
	struct check_measurement measurements[4];
};

static void run_init(struct run *run, int rule, int clip, double value, const char *fingerprint) {
	*run = (struct run){
		.report = {.build = "posed 2",
			.profile = "game",
			.digest = "sha256:2",
			.skinning = "lbs",
			.rules = nasty_rules,
			.rule_count = NASTY_RULES,
			.file_count = 1},
		.file = {.path = "fox.glb", .clips = clips, .clip_count = 2},
		.finding = {.at = {.rule = rule, .clip = clip, .value = value},
			.level = CHECK_WARNING,
			.threshold = .006,
			.message = "it pops"},
		.measurements = {{.rule = POP, .clip = 0}, {.rule = POP, .clip = 1},
			{.rule = WEIGHTS, .clip = -1}},
	};
	strcpy(run->finding.fingerprint, fingerprint);
	run->file.findings = &run->finding;
	run->file.finding_count = 1;
	run->file.measurements = run->measurements;
	run->file.measurement_count = 3;
	run->report.files = &run->file;
}

static const struct check_baseline *baseline_of(
	struct arena *arena, const char *text, struct error *err) {
	const struct value *value =
		json_read_at_most(arena, text, strlen(text), LIMIT_BASELINE_VALUES, err);
	assert_non_null(value);
	return check_baseline_read(value, arena, err);
}

/* A report of one finding, whose members are given, in this file. */
static void apply_finding(
	struct run *run, const char *file, const char *finding, struct arena *arena) {
	struct error err = {0};
	const char *text = arena_printf(arena,
		"{\"schema\": \"posed-check/1\", \"build\": \"posed 1\", \"skinning\": \"dqs\","
		" \"profile\": {\"name\": \"game\", \"digest\": \"sha256:1\"}, \"files\":"
		" [{\"path\": \"%s\", \"findings\": [%s]}]}",
		file, finding);
	const struct check_baseline *baseline = baseline_of(arena, text, &err);
	if (!baseline) {
		fail_msg("%s at %s", err.text, err.pointer);
	}
	check_baseline_apply(baseline, &run->report, arena);
}

#define A "aaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbb"

static void known_findings_are_unchanged_unless_they_are_worse(void **state) {
	(void)state;
	static const struct {
		double value;
		const char *known;
		enum check_state wanted;
	} cases[] = {
		{.01, "", CHECK_STATE_NEW},
		{.01, "\"level\": \"warning\", \"value\": 0.01", CHECK_STATE_UNCHANGED},
		{.001, "\"level\": \"warning\", \"value\": 0.01", CHECK_STATE_UNCHANGED},
		{.01, "\"level\": \"error\", \"value\": 0.01", CHECK_STATE_UNCHANGED},
		{.01, "\"level\": \"note\", \"value\": 0.01", CHECK_STATE_UPDATED},
		// Halves of the threshold are at 0.009, 0.012 and so on.
		{.0105, "\"level\": \"warning\", \"value\": 0.01", CHECK_STATE_UNCHANGED},
		{.0118, "\"level\": \"warning\", \"value\": 0.01", CHECK_STATE_UNCHANGED},
		{.0121, "\"level\": \"warning\", \"value\": 0.01", CHECK_STATE_UPDATED},
		{.0121, "\"level\": \"warning\", \"value\": 0.0119", CHECK_STATE_UNCHANGED},
		{.5, "\"level\": \"warning\"", CHECK_STATE_UNCHANGED},
		{.01, "\"level\": \"warning\", \"value\": 0.01, \"suppressed\": \"x\"",
			CHECK_STATE_UPDATED},
		{.01, "\"level\": \"warning\", \"value\": 0.01, \"state\": \"absent\"",
			CHECK_STATE_NEW},
		{.01, "\"level\": \"warning\", \"value\": 0.01, \"state\": \"new\", \"later\": []",
			CHECK_STATE_UNCHANGED},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena *arena = arena_create();
		struct run run;
		run_init(&run, POP, 0, cases[i].value, A);
		const char *known = *cases[i].known
			? arena_printf(arena,
				  "{\"rule\": \"motion/pop\", \"fingerprint\": \"%s\", %s}", A,
				  cases[i].known)
			: "";
		apply_finding(&run, "fox.glb", known, arena);
		assert_int_equal(run.report.files[0].finding_count, 1);
		if (run.report.files[0].findings[0].state != cases[i].wanted) {
			fail_msg("%g after %s", cases[i].value, cases[i].known);
		}
		arena_destroy(arena);
	}
}

static void below_a_limit_less_is_worse(void **state) {
	(void)state;
	static const struct {
		double value;
		enum check_state wanted;
	} cases[] = {{8e-5, CHECK_STATE_UNCHANGED}, {7e-5, CHECK_STATE_UNCHANGED},
		{5e-5, CHECK_STATE_UPDATED}, {1, CHECK_STATE_UNCHANGED}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena *arena = arena_create();
		struct run run;
		run_init(&run, STILL, 0, cases[i].value, A);
		run.finding.threshold = 1e-4;
		apply_finding(&run, "fox.glb",
			"{\"rule\": \"clip/still\", \"level\": \"warning\", \"value\": 8e-5,"
			" \"fingerprint\": \"" A "\"}",
			arena);
		assert_int_equal(run.report.files[0].findings[0].state, cases[i].wanted);
		arena_destroy(arena);
	}
}

static void what_was_looked_at_and_is_not_found_is_absent(void **state) {
	(void)state;
	static const struct {
		const char *file, *rule, *clip;
		size_t wanted;
	} cases[] = {
		{"fox.glb", "motion/pop", "\"Run\"", 2},
		{"fox.glb", "motion/pop", "\"Gone\"", 2},
		{"fox.glb", "rig/weight_sum", "\"\"", 2},
		// Neither another file nor a rule that was not applied is missed.
		{"cat.glb", "motion/pop", "\"Run\"", 1},
		{"fox.glb", "clip/still", "\"Run\"", 1},
		{"fox.glb", "motion/unknown", "\"Run\"", 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena *arena = arena_create();
		struct run run;
		run_init(&run, POP, 0, .01, A);
		const char *known = arena_printf(arena,
			"{\"rule\": \"%s\", \"level\": \"error\", \"fingerprint\": \"%s\", "
			"\"clip\": %s,"
			" \"joint\": \"Neck\", \"message\": \"it was there\", \"value\": 0.05}",
			cases[i].rule, B, cases[i].clip);
		apply_finding(&run, cases[i].file, known, arena);
		const struct check_file *file = run.report.files;
		assert_int_equal(file->finding_count, cases[i].wanted);
		assert_int_equal(file->findings[0].state, CHECK_STATE_NEW);
		if (cases[i].wanted == 2) {
			const struct check_finding *gone = &file->findings[1];
			assert_int_equal(gone->state, CHECK_STATE_ABSENT);
			assert_int_equal(gone->level, CHECK_ERROR);
			assert_string_equal(gone->fingerprint, B);
			assert_string_equal(gone->message, "it was there");
			assert_string_equal(gone->at.joint, "Neck");
		}
		// Absent findings do not count.
		assert_int_equal(check_summarise(file, 1).errors, 0);
		arena_destroy(arena);
	}
}

static void only_what_is_new_counts(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct run run;
	run_init(&run, POP, 0, .01, A);
	apply_finding(&run, "fox.glb",
		"{\"rule\": \"motion/pop\", \"level\": \"warning\", \"value\": 0.01,"
		" \"fingerprint\": \"" A "\"}",
		arena);
	struct check_summary summary = check_summarise(run.report.files, 1);
	assert_int_equal(summary.warnings, 1);
	assert_int_equal(summary.fresh, 0);
	assert_int_equal(summary.worst, CHECK_OK);
	assert_true(run.report.has_baseline);
	arena_destroy(arena);
}

static void other_ways_are_remarked(void **state) {
	(void)state;
	static const char *const before[] = {"first"};
	struct arena *arena = arena_create();
	struct run run;
	run_init(&run, POP, 0, .01, A);
	run.report.remarks = before;
	run.report.remark_count = 1;
	apply_finding(&run, "fox.glb", "", arena);
	assert_int_equal(run.report.remark_count, 4);
	assert_string_equal(run.report.remarks[0], "first");
	assert_string_equal(run.report.remarks[1],
		"The baseline was made with another profile: sha256:1, now sha256:2.");
	assert_string_equal(run.report.remarks[2],
		"The baseline was made with another build: posed 1, now posed 2.");
	assert_string_equal(run.report.remarks[3],
		"The baseline was made with another skinning method: dqs, now lbs.");
	arena_destroy(arena);
}

/* With nothing changed, nothing is new, whatever the names are. */
static void a_report_is_its_own_baseline(void **state) {
	(void)state;
	const struct check_report_options options = {.fail_on = CHECK_ERROR};
	struct arena *arena = arena_create();
	struct check_report report = *nasty_report();
	struct buffer text = {0};
	struct error err = {0};
	check_report_format_find("json")->write(&report, &options, &text);
	buffer_append(&text, "", 1);
	const struct check_baseline *baseline = baseline_of(arena, (const char *)text.data, &err);
	assert_non_null(baseline);
	check_baseline_apply(baseline, &report, arena);
	assert_int_equal(report.remark_count, 1);
	for (size_t i = 0; i < report.file_count; i++) {
		assert_int_equal(
			report.files[i].finding_count, nasty_report()->files[i].finding_count);
		for (size_t k = 0; k < report.files[i].finding_count; k++) {
			const struct check_finding *finding = &report.files[i].findings[k];
			const bool was_absent =
				nasty_report()->files[i].findings[k].state == CHECK_STATE_ABSENT;
			assert_int_equal(finding->state,
				was_absent ? CHECK_STATE_NEW : CHECK_STATE_UNCHANGED);
		}
	}
	buffer_finish(&text);
	arena_destroy(arena);
}

static void what_is_no_report_is_refused(void **state) {
	(void)state;
	static const struct {
		const char *text, *pointer, *said;
	} cases[] = {
		{"[]", "", "no JSON report of a check"},
		{"3", "", "no JSON report of a check"},
		{"{\"version\": \"2.1.0\", \"runs\": []}", "", "no JSON report of a check"},
		{"{\"schema\": \"posed-check/2\"}", "/schema", "has \"posed-check/1\""},
		{"{\"schema\": 1}", "", "no JSON report of a check"},
		{"{\"schema\": \"posed-check/1\"}", "", "\"files\" is missing"},
		{"{\"schema\": \"posed-check/1\", \"files\": {}}", "/files", "must be a list"},
		{"{\"schema\": \"posed-check/1\", \"files\": [], \"profile\": 3}", "/profile",
			"must be an object"},
		{"{\"schema\": \"posed-check/1\", \"files\": [3]}", "/files/0",
			"must be an object"},
		{"{\"schema\": \"posed-check/1\", \"files\": [{\"path\": \"a\"}]}", "/files/0",
			"\"findings\" is missing"},
		{"{\"schema\": \"posed-check/1\", \"files\": [{\"path\": \"a\", \"findings\": 1}]}",
			"/files/0/findings", "must be a list"},
		{"{\"schema\": \"posed-check/1\", \"files\": [{\"path\": \"a\", \"findings\":"
		 " [{\"rule\": \"motion/pop\", \"level\": \"bad\"}]}]}",
			"/files/0/findings/0/level", "must be one of: ok, note"},
		{"{\"schema\": \"posed-check/1\", \"files\": [{\"path\": \"a\", \"findings\":"
		 " [{\"rule\": \"a/b\", \"level\": \"note\", \"fingerprint\": \"9f2c\"}]}]}",
			"/files/0/findings/0/fingerprint", "must be 16 hexadecimal digits"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena *arena = arena_create();
		struct error err = {0};
		if (baseline_of(arena, cases[i].text, &err)) {
			fail_msg("%s is taken", cases[i].text);
		}
		if (!strstr(err.text, cases[i].said) ||
			strcmp(err.pointer, cases[i].pointer) != 0) {
			fail_msg("%s: %s at \"%s\"", cases[i].text, err.text, err.pointer);
		}
		arena_destroy(arena);
	}
}

/* More values than a request may have, and in no time. */
static void baselines_may_be_large(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct buffer text = {0};
	struct error err = {0};
	const char head[] = "{\"schema\": \"posed-check/1\", \"files\": [";
	buffer_append(&text, head, strlen(head));
	for (int file = 0; file < 500; file++) {
		char line[160];
		const int length = snprintf(line, sizeof line,
			"%s{\"path\": \"%d.glb\", \"findings\": [", file ? "," : "", file);
		buffer_append(&text, line, (size_t)length);
		for (int i = 0; i < 120; i++) {
			const int more = snprintf(line, sizeof line,
				"%s{\"rule\": \"motion/pop\", \"level\": \"note\", \"value\": 1, "
				"\"clip\": \"Walk\", \"fingerprint\": \"%016x\"}",
				i ? "," : "", file * 120 + i);
			buffer_append(&text, line, (size_t)more);
		}
		buffer_append(&text, "]}", 2);
	}
	buffer_append(&text, "]}", 3);
	assert_null(json_read(arena, text.data, text.size - 1, NULL));
	const struct check_baseline *baseline = baseline_of(arena, (const char *)text.data, &err);
	assert_non_null(baseline);
	struct run run;
	run_init(&run, POP, 0, 1, "0000000000000001");
	run.file.path = "0.glb";
	check_baseline_apply(baseline, &run.report, arena);
	assert_int_equal(run.report.files[0].finding_count, 120);
	assert_int_equal(run.report.files[0].findings[0].state, CHECK_STATE_UPDATED);
	assert_string_equal(run.report.files[0].findings[119].fingerprint, "0000000000000077");
	buffer_finish(&text);
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_findings_are_unchanged_unless_they_are_worse),
		cmocka_unit_test(below_a_limit_less_is_worse),
		cmocka_unit_test(what_was_looked_at_and_is_not_found_is_absent),
		cmocka_unit_test(only_what_is_new_counts),
		cmocka_unit_test(other_ways_are_remarked),
		cmocka_unit_test(a_report_is_its_own_baseline),
		cmocka_unit_test(what_is_no_report_is_refused),
		cmocka_unit_test(baselines_may_be_large),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
