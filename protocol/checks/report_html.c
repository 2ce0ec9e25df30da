/* Reports as a page in one file: readable without scripts, by keyboard and on paper, in light and
 * dark. Nothing is loaded from elsewhere. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check_profile.h"
#include "checks/report_graphs.h"
#include "checks/report_parts.h"
#include "checks/report_text.h"
#include "url_text.h"

static const char style[] =
	":root{color-scheme:light dark;--text:#1a1c20;--dim:#5b616b;--page:#fff;--box:#f4f5f7;"
	"--edge:#d8dbe0;--error:#b3261e;--warning:#8a5a00;--note:#1f5fa8;--link:#1f5fa8}\n"
	"@media(prefers-color-scheme:dark){:root{--text:#e7e9ee;--dim:#a3a9b5;--page:#15171b;"
	"--box:#1f2228;--edge:#3a3f48;--error:#ff8a80;--warning:#f2b84b;--note:#8ab8f5;"
	"--link:#8ab8f5}}\n"
	"body{font:15px/1.5 system-ui,sans-serif;color:var(--text);background:var(--page);"
	"max-width:64rem;margin:0 auto;padding:1rem}\n"
	"a{color:var(--link)}:focus-visible{outline:2px solid var(--link);outline-offset:2px}\n"
	"h1,h2,h3{line-height:1.25;overflow-wrap:anywhere}h3{font-size:1rem;margin:0}\n"
	"table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid var(--edge);"
	"padding:.25rem .5rem;text-align:left;overflow-wrap:anywhere}\n"
	"td.number,th.number{text-align:right;white-space:nowrap}\n"
	".dim{color:var(--dim)}code{font:13px ui-monospace,monospace}\n"
	".error{color:var(--error);fill:var(--error)}.warning{color:var(--warning);"
	"fill:var(--warning)}.note{color:var(--note);fill:var(--note)}\n"
	"article{background:var(--box);border:1px solid var(--edge);"
	"border-left:4px solid currentColor;border-radius:4px;padding:.75rem;margin:.75rem 0}\n"
	"article>*{color:var(--text)}article h3 .level{text-transform:uppercase;font-size:.8rem}\n"
	"article.quiet{border-style:dashed}h3 .dim{font-weight:normal}article p{margin:.35rem "
	"0;overflow-wrap:anywhere}\n"
	".clips{list-style:none;padding:0}.clips li{display:grid;"
	"grid-template-columns:minmax(6rem,14rem) 1fr;gap:.75rem;align-items:center;margin:.2rem "
	"0}\n"
	".clips span{overflow-wrap:anywhere}.line{width:100%;height:1rem}"
	".ground{fill:var(--edge)}\n"
	".bar{width:12rem;height:.6rem;vertical-align:middle}.filled{fill:var(--dim)}"
	".bar .limit{fill:var(--error)}\n"
	".pictures{display:flex;flex-wrap:wrap;gap:.5rem}figure{margin:.35rem 0}"
	"figure img{max-width:100%;height:auto;border-radius:3px}figcaption{font-size:.8rem;"
	"color:var(--dim)}\n"
	".curve svg{width:20rem;max-width:100%}.signal{fill:none;stroke:var(--text);"
	"stroke-width:1.5}.curve .limit{stroke:var(--error);stroke-dasharray:4 3}"
	".moment{stroke:var(--dim);stroke-dasharray:1 3}\n"
	"@media print{article{break-inside:avoid}a{color:inherit}details>*{display:block}}\n";

/* A page on its way out. */
struct page {
	const struct check_report *report;
	const struct check_report_options *options;
	struct buffer *out;
};

static void put(const struct page *page, const char *text) {
	text_put_escaped(page->out, text ? text : "", text_escape_markup);
}

/* "f-2-17": a finding of a file. */
static void name_finding(char id[static 48], size_t file, size_t finding) {
	snprintf(id, 48, "f-%zu-%zu", file + 1, finding + 1);
}

static void write_head(const struct page *page) {
	const struct check_report *report = page->report;
	const struct check_summary summary = check_summarise(report->files, report->file_count);
	text_put(page->out,
		"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
		"'none'; img-src data:; style-src 'unsafe-inline'\">\n<title>Checks: ");
	report_put_summary(page->out, &summary);
	text_printf(page->out,
		"</title>\n<style>\n%s</style></head>\n<body><header><h1>Checks: ", style);
	report_put_summary(page->out, &summary);
	text_put(page->out, "</h1>\n<p>Profile <strong>");
	put(page, report->profile);
	text_put(page->out, "</strong>, skinning ");
	put(page, report->skinning);
	text_put(page->out, "; made by ");
	put(page, report->build);
	text_put(page->out, ". <span class=\"dim\">");
	put(page, report->digest);
	text_put(page->out, "</span></p>\n");
	if (report->has_baseline) {
		text_printf(page->out, "<p>%zu new or worse than in the baseline.</p>\n",
			summary.fresh);
	}
	for (size_t i = 0; i < report->remark_count; i++) {
		text_put(page->out, "<p class=\"warning\">");
		put(page, report->remarks[i]);
		text_put(page->out, "</p>\n");
	}
	text_put(page->out, "</header>\n<main>\n");
}

