// Parts that several formats of reports share.
#include "checks/report_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "checks/report_text.h"

const char *report_clip(const struct check_file *file, int clip) {
	return clip >= 0 && (size_t)clip < file->clip_count ? file->clips[clip].name : NULL;
}

const char *report_clip_or_rig(const struct check_file *file, int clip) {
	const char *name = report_clip(file, clip);
	return name ? name : "whole rig";
}

bool report_counts(const struct check_finding *finding) {
	return !finding->suppressed && finding->state != CHECK_STATE_UNCHANGED &&
		finding->state != CHECK_STATE_ABSENT;
}

struct check_summary report_summarise_file(const struct check_file *file) {
	return check_summarise(file, 1);
}

bool report_fails(const struct check_report_options *options, enum check_level level) {
	return options->fail_on != CHECK_OK && level >= options->fail_on;
}

void report_put_anchor(struct buffer *out, const char *rule) {
	for (; *rule; rule++) {
		buffer_append(out, *rule == '/' ? "-" : rule, 1);
	}
}

void report_put_count(struct buffer *out, size_t count, const char *noun) {
	text_printf(out, "%zu %s%s", count, noun, count == 1 ? "" : "s");
}

void report_put_summary(struct buffer *out, const struct check_summary *summary) {
	report_put_count(out, summary->errors, "error");
	text_put(out, ", ");
	report_put_count(out, summary->warnings, "warning");
	text_put(out, ", ");
	report_put_count(out, summary->notes, "note");
	if (summary->suppressed) {
		text_printf(out, ", %zu suppressed", summary->suppressed);
	}
}

const char *report_verdict_on(enum check_better better) {
	return better == CHECK_BETTER_AFTER     ? "better"
		: better == CHECK_BETTER_BEFORE ? "worse"
						: "";
}

void report_put_versions(struct buffer *out, const struct check_versions *versions) {
	report_put_summary(out, &versions->before);
	text_put(out, " in the earlier version; ");
	report_put_summary(out, &versions->after);
	text_put(out, " in this one");
	if (versions->better != CHECK_BETTER_NEITHER) {
		text_printf(out, ", which is %s", report_verdict_on(versions->better));
	}
}

struct finding_index {
	size_t clips;      // and one more for the whole rig
	const long *first; // [rules * clips]
	const long *next;  // [findings]
};

static size_t place_of(size_t clips, int rule, int clip) {
	const bool known = clip >= 0 && (size_t)clip + 1 < clips;
	return (size_t)rule * clips + (known ? (size_t)clip + 1 : 0);
}

struct finding_index *finding_index_create(
	const struct check_report *report, const struct check_file *file) {
	struct finding_index *index = xcalloc(1, sizeof *index);
	index->clips = file->clip_count + 1;
	const size_t places = report->rule_count * index->clips;
	long *first = xcalloc(places + 1, sizeof *first);
	long *next = xcalloc(file->finding_count + 1, sizeof *next);
	for (size_t i = 0; i < places; i++) {
		first[i] = -1;
	}
	for (size_t i = file->finding_count; i > 0; i--) {
		const struct check_measurement *at = &file->findings[i - 1].at;
		const size_t place = place_of(index->clips, at->rule, at->clip);
		next[i - 1] = first[place];
		first[place] = (long)i - 1;
	}
	index->first = first;
	index->next = next;
	return index;
}

void finding_index_destroy(struct finding_index *index) {
	if (index) {
		free((void *)index->first);
		free((void *)index->next);
		free(index);
	}
}

long finding_index_first(const struct finding_index *index, int rule, int clip) {
	return index->first[place_of(index->clips, rule, clip)];
}

long finding_index_next(const struct finding_index *index, long finding) {
	return index->next[finding];
}
