// Drawings of reports as SVG.
#include "checks/report_graphs.h"

#include <math.h>

#include "checks/report_text.h"

#define CURVE_WIDTH 320.0
#define CURVE_HEIGHT 72.0
#define MARGIN 4.0

static void put_with_unit(struct buffer *out, double value, const char *unit) {
	text_put_number(out, value);
	if (unit && *unit) {
		text_put(out, " ");
		text_put_escaped(out, unit, text_escape_markup);
	}
}

/* "0.0412 L against 0.006 L" */
static void put_comparison(
	struct buffer *out, const struct check_finding *finding, const char *unit) {
	put_with_unit(out, finding->at.value, unit);
	if (isfinite(finding->threshold)) {
		text_put(out, " against ");
		put_with_unit(out, finding->threshold, unit);
	}
}

void graph_put_bar(struct buffer *out, const struct check_finding *finding, const char *unit) {
	const double value = fabs(finding->at.value), threshold = fabs(finding->threshold);
	const double most =
		1.1 * fmax(isfinite(value) ? value : 0, isfinite(threshold) ? threshold : 0);
	text_put(out, "<p class=\"value\">");
	if (most > 0 && isfinite(most)) {
		const double filled = isfinite(value) ? 100 * value / most : 100;
		text_printf(out,
			"<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" "
			"aria-hidden=\"true\"><rect class=\"ground\" width=\"100\" height=\"8\"/>"
			"<rect class=\"filled\" width=\"%.2f\" height=\"8\"/>",
			filled);
		if (isfinite(threshold)) {
			text_printf(out,
				"<rect class=\"limit\" x=\"%.2f\" width=\"1.2\" height=\"8\"/>",
				100 * threshold / most);
		}
		text_put(out, "</svg> ");
	}
	put_comparison(out, finding, unit);
	text_put(out, "</p>\n");
}

struct frame {
	double from, to, low, high;
};

static struct frame frame_of(const struct check_finding *finding) {
	const struct check_curve *curve = &finding->curve;
	struct frame frame = {curve->times_s[0], curve->times_s[curve->count - 1], 0, 0};
	for (size_t i = 0; i < curve->count; i++) {
		frame.low =
			isfinite(curve->values[i]) ? fmin(frame.low, curve->values[i]) : frame.low;
		frame.high = isfinite(curve->values[i]) ? fmax(frame.high, curve->values[i])
							: frame.high;
	}
	if (isfinite(finding->threshold)) {
		frame.low = fmin(frame.low, finding->threshold);
		frame.high = fmax(frame.high, finding->threshold);
	}
	return frame;
}

static double share(double value, double from, double to) {
	return to > from && isfinite(to - from) ? (value - from) / (to - from) : 0.5;
}

static double to_x(const struct frame *frame, double time_s) {
	return MARGIN + (CURVE_WIDTH - 2 * MARGIN) * share(time_s, frame->from, frame->to);
}

static double to_y(const struct frame *frame, double value) {
	return CURVE_HEIGHT - MARGIN -
		(CURVE_HEIGHT - 2 * MARGIN) * share(value, frame->low, frame->high);
}

static void put_points(
	struct buffer *out, const struct frame *frame, const struct check_curve *curve) {
	text_put(out, "<polyline class=\"signal\" points=\"");
	for (size_t i = 0; i < curve->count; i++) {
		if (isfinite(curve->values[i]) && isfinite(curve->times_s[i])) {
			text_printf(out, "%.1f,%.1f ", to_x(frame, curve->times_s[i]),
				to_y(frame, curve->values[i]));
		}
	}
	text_put(out, "\"/>");
}

void graph_put_curve(struct buffer *out, const struct check_finding *finding, const char *unit) {
	if (!finding->curve.count) {
		return;
	}
	const struct frame frame = frame_of(finding);
	text_printf(out,
		"<figure class=\"curve\"><svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"",
		CURVE_WIDTH, CURVE_HEIGHT);
	put_comparison(out, finding, unit);
	text_put(out, "\">");
	if (isfinite(finding->threshold)) {
		const double y = to_y(&frame, finding->threshold);
		text_printf(out,
			"<line class=\"limit\" x1=\"0\" x2=\"%g\" y1=\"%.1f\" y2=\"%.1f\"/>",
			CURVE_WIDTH, y, y);
	}
	if (isfinite(finding->at.time_s)) {
		const double x = to_x(&frame, finding->at.time_s);
		text_printf(out,
			"<line class=\"moment\" x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%g\"/>", x, x,
			CURVE_HEIGHT);
	}
	put_points(out, &frame, &finding->curve);
	text_put(out, "</svg><figcaption>");
	text_put_number(out, frame.from);
	text_put(out, " s to ");
	text_put_number(out, frame.to);
	text_put(out, " s</figcaption></figure>\n");
}

void graph_begin_time_line(struct buffer *out) {
	text_put(out,
		"<svg class=\"line\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\">"
		"<rect class=\"ground\" width=\"100\" height=\"10\"/>");
}

void graph_put_mark(struct buffer *out, const struct check_clip_facts *clip,
	const struct check_finding *finding, const char *id) {
	if (!isfinite(finding->at.time_s)) {
		return;
	}
	const char *level = check_level_names[finding->level];
	const double at =
		share(finding->at.time_s, clip->start_s, clip->start_s + clip->duration_s);
	text_printf(out, "<a class=\"%s\" href=\"#%s\" aria-label=\"%s at ", level, id, level);
	text_put_number(out, finding->at.time_s);
	text_printf(out, " s\"><rect x=\"%.2f\" width=\"0.8\" height=\"10\"/></a>",
		99.2 * fmax(0, fmin(1, at)));
}

void graph_end_time_line(struct buffer *out) {
	text_put(out, "</svg>");
}
