/* Whole checks: an asset is read leniently, checked, held against itself as an earlier version and
 * against its own report as a baseline, and reported in every format. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "checks/baseline.h"
#include "checks/report.h"
#include "checks/rules_file.h"
#include "fuzz.h"
#include "interface/against.h"
#include "interface/assets.h"
#include "interface/checks.h"
#include "interface/evidence.h"
#include "json_text.h"

#define SIZE_MAX_BYTES ((size_t)1 << 16)
#define VERTICES_MAX 20000
#define CLIPS_MAX 16
#define VALUES_MAX (1 << 20)

/* Seconds after which a check is stopped, as clients do: a clip may have a million samples. */
#define PATIENCE_S 1

/* One asset that is checked. */
struct checked {
	struct arena *arena;
	struct check_job job;
	struct check_run *run; // NULL = stopped
};

static bool take_steps(struct check_run *run) {
	struct error err = {0};
	size_t i = 0;
	while (i < renderer_check_steps(run) && renderer_check_step(run, i, &err)) {
		i++;
	}
	assert(i == renderer_check_steps(run) || err.code == ERROR_DEADLINE);
	return i == renderer_check_steps(run);
}

/* A run with all its steps; NULL = it was stopped. */
static struct check_run *check(const struct checked *checked) {
	struct error err = {0};
	struct check_run *run = renderer_check_begin(&checked->job, checked->arena, &err);
	assert(run || err.code == ERROR_DEADLINE);
	return run && take_steps(run) ? run : NULL;
}

static void expect_number(double value, double least, double most) {
	assert(isnan(value) || (value >= least && value <= most));
}

static void expect_sound(const struct checked *checked, const struct check_file *file) {
	const struct rig *rig = checked->job.rig;
	assert(isfinite(file->length) && file->length >= 0);
	for (size_t i = 0; i < file->finding_count; i++) {
		const struct check_finding *finding = &file->findings[i];
		assert(finding->level > CHECK_OK && finding->level <= CHECK_ERROR);
		assert(finding->message[0] && strlen(finding->fingerprint) == 16);
		assert(finding->at.clip < (int)file->clip_count);
		expect_number(finding->at.sample, -1, 1 << 20);
		for (size_t k = 0; k < finding->at.vertex_count; k++) {
			assert(finding->at.vertices[k] < (uint32_t)rig->vertex_count);
		}
		for (size_t k = 0; k < finding->at.triangle_count; k++) {
			assert(finding->at.triangles[k] < (uint32_t)(rig->index_count / 3 + 1));
		}
	}
}

static struct check_report report_of(
	const struct checked *checked, const struct check_file *file, size_t rules) {
	static char digest[CHECK_DIGEST_BYTES];
	struct check_report report = {
		.build = "posed",
		.profile = checked->job.profile->name,
		.digest = digest,
		.resolved = checked->job.profile,
		.skinning = "lbs",
		.files = file,
		.file_count = 1,
	};
	report.rules = renderer_check_rules(&report.rule_count);
	assert(rules == report.rule_count);
	const struct check_rule_list list = {report.rules, report.rule_count};
	check_profile_digest(checked->job.profile, &list, digest);
	check_report_remark(&report, NULL, checked->arena);
	return report;
}

/* Writes all formats; the report of "json" as a value. */
static const struct value *write_all(
	const struct checked *checked, const struct check_report *report) {
	const struct check_report_options options = {.fail_on = CHECK_NOTE, .viewer_url = "/"};
	const struct value *json = NULL;
	for (int i = 0; check_report_formats[i].name; i++) {
		struct buffer out = {0};
		check_report_formats[i].write(report, &options, &out);
		if (strcmp(check_report_formats[i].name, "jsonl") != 0 &&
			strstr(check_report_formats[i].media_type, "json")) {
			const struct value *value = json_read_at_most(
				checked->arena, out.data, out.size, VALUES_MAX, NULL);
			assert(value);
			json = json ? json : value;
		}
		buffer_finish(&out);
	}
	return json;
}

/* Nothing is new against the same report. */
static void compare_with_itself(
	const struct checked *checked, struct check_report *report, const struct value *json) {
	struct error err = {0};
	const struct check_baseline *baseline = check_baseline_read(json, checked->arena, &err);
	assert(baseline);
	check_baseline_apply(baseline, report, checked->arena);
	for (size_t i = 0; i < report->files[0].finding_count; i++) {
		assert(report->files[0].findings[i].state == CHECK_STATE_UNCHANGED);
	}
}

/* False when it was stopped. */
static bool compare_versions(const struct checked *checked) {
	struct error err = {0};
	struct check_run *before = check(checked);
	const struct check_against_job job = {
		.before = before, .after = checked->run, .stop = checked->job.stop};
	return before && renderer_check_against(&job, &err);
}

static void report(struct checked *checked, bool versions) {
	struct check_file file;
	struct error err = {0};
	const struct check_evidence_job cameras = {
		.run = checked->run, .pictures = EVIDENCE_CAMERAS, .stop = checked->job.stop};
	size_t rules;
	renderer_check_rules(&rules);
	if (versions && !compare_versions(checked)) {
		return;
	}
	renderer_check_finish(checked->run, &file);
	expect_sound(checked, &file);
	if (!renderer_check_evidence(NULL, &cameras, checked->arena, &file, &err)) {
		assert(err.code == ERROR_DEADLINE);
		return;
	}
	struct check_report whole = report_of(checked, &file, rules);
	compare_with_itself(checked, &whole, write_all(checked, &whole));
	write_all(checked, &whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct error err = {0};
	struct asset_facts *facts;
	if (size > SIZE_MAX_BYTES) {
		return 0;
	}
	struct rig *rig = renderer_import_lenient(data, size, &facts, &err);
	if (!rig) {
		return 0;
	}
	if (rig->vertex_count <= VERTICES_MAX && rig->clip_count <= CLIPS_MAX) {
		struct stop stop = {.deadline_s = clock_now_s() + PATIENCE_S};
		const struct check_profile profile =
			check_profile_builtin((enum check_profile_id)(size % CHECK_PROFILE_COUNT));
		struct checked checked = {
			.arena = arena_create(),
			.job = {.rig = rig,
				.facts = facts,
				.profile = &profile,
				.path = "a.glb",
				.stop = &stop},
		};
		checked.run = check(&checked);
		if (checked.run) {
			report(&checked, size % 4 == 0);
		}
		arena_destroy(checked.arena);
	}
	asset_facts_destroy(facts);
	rig_release(rig);
	return 0;
}
