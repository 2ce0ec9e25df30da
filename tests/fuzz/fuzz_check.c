/* JSON that checks read: rules files and baselines. What is taken can be resolved, and a report
 * with the baseline's names can be written in every format. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "checks/baseline.h"
#include "checks/report.h"
#include "checks/rules_file.h"
#include "fuzz.h"
#include "json_text.h"

#define SIZE_MAX_BYTES ((size_t)1 << 16)

static const struct check_rule_info pop = {
	.id = "motion/pop", .unit = "L", .by_clip = true, .limits = {INFINITY, .006, .03}};
static const struct check_rule_info still = {
	.id = "clip/still", .unit = "L", .below = true, .limits = {INFINITY, 1e-4, INFINITY}};
static const struct check_rule_info *const infos[] = {&pop, &still};
static const struct check_rule_list rules = {infos, 2};

static const struct check_clip_facts clips[] = {{.name = "Walk", .duration_s = 1}};
static const struct check_measurement measurements[] = {
	{.rule = 0, .clip = 0, .value = .01}, {.rule = 1, .clip = 0, .value = 1}};
static const struct check_finding finding = {.at = {.value = .01, .time_s = .5},
	.level = CHECK_WARNING,
	.threshold = .006,
	.error_limit = .03,
	.message = "it pops",
	.fingerprint = "9f2c000000000001"};
static const struct check_file file = {.path = "fox.glb",
	.clips = clips,
	.clip_count = 1,
	.findings = &finding,
	.finding_count = 1,
	.measurements = measurements,
	.measurement_count = 2};

static void take_rules(const struct check_profile *profile) {
	char digest[CHECK_DIGEST_BYTES];
	check_profile_digest(profile, &rules, digest);
	assert(strlen(digest) == CHECK_DIGEST_BYTES - 1);
	for (size_t i = 0; i < rules.count; i++) {
		enum check_level at_most;
		const struct check_limits limits =
			check_profile_limits(profile, infos[i], "fox.glb", "Walk", &at_most);
		assert(!isnan(limits.note) && !isnan(limits.warning) && !isnan(limits.error));
		assert(at_most > CHECK_OK && at_most <= CHECK_ERROR);
	}
	const struct check_settings *settings = &profile->settings;
	assert(settings->height[0] < settings->height[1] && settings->influences > 0);
	assert(settings->surface_samples > 0);
	for (size_t i = 0; i < profile->suppression_count; i++) {
		assert(profile->suppressions[i].rule && profile->suppressions[i].reason);
	}
}

static void take_baseline(const struct check_baseline *baseline, struct arena *arena) {
	const struct check_report_options options = {.fail_on = CHECK_NOTE, .viewer_url = ""};
	struct check_report report = {.build = "posed",
		.profile = "game",
		.digest = "sha256:0",
		.skinning = "lbs",
		.rules = infos,
		.rule_count = 2,
		.files = &file,
		.file_count = 1};
	check_baseline_apply(baseline, &report, arena);
	assert(report.files[0].finding_count >= 1);
	for (size_t i = 0; i < report.files[0].finding_count; i++) {
		assert(report.files[0].findings[i].state != CHECK_STATE_NONE);
	}
	for (int i = 0; check_report_formats[i].name; i++) {
		struct buffer out = {0};
		check_report_formats[i].write(&report, &options, &out);
		const bool is_json = strstr(check_report_formats[i].media_type, "json") != NULL;
		assert(!is_json || json_read_at_most(arena, out.data, out.size, 1 << 22, NULL));
		buffer_finish(&out);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct error err[3] = {0};
	struct check_profile profile;
	if (size > SIZE_MAX_BYTES) {
		return 0;
	}
	struct arena *arena = arena_create();
	const struct value *value = json_read(arena, data, size, &err[0]);
	assert(value || err[0].code != ERROR_NONE);
	if (value && check_rules_file_read(value, "rules.json", &rules, arena, &profile, &err[1])) {
		take_rules(&profile);
	}
	const struct check_baseline *baseline =
		value ? check_baseline_read(value, arena, &err[2]) : NULL;
	if (baseline) {
		take_baseline(baseline, arena);
	}
	assert(!value || (err[1].code != ERROR_INTERNAL && err[2].code != ERROR_INTERNAL));
	arena_destroy(arena);
	return 0;
}
