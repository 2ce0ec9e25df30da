/* Shared by metrics.c, which counts, and metrics_write.c. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "metrics/metrics.h"

#define STATUS_FIRST 100
#define STATUS_COUNT 500

/* Upper bounds in seconds, from a pose to the slowest import. */
#define BOUND_COUNT 17
extern const double histogram_bounds[BOUND_COUNT];

struct histogram {
	// By upper bound; the last one counts values above all bounds.
	atomic_uint_fast64_t counts[BOUND_COUNT + 1];
	atomic_uint_fast64_t nanoseconds; // sum
};

struct metrics {
	struct metrics_options options;
	double start_s;                 // CLOCK_REALTIME at creation
	atomic_uint_fast64_t *requests; // [route_count + 1]
	atomic_uint_fast64_t *vertices; // [skinning_method_count]
	atomic_uint_fast64_t *findings; // [check_rule_count][CHECK_LEVEL_COUNT]
	atomic_uint_fast64_t checks[METRICS_VERDICT_COUNT];
	atomic_uint_fast64_t statuses[STATUS_COUNT];
	bool possible[STATUS_COUNT]; // written even while they are 0
	atomic_uint_fast64_t errors[ERROR_CODE_COUNT];
	atomic_uint_fast64_t refusals[REFUSAL_COUNT];
	atomic_uint_fast64_t counters[METRICS_COUNTER_COUNT];
	struct histogram durations, spans[METRICS_SPAN_COUNT], check_durations;
};
