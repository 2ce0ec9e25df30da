// Counters and histograms.
#include "metrics/metrics.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "metrics/metrics_internal.h"
#include "problem.h"

const double histogram_bounds[BOUND_COUNT] = {1e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 0.01,
	0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};

/* rate() misses the first event of a counter that appears only then, so that possible statuses are
 * written from the start. */
static void mark_possible(struct metrics *metrics) {
	metrics->possible[200 - STATUS_FIRST] = true;
	for (enum error_code code = ERROR_NONE + 1; code < ERROR_CODE_COUNT; code++) {
		metrics->possible[problem_status(code) - STATUS_FIRST] = true;
	}
}

struct metrics *metrics_create(const struct metrics_options *options) {
	struct metrics *metrics = xcalloc(1, sizeof *metrics);
	metrics->options = *options;
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	metrics->start_s = (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
	metrics->requests = xcalloc(options->route_count + 1, sizeof *metrics->requests);
	metrics->vertices = xcalloc(options->skinning_method_count, sizeof *metrics->vertices);
	metrics->findings =
		xcalloc(options->check_rule_count * CHECK_LEVEL_COUNT, sizeof *metrics->findings);
	mark_possible(metrics);
	return metrics;
}

void metrics_destroy(struct metrics *metrics) {
	if (metrics) {
		free(metrics->findings);
		free(metrics->vertices);
		free(metrics->requests);
		free(metrics);
	}
}

static void add(atomic_uint_fast64_t *counter, uint64_t more) {
	atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
}

static void measure(struct histogram *histogram, double seconds) {
	size_t i = 0;
	while (i < BOUND_COUNT && seconds > histogram_bounds[i]) {
		i++;
	}
	add(&histogram->counts[i], 1);
	add(&histogram->nanoseconds, seconds > 0 ? (uint64_t)(seconds * 1e9 + 0.5) : 0);
}

void metrics_count_request(struct metrics *metrics, size_t route) {
	assert(route <= metrics->options.route_count);
	add(&metrics->requests[route], 1);
}

void metrics_count_answer(struct metrics *metrics, int status, double seconds) {
	assert(status >= STATUS_FIRST && status < STATUS_FIRST + STATUS_COUNT);
	add(&metrics->statuses[status - STATUS_FIRST], 1);
	measure(&metrics->durations, seconds);
}

void metrics_count_error(struct metrics *metrics, enum error_code code) {
	assert(code > ERROR_NONE && code < ERROR_CODE_COUNT);
	add(&metrics->errors[code], 1);
}

void metrics_count_refusal(struct metrics *metrics, enum refusal reason) {
	assert(reason < REFUSAL_COUNT);
	add(&metrics->refusals[reason], 1);
}

void metrics_count_vertices(struct metrics *metrics, size_t method, uint64_t vertices) {
	assert(method < metrics->options.skinning_method_count);
	add(&metrics->vertices[method], vertices);
}

void metrics_measure_span(struct metrics *metrics, enum metrics_span span, double seconds) {
	assert(span < METRICS_SPAN_COUNT);
	measure(&metrics->spans[span], seconds);
}

void metrics_count(struct metrics *metrics, enum metrics_counter counter, uint64_t more) {
	assert(counter < METRICS_COUNTER_COUNT);
	add(&metrics->counters[counter], more);
}

void metrics_count_check(struct metrics *metrics, int verdict, double seconds) {
	assert(verdict >= 0 && verdict < METRICS_VERDICT_COUNT);
	add(&metrics->checks[verdict], 1);
	measure(&metrics->check_durations, seconds);
}

void metrics_count_finding(struct metrics *metrics, size_t rule, enum check_level level) {
	assert(rule < metrics->options.check_rule_count && level < CHECK_LEVEL_COUNT);
	add(&metrics->findings[rule * CHECK_LEVEL_COUNT + level], 1);
}
