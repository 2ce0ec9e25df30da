/* What is counted of the calls: which values the labels have, and where an answer counts. */
#pragma once

#include "http/request_context.h"

struct metrics;
struct route;

/* The metrics of this program: its routes and skinning methods, which are made in the arena, and
 * live as long as the metrics. */
struct metrics *request_metrics_create(struct arena *arena, const char *build);

/* Counts an answer and where its time went. err is what it says; code ERROR_NONE = no error. Any
 * thread that has the request. */
void request_metrics_answer(
	const struct request_context *context, int status, enum error_code code, double seconds);
