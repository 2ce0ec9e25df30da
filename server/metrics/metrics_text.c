// Prometheus' text format.
#include "metrics/metrics_text.h"

#include <string.h>

#include "base/number.h"

static void put(struct buffer *out, const char *text) {
	buffer_append(out, text, strlen(text));
}

void metrics_text_family(
	struct buffer *out, enum metrics_type type, const char *name, const char *help) {
	static const char *const types[] = {
		[METRICS_TYPE_COUNTER] = "counter",
		[METRICS_TYPE_GAUGE] = "gauge",
		[METRICS_TYPE_HISTOGRAM] = "histogram",
	};
	const char *const parts[] = {
		"# HELP ", name, " ", help, "\n# TYPE ", name, " ", types[type], "\n"};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		put(out, parts[i]);
	}
}

static void put_escaped(struct buffer *out, const char *text) {
	for (; *text; text++) {
		if (*text == '\n') {
			put(out, "\\n");
			continue;
		}
		if (*text == '\\' || *text == '"') {
			put(out, "\\");
		}
		buffer_append(out, text, 1);
	}
}

static void put_labels(struct buffer *out, const struct metrics_label *labels) {
	for (const struct metrics_label *label = labels; label->name; label++) {
		put(out, label == labels ? "{" : ",");
		put(out, label->name);
		put(out, "=\"");
		put_escaped(out, label->value);
		put(out, "\"");
	}
	put(out, "}");
}

void metrics_text_sample(
	struct buffer *out, const char *name, const struct metrics_label *labels, double value) {
	put(out, name);
	if (labels && labels->name) {
		put_labels(out, labels);
	}
	put(out, " ");
	char number[NUMBER_TEXT_BYTES];
	buffer_append(out, number, number_write_double(value, number));
	put(out, "\n");
}

void metrics_text_single(struct buffer *out, enum metrics_type type, const char *name,
	const char *help, double value) {
	metrics_text_family(out, type, name, help);
	metrics_text_sample(out, name, NULL, value);
}
