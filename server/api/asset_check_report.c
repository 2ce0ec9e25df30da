// The profile and the baseline of a check, and its report.
#include <string.h>
#include <time.h>

#include "api/asset_check_internal.h"
#include "version.h"

/* Hexadecimal digits of the build that reports name. */
#define BUILD_DIGITS 12

#define DEFAULT_PROFILE CHECK_PROFILE_GAME

/* Name of a profile that comes with the request. */
#define OWN_RULES "rules"

static bool find_profile(const struct value *name, enum check_profile_id *out, struct error *err) {
	for (int i = 0; i < CHECK_PROFILE_COUNT; i++) {
		if (strcmp(check_profile_names[i], name->string) == 0) {
			*out = (enum check_profile_id)i;
			return true;
		}
	}
	char names[128];
	value_list_names(check_profile_names, names, sizeof names);
	return value_error(name, err, ERROR_INVALID_VALUE, "no profile \"%.80s\"; there are: %s",
		name->string, names);
}

static bool read_profile(struct asset_check *work, struct error *err) {
	const struct value *said = work->request.profile;
	enum check_profile_id id = DEFAULT_PROFILE;
	if (said && said->kind == VALUE_OBJECT) {
		return check_rules_file_read(
			said, OWN_RULES, &work->rules, work->arena, &work->profile, err);
	}
	if (said && !find_profile(said, &id, err)) {
		return false;
	}
	work->profile = check_profile_builtin(id);
	return true;
}

/* Sets the date if a suppression ends at one. */
static void look_at_calendar(struct asset_check *work) {
	const time_t now = time(NULL);
	struct tm date;
	char text[16];
	for (size_t i = 0; i < work->profile.suppression_count && !work->today; i++) {
		if (work->profile.suppressions[i].until && gmtime_r(&now, &date)) {
			strftime(text, sizeof text, "%Y-%m-%d", &date);
			work->today = arena_strndup(work->arena, text, strlen(text));
		}
	}
}

bool asset_check_resolve(struct asset_check *work, struct error *err) {
	if (!read_profile(work, err)) {
		return false;
	}
	work->profile.only = work->request.only;
	work->profile.skip = work->request.skip;
	work->profile.clips = work->request.clips;
	char digest[CHECK_DIGEST_BYTES];
	check_profile_digest(&work->profile, &work->rules, digest);
	work->digest = arena_strndup(work->arena, digest, strlen(digest));
	look_at_calendar(work);
	const struct value *baseline = work->request.baseline;
	work->baseline = baseline ? check_baseline_read(baseline, work->arena, err) : NULL;
	if (baseline && !work->baseline) {
		return false;
	}
	return true;
}

struct check_report asset_check_report(const struct asset_check *work) {
	const char *skinning = work->profile.settings.skinning;
	return (struct check_report){
		.build = arena_printf(work->arena, "posed %s (%.*s)", POSED_VERSION, BUILD_DIGITS,
			work->service->build),
		.profile = work->profile.name,
		.digest = work->digest,
		.resolved = &work->profile,
		.skinning = skinning ? skinning : "lbs",
		.with_timing = work->request.timing,
		.rules = work->rules.rules,
		.rule_count = work->rules.count,
		.files = work->files,
		.file_count = work->file_count,
		.has_baseline = work->baseline,
		.remarks = work->remarks,
		.remark_count = work->remark_count,
	};
}

void asset_check_compare(struct asset_check *work, struct check_file *file) {
	if (!work->baseline) {
		return;
	}
	struct check_report report = asset_check_report(work);
	report.files = file;
	report.file_count = 1;
	report.remark_count = 0;
	check_baseline_apply(work->baseline, &report, work->arena);
	*file = report.files[0];
	work->remarks = report.remarks;
	work->remark_count = report.remark_count;
}

/* As the command has it. */
static void remark_lack(struct asset_check *work) {
	const char **remarks = arena_alloc(work->arena, work->remark_count + 1, sizeof *remarks);
	remarks[0] = arena_printf(work->arena, "pictures are missing: %s", work->lack);
	for (size_t i = 0; i < work->remark_count; i++) {
		remarks[i + 1] = work->remarks[i];
	}
	work->remarks = remarks;
	work->remark_count++;
}

void asset_check_remark(struct asset_check *work) {
	if (work->lack) {
		remark_lack(work);
	}
	struct check_report report = asset_check_report(work);
	check_report_remark(&report, work->today, work->arena);
	work->remarks = report.remarks;
	work->remark_count = report.remark_count;
}

void asset_check_write(const struct asset_check *work, const struct check_report_format *format,
	struct buffer *out) {
	const struct check_report report = asset_check_report(work);
	const struct check_report_options options = {
		.fail_on = CHECK_ERROR,
		.viewer_url = work->inputs[0].hold.store ? "/" : NULL,
	};
	format->write(&report, &options, out);
}
