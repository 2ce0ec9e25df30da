/* What the renderer reports about a result, in the answer. */
#pragma once

#include "http/call.h"
#include "renderer.h"

/* Adds the times of one frame to the call's, and counts its vertices. */
void report_add(struct call *call, const struct skinning_report *report);

/* Sets Posed-Warning where the rig draws nothing. */
void report_warn(struct call *call, const struct rig *rig);

/* Sets Posed-Skinning: what was really used; and Posed-Depth, where there is depth. */
void report_set_header(struct call *call, const struct skinning_report *report);

/* The same for several results in one answer, separated by commas. */
void report_set_headers(struct call *call, const struct skinning_report *reports, size_t count);

/* The times as Server-Timing has them, "queue;dur=0.1, draw;dur=2.5" in milliseconds; false when
 * there are none. */
bool report_timing(const struct call *call, char *text, size_t size);