static void write_files_table(const struct page *page) {
	text_put(page->out,
		"<h2>Files</h2>\n<table><thead><tr><th>file</th>"
		"<th class=\"number\">errors</th><th class=\"number\">warnings</th>"
		"<th class=\"number\">notes</th><th class=\"number\">suppressed</th>"
		"<th class=\"number\">clips</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < page->report->file_count; i++) {
		const struct check_file *file = &page->report->files[i];
		const struct check_summary summary = report_summarise_file(file);
		text_printf(page->out, "<tr><td><a href=\"#file-%zu\">", i + 1);
		put(page, file->path);
		text_printf(page->out,
			"</a>%s</td><td class=\"number\">%zu</td><td class=\"number\">%zu</td>"
			"<td class=\"number\">%zu</td><td class=\"number\">%zu</td>"
			"<td class=\"number\">%zu</td></tr>\n",
			file->refused ? " (refused)" : "", summary.errors, summary.warnings,
			summary.notes, summary.suppressed, file->clip_count);
	}
	text_put(page->out, "</tbody></table>\n");
}

static void write_clip_strips(
	const struct page *page, const struct check_file *file, size_t file_number) {
	struct finding_index *index = finding_index_create(page->report, file);
	text_put(page->out, "<ol class=\"clips\">\n");
	for (size_t clip = 0; clip < file->clip_count; clip++) {
		text_put(page->out, "<li><span>");
		put(page, file->clips[clip].name);
		text_put(page->out, "</span>");
		graph_begin_time_line(page->out);
		for (size_t rule = 0; rule < page->report->rule_count; rule++) {
			long at = finding_index_first(index, (int)rule, (int)clip);
			for (; at >= 0; at = finding_index_next(index, at)) {
				char id[48];
				name_finding(id, file_number, (size_t)at);
				graph_put_mark(
					page->out, &file->clips[clip], &file->findings[at], id);
			}
		}
		graph_end_time_line(page->out);
		text_put(page->out, "</li>\n");
	}
	text_put(page->out, "</ol>\n");
	finding_index_destroy(index);
}

/* "Walk, 0.417 s, b_Neck_04" */
static void write_place(const struct page *page, const struct check_file *file,
	const struct check_measurement *at) {
	text_put(page->out, "<p class=\"dim\">");
	put(page, report_clip_or_rig(file, at->clip));
	if (isfinite(at->time_s)) {
		text_put(page->out, ", ");
		text_put_number(page->out, at->time_s);
		text_put(page->out, " s");
	}
	const char *const names[] = {at->joint, at->material};
	for (int i = 0; i < 2; i++) {
		text_put(page->out, names[i] ? ", " : "");
		put(page, names[i]);
	}
	text_put(page->out, "</p>\n");
}

static void write_pictures(const struct page *page, const struct check_finding *finding) {
	if (!finding->picture_count) {
		return;
	}
	text_put(page->out, "<div class=\"pictures\">");
	for (size_t i = 0; i < finding->picture_count; i++) {
		const struct check_picture *picture = &finding->pictures[i];
		text_put(page->out, "<figure><img alt=\"");
		put(page, picture->label);
		text_put(page->out, "\" src=\"data:");
		put(page, picture->type);
		text_put(page->out, ";base64,");
		text_put_base64(page->out, picture->bytes, picture->size);
		text_put(page->out, "\"><figcaption>");
		put(page, picture->label);
		text_put(page->out, "</figcaption></figure>");
	}
	text_put(page->out, "</div>\n");
}

static void write_camera(const struct page *page, const struct check_camera *camera) {
	const double numbers[] = {camera->yaw_deg, camera->pitch_deg, camera->distance,
		camera->target[0], camera->target[1], camera->target[2]};
	text_put(page->out, "&amp;camera=");
	for (int i = 0; i < 6; i++) {
		text_put(page->out, i > 0 ? "," : "");
		text_put_number(page->out, isfinite(numbers[i]) ? numbers[i] : 0);
	}
}

