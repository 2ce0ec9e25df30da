/* Shared by metrics.c (counting) and metrics_write.c (writing it out). */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "metrics/metrics.h"

#define STATUS_FIRST 100
#define STATUS_COUNT 500

/* Upper bounds in seconds: from a pose to what the slowest import may take. */
#define BOUND_COUNT 17
extern const double histogram_bounds[BOUND_COUNT];

struct histogram {
	// Those up to each bound and beyond the one before; then those beyond all.
	atomic_uint_fast64_t counts[BOUND_COUNT + 1];
	atomic_uint_fast64_t nanoseconds; // sum
};

struct metrics {
	struct metrics_options options;
	double start_s;                 // CLOCK_REALTIME at creation
	atomic_uint_fast64_t *requests; // [route_count + 1]
	atomic_uint_fast64_t *vertices; // [skinning_method_count]
	atomic_uint_fast64_t statuses[STATUS_COUNT];
	bool possible[STATUS_COUNT]; // written out even while nothing was counted
	atomic_uint_fast64_t errors[ERROR_CODE_COUNT];
	atomic_uint_fast64_t refusals[REFUSAL_COUNT];
	atomic_uint_fast64_t counters[METRICS_COUNTER_COUNT];
	struct histogram durations, spans[METRICS_SPAN_COUNT];
};
