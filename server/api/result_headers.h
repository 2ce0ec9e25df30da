/* The renderer's report about a result, in the headers of the response. */
#pragma once

#include "http/request_context.h"
#include "renderer.h"

/* Adds the times of one frame to the request's, and counts its vertices. */
void result_headers_add(struct request_context *context, const struct skinning_report *report);

/* Sets Posed-Warning where the rig draws nothing. */
void result_headers_warn(struct request_context *context, const struct rig *rig);

/* Sets Posed-Skinning: what was really used; and Posed-Depth, where there is depth. */
void result_headers_set_header(
	struct request_context *context, const struct skinning_report *report);

/* The same for several results in one response, separated by commas. */
void result_headers_set_headers(
	struct request_context *context, const struct skinning_report *reports, size_t count);