static void write_viewer_link(const struct page *page, const struct check_file *file,
	const struct check_finding *finding) {
	const char *url = page->options->viewer_url;
	const char *clip = report_clip(file, finding->at.clip);
	if (!url) {
		return;
	}
	const size_t length = strlen(url);
	text_put(page->out, "<p><a href=\"");
	put(page, url);
	text_put(page->out, length && url[length - 1] == '/' ? "#rig=" : "/#rig=");
	text_put_uri_component(page->out, file->path);
	if (clip) {
		text_put(page->out, "&amp;clip=");
		text_put_uri_component(page->out, clip);
	}
	if (isfinite(finding->at.time_s)) {
		text_put(page->out, "&amp;time=");
		text_put_number(page->out, finding->at.time_s);
	}
	if (finding->has_camera) {
		write_camera(page, &finding->camera);
	}
	text_put(page->out, "\">Open in viewer</a></p>\n");
}

static void write_status(const struct page *page, const struct check_finding *finding) {
	if (finding->state != CHECK_STATE_NONE) {
		text_printf(page->out, " <span class=\"dim\">%s</span>",
			check_state_names[finding->state]);
	}
	if (finding->count > 1) {
		text_printf(
			page->out, " <span class=\"dim\">(the worst of %d)</span>", finding->count);
	}
	text_put(page->out, "</h3>\n");
	if (finding->suppressed) {
		text_put(page->out, "<p><strong>Suppressed:</strong> ");
		put(page, finding->suppressed);
		text_put(page->out, "</p>\n");
	}
}

static void write_finding(const struct page *page, const struct check_file *file,
	const struct check_finding *finding, const char *id) {
	const struct check_rule_info *rule = page->report->rules[finding->at.rule];
	text_printf(page->out,
		"<article id=\"%s\" class=\"%s%s\"><h3><span class=\"level %s\">%s</span> "
		"<a href=\"#rule-",
		id, check_level_names[finding->level], report_counts(finding) ? "" : " quiet",
		check_level_names[finding->level], check_level_names[finding->level]);
	report_put_anchor(page->out, rule->id);
	text_put(page->out, "\"><code>");
	put(page, rule->id);
	text_put(page->out, "</code></a>");
	write_status(page, finding);
	text_put(page->out, "<p>");
	put(page, finding->message);
	text_put(page->out, "</p>\n");
	write_place(page, file, &finding->at);
	graph_put_bar(page->out, finding, rule->unit);
	write_pictures(page, finding);
	graph_put_curve(page->out, finding, rule->unit);
	if (finding->fix && *finding->fix) {
		text_put(page->out, "<p><strong>Fix:</strong> ");
		put(page, finding->fix);
		text_put(page->out, "</p>\n");
	}
	write_viewer_link(page, file, finding);
	text_put(page->out, "</article>\n");
}

static void write_more(const struct page *page, const struct check_file *file) {
	for (size_t i = 0; i < file->more_count; i++) {
		const struct check_more *more = &file->more[i];
		text_printf(page->out, "<p class=\"dim\">%zu more of ", more->count);
		put(page, page->report->rules[more->rule]->id);
		text_put(page->out, " in ");
		put(page, report_clip_or_rig(file, more->clip));
		text_put(page->out, "</p>\n");
	}
}

static void write_skipped(const struct page *page, const struct check_file *file) {
	if (!file->skip_count) {
		return;
	}
	text_printf(
		page->out, "<details><summary>Not checked: %zu</summary><ul>\n", file->skip_count);
	for (size_t i = 0; i < file->skip_count; i++) {
		const struct check_skip *skip = &file->skipped[i];
		text_put(page->out, "<li><code>");
		put(page, page->report->rules[skip->rule]->id);
		text_put(page->out, "</code>, ");
		put(page, report_clip_or_rig(file, skip->clip));
		text_put(page->out, ": ");
		put(page, skip->reason);
		text_put(page->out, "</li>\n");
	}
	text_put(page->out, "</ul></details>\n");
}

static void write_not_covered(const struct page *page, const struct check_file *file) {
	if (file->not_covered_count == 0) {
		return;
	}
	text_put(page->out, "<p>Not covered:");
	for (size_t i = 0; i < file->not_covered_count; i++) {
		text_put(page->out, i > 0 ? "; " : " ");
		put(page, file->not_covered[i]);
	}
	text_put(page->out, "</p>\n");
}

