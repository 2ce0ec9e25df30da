/* Drawings of reports as SVG, for pages. */
#pragma once

#include "base/buffer.h"
#include "base/check.h"

/* A finding's value as a bar, with a mark at its threshold. */
void graph_put_bar(struct buffer *out, const struct check_finding *finding, const char *unit);

/* The measured signal around a finding, with the threshold as a line. */
void graph_put_curve(struct buffer *out, const struct check_finding *finding, const char *unit);

/* A clip as a time line: begin, a mark for each finding at a time, which links to an id, end. */
void graph_begin_time_line(struct buffer *out);
void graph_put_mark(struct buffer *out, const struct check_clip_facts *clip,
	const struct check_finding *finding, const char *id);
void graph_end_time_line(struct buffer *out);
