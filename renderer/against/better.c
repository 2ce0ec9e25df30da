// Results of both versions side by side.
#include <math.h>
#include <string.h>

#include "check/rules.h"
#include "interface/against.h"

/* Rules of two versions, which neither has alone. */
static const char *const rules_of_both[] = {"diff/*", "picture/*", NULL};

/* The measurements and findings of a file, by rule, then by clip plus 1. */
struct table {
	size_t clips; // and one more for the whole rig
	const struct check_measurement **measurements;
	const struct check_finding **findings; // the worst that counts
};

static size_t place_of(const struct table *table, int rule, int clip) {
	return (size_t)rule * table->clips + (size_t)(clip + 1);
}

/* Findings come by level, the worst first. */
static struct table make_table(const struct check_file *file, struct arena *arena) {
	const size_t clips = file->clip_count + 1, places = (size_t)check_rule_count * clips;
	struct table table = {.clips = clips};
	table.measurements = arena_alloc(arena, places, sizeof(struct check_measurement *));
	table.findings = arena_alloc(arena, places, sizeof(struct check_finding *));
	for (size_t i = 0; i < file->measurement_count; i++) {
		const struct check_measurement *at = &file->measurements[i];
		table.measurements[place_of(&table, at->rule, at->clip)] = at;
	}
	for (size_t i = file->finding_count; i > 0; i--) {
		const struct check_finding *finding = &file->findings[i - 1];
		if (!finding->suppressed) {
			table.findings[place_of(&table, finding->at.rule, finding->at.clip)] =
				finding;
		}
	}
	return table;
}

/* The clip of a file with a name, by its position plus 1; 0 = none. */
static size_t find_clip(const struct check_file *file, const char *name) {
	for (size_t i = 0; i < file->clip_count; i++) {
		if (strcmp(file->clips[i].name, name) == 0) {
			return i + 1;
		}
	}
	return 0;
}

static double excess_of(const struct check_finding *finding) {
	return fabs(finding->at.value - finding->threshold);
}

/* By level, then by how far the value is beyond its limit. Either may be NULL, which is best. */
static enum check_better choose(
	const struct check_finding *before, const struct check_finding *after) {
	const enum check_level levels[] = {
		before ? before->level : CHECK_OK, after ? after->level : CHECK_OK};
	if (levels[0] != levels[1]) {
		return levels[0] < levels[1] ? CHECK_BETTER_BEFORE : CHECK_BETTER_AFTER;
	}
	if (!before || !after || excess_of(before) == excess_of(after)) {
		return CHECK_BETTER_NEITHER;
	}
	return excess_of(before) < excess_of(after) ? CHECK_BETTER_BEFORE : CHECK_BETTER_AFTER;
}

static struct check_summary count(const struct check_file *file) {
	struct check_summary summary = {.files = 1};
	for (size_t i = 0; i < file->finding_count; i++) {
		const struct check_finding *finding = &file->findings[i];
		if (!check_globs_match(rules_of_both, check_rules[finding->at.rule]->info.id)) {
			check_summary_add(&summary, finding);
		}
	}
	return summary;
}

/* Fewer errors are better than fewer warnings, and those than fewer notes. */
static struct check_versions compare_counts(
	const struct check_file *before, const struct check_file *after) {
	struct check_versions versions = {.before = count(before), .after = count(after)};
	const size_t counts[2][3] = {
		{versions.before.errors, versions.before.warnings, versions.before.notes},
		{versions.after.errors, versions.after.warnings, versions.after.notes}};
	for (int i = 0; i < 3 && versions.better == CHECK_BETTER_NEITHER; i++) {
		if (counts[0][i] != counts[1][i]) {
			versions.better = counts[0][i] < counts[1][i] ? CHECK_BETTER_BEFORE
								      : CHECK_BETTER_AFTER;
		}
	}
	return versions;
}

void renderer_check_compare(
	const struct check_file *before, struct arena *arena, struct check_file *after) {
	struct arena *scratch = arena_create();
	const struct table old = make_table(before, scratch), new = make_table(after, scratch);
	size_t *clips = arena_alloc(scratch, after->clip_count + 1, sizeof *clips);
	struct check_measurement *measurements =
		arena_alloc(arena, after->measurement_count, sizeof *measurements);
	for (size_t i = 0; i < after->clip_count; i++) {
		clips[i + 1] = find_clip(before, after->clips[i].name);
	}
	for (size_t i = 0; i < after->measurement_count; i++) {
		struct check_measurement *at = &measurements[i];
		*at = after->measurements[i];
		const size_t clip = clips[at->clip + 1];
		const size_t place = place_of(&old, at->rule, (int)clip - 1);
		const struct check_measurement *same = old.measurements[place];
		if (same && (clip > 0) == (at->clip >= 0)) {
			at->has_before = true;
			at->before = same->value;
			at->better = choose(old.findings[place],
				new.findings[place_of(&new, at->rule, at->clip)]);
		}
	}
	after->measurements = measurements;
	after->has_versions = true;
	after->versions = compare_counts(before, after);
	arena_destroy(scratch);
}
