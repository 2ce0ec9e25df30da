// A line of JSON for each file of a run, and for each event while it is under way.
#include <math.h>
#include <string.h>

#include "checks/report_parts.h"
#include "checks/report_text.h"

static void write_greatest(struct json_writer *json, const struct check_report *report,
	const struct check_file *file) {
	json_write_key(json, "measurements");
	json_write_begin_object(json);
	for (size_t i = 0; i < file->measurement_count;) {
		const int rule = file->measurements[i].rule;
		const bool below = report->rules[rule]->below;
		double worst = NAN;
		for (; i < file->measurement_count && file->measurements[i].rule == rule; i++) {
			const double value = file->measurements[i].value;
			worst = below ? fmin(worst, value) : fmax(worst, value);
		}
		report_json_number(json, report->rules[rule]->id, worst);
	}
	json_write_end_object(json);
}

static void write_line(struct json_writer *json, const struct check_report *report,
	const struct check_file *file) {
	const struct check_summary summary = check_summarise(file, 1);
	json_write_begin_object(json);
	json_write_member_string(json, "schema", "posed-check-line/1");
	report_json_string(json, "build", report->build);
	report_json_string(json, "profile", report->profile);
	report_json_string(json, "digest", report->digest);
	report_json_string(json, "skinning", report->skinning);
	json_write_member_string(json, "path", file->path);
	report_json_string(json, "content", file->content);
	json_write_member_integer(json, "clips", (int64_t)file->clip_count);
	json_write_member_integer(json, "errors", (int64_t)summary.errors);
	json_write_member_integer(json, "warnings", (int64_t)summary.warnings);
	json_write_member_integer(json, "notes", (int64_t)summary.notes);
	json_write_member_integer(json, "suppressed", (int64_t)summary.suppressed);
	json_write_member_string(json, "worst", check_level_names[summary.worst]);
	write_greatest(json, report, file);
	if (report->with_timing) {
		report_json_number(json, "ms", file->seconds * 1000);
	}
	json_write_end_object(json);
}

void report_write_jsonl(const struct check_report *report,
	const struct check_report_options *options, struct buffer *out) {
	(void)options;
	for (size_t i = 0; i < report->file_count; i++) {
		struct json_writer json = {.out = out};
		write_line(&json, report, &report->files[i]);
		text_put(out, "\n");
	}
}

static struct json_writer begin_event(const char *name, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_string(&json, "event", name);
	return json;
}

static void end_event(struct json_writer *json) {
	json_write_end_object(json);
	text_put(json->out, "\n");
}

void check_event_start(size_t files, size_t clips, struct buffer *out) {
	struct json_writer json = begin_event("start", out);
	json_write_member_integer(&json, "files", (int64_t)files);
	json_write_member_integer(&json, "clips", (int64_t)clips);
	end_event(&json);
}

void check_event_clip(const char *path, const char *clip, size_t done, size_t of, double seconds,
	struct buffer *out) {
	struct json_writer json = begin_event("clip", out);
	report_json_string(&json, "path", path);
	report_json_string(&json, "clip", clip);
	json_write_member_integer(&json, "done", (int64_t)done);
	json_write_member_integer(&json, "of", (int64_t)of);
	report_json_number(&json, "ms", seconds * 1000);
	end_event(&json);
}

void check_event_finding(const struct check_report *report, const struct check_file *file,
	const struct check_finding *finding, struct buffer *out) {
	struct json_writer json = begin_event("finding", out);
	report_json_string(&json, "path", file->path);
	report_json_finding(&json, report, file, finding);
	end_event(&json);
}

void check_event_file(
	const struct check_report *report, const struct check_file *file, struct buffer *out) {
	struct json_writer json = begin_event("file", out);
	report_json_file(&json, report, file);
	end_event(&json);
}

void check_event_end(const struct check_report *report, struct buffer *out) {
	struct json_writer json = begin_event("end", out);
	report_json_summary(&json, report);
	json_write_member_strings(&json, "remarks", report->remarks, report->remark_count);
	end_event(&json);
}