static void write_measurement(const struct page *page, const struct check_file *file,
	const struct check_measurement *at) {
	text_put(page->out, "<tr><td><code>");
	put(page, page->report->rules[at->rule]->id);
	text_put(page->out, "</code></td><td>");
	put(page, report_clip_or_rig(file, at->clip));
	if (file->has_versions) {
		text_put(page->out, "</td><td class=\"number\">");
		if (at->has_before) {
			text_put_number(page->out, at->before);
		}
	}
	text_put(page->out, "</td><td class=\"number\">");
	text_put_number(page->out, at->value);
	text_put(page->out, " ");
	put(page, page->report->rules[at->rule]->unit);
	if (file->has_versions) {
		text_printf(page->out, "</td><td>%s",
			at->has_before ? report_verdict_on(at->better) : "");
	}
	text_put(page->out, "</td></tr>\n");
}

static void write_measurements(const struct page *page, const struct check_file *file) {
	const bool both = file->has_versions;
	text_printf(page->out,
		"<details%s><summary>Measurements: %zu</summary><table><thead><tr><th>rule</th>"
		"<th>clip</th>%s</tr></thead><tbody>\n",
		both ? " open" : "", file->measurement_count,
		both ? "<th class=\"number\">before</th><th class=\"number\">after</th>"
		       "<th>this version</th>"
		     : "<th class=\"number\">value</th>");
	for (size_t i = 0; i < file->measurement_count; i++) {
		write_measurement(page, file, &file->measurements[i]);
	}
	text_put(page->out, "</tbody></table></details>\n");
}

static void write_versions(const struct page *page, const struct check_file *file) {
	if (file->has_versions) {
		text_put(page->out, "<p>");
		report_put_versions(page->out, &file->versions);
		text_put(page->out, ".</p>\n");
	}
}

static void write_file(const struct page *page, const struct check_file *file, size_t number) {
	text_printf(page->out, "<section id=\"file-%zu\"><h2>", number + 1);
	put(page, file->path);
	text_put(page->out, "</h2>\n");
	if (file->refused) {
		text_put(page->out, "<p class=\"error\">Refused: ");
		put(page, file->refused);
		text_put(page->out, "</p>\n");
	}
	write_versions(page, file);
	if (file->clip_count) {
		write_clip_strips(page, file, number);
	}
	for (size_t i = 0; i < file->finding_count; i++) {
		char id[48];
		name_finding(id, number, i);
		write_finding(page, file, &file->findings[i], id);
	}
	if (!file->finding_count) {
		text_put(page->out,
			file->measurement_count ? "<p>No findings.</p>\n"
						: "<p>Nothing was checked.</p>\n");
	}
	write_more(page, file);
	write_skipped(page, file);
	write_not_covered(page, file);
	write_measurements(page, file);
	text_put(page->out, "</section>\n");
}

static void write_text(const struct page *page, const char *head, const char *text) {
	if (text && *text) {
		text_printf(page->out, "<dt>%s</dt><dd>", head);
		put(page, text);
		text_put(page->out, "</dd>\n");
	}
}

static void write_source(const struct page *page, const char *rule) {
	if (!page->report->resolved) {
		return;
	}
	const struct check_profile_source source =
		check_profile_source(page->report->resolved, rule);
	if (source.source) {
		text_put(page->out, "<dt>Limits</dt><dd>from ");
		put(page, source.source);
		text_put(page->out, source.as_of ? ", " : "");
		put(page, source.as_of);
		text_put(page->out, "</dd>\n");
	}
}

static void write_rules(const struct page *page) {
	text_put(page->out, "<section><h2>Rules</h2>\n");
	for (size_t i = 0; i < page->report->rule_count; i++) {
		const struct check_rule_info *rule = page->report->rules[i];
		text_put(page->out, "<details id=\"rule-");
		report_put_anchor(page->out, rule->id);
		text_put(page->out, "\"><summary><code>");
		put(page, rule->id);
		text_put(page->out, "</code> ");
		put(page, rule->catches);
		text_put(page->out, "</summary><dl>\n");
		write_text(page, "Measured", rule->definition);
		write_text(page, "Seen by players", rule->effect);
		write_text(page, "In Blender", rule->blender);
		write_text(page, "In Maya", rule->maya);
		write_text(page, "Khronos' validator", rule->khronos);
		write_source(page, rule->id);
		text_put(page->out, "</dl></details>\n");
	}
	text_put(page->out, "</section>\n");
}

void report_write_html(const struct check_report *report,
	const struct check_report_options *options, struct buffer *out) {
	const struct page page = {report, options, out};
	write_head(&page);
	write_files_table(&page);
	for (size_t i = 0; i < report->file_count; i++) {
		write_file(&page, &report->files[i], i);
	}
	write_rules(&page);
	text_put(out, "</main></body></html>\n");
}
