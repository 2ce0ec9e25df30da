/* The metrics of requests: their labels, and what a response counts to. */
#pragma once

#include "http/request_context.h"

struct metrics;
struct route_table;

/* The metrics of this program, with labels for its routes and skinning methods, which are made in
 * the arena and live as long as the metrics. */
struct metrics *request_metrics_create(
	const struct route_table *routes, struct arena *arena, const char *build);

/* Counts a response and where its time went. code: of the error that it tells; ERROR_NONE = none.
 * Any thread that has the request. */
void request_metrics_response(
	const struct request_context *context, int status, enum error_code code, double seconds);
