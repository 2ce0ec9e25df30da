/* What is counted of the calls: which values the labels have, and where an answer counts. */
#pragma once

#include "http/call.h"

struct metrics;
struct route;

/* The metrics of this program: its routes and skinning methods, which are made in the arena, and
 * live as long as the metrics. */
struct metrics *measure_create(struct arena *arena, const char *build);

/* Counts an answer and where its time went. err is what it says; code ERROR_NONE = no error. Any
 * thread that has the call. */
void measure_answer(const struct call *call, int status, enum error_code code, double seconds);
