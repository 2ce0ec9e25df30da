/* Prometheus' text format 0.0.4: one family after another, its samples below its head.
 * Source: https://prometheus.io/docs/instrumenting/exposition_formats/ */
#pragma once

#include "base/buffer.h"

enum metrics_type { METRICS_TYPE_COUNTER, METRICS_TYPE_GAUGE, METRICS_TYPE_HISTOGRAM };

struct metrics_label {
	const char *name, *value; // the value is escaped when written
};

/* The head of a family. help is one line without backslashes. */
void metrics_text_family(
	struct buffer *out, enum metrics_type type, const char *name, const char *help);

/* A sample of the family; labels end with one that has no name, NULL = none. value is finite. */
void metrics_text_sample(
	struct buffer *out, const char *name, const struct metrics_label *labels, double value);

/* A family of one sample without labels. */
void metrics_text_single(struct buffer *out, enum metrics_type type, const char *name,
	const char *help, double value);
