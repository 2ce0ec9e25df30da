/* What the renderer reports about a result, in the answer. */
#pragma once

#include "http/request_context.h"
#include "renderer.h"

/* Adds the times of one frame to the call's, and counts its vertices. */
void result_headers_add(struct request_context *context, const struct skinning_report *report);

/* Sets Posed-Warning where the rig draws nothing. */
void result_headers_warn(struct request_context *context, const struct rig *rig);

/* Sets Posed-Skinning: what was really used; and Posed-Depth, where there is depth. */
void result_headers_set_header(
	struct request_context *context, const struct skinning_report *report);

/* The same for several results in one answer, separated by commas. */
void result_headers_set_headers(
	struct request_context *context, const struct skinning_report *reports, size_t count);

/* The times as Server-Timing has them, "queue;dur=0.1, draw;dur=2.5" in milliseconds; false when
 * there are none. */
bool result_headers_timing(const struct request_context *context, char *text, size_t size);
