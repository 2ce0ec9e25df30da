/* Counters and histograms for Prometheus.
 *
 * Functions that count take no lock and allocate nothing: relaxed atomics, a few nanoseconds each,
 * any thread. All values of labels are known at creation; none comes from a client. Gauges belong
 * to other modules, and are arguments of metrics_write(). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/error.h"

struct buffer;
struct metrics;

/* One row of the table of routes. */
struct metrics_route {
	const char *method, *path; // "GET", "/v1/rigs/{rig}"
};

struct metrics_options {
	const struct metrics_route *routes; // [route_count]
	size_t route_count;
	const char *const *skinning_methods; // [skinning_method_count] ids
	size_t skinning_method_count;
	const char *const *check_rules; // [check_rule_count] ids
	size_t check_rule_count;
	const char *version, *build; // of the program
};

/* The options' contents are borrowed while the metrics exist. */
struct metrics *metrics_create(const struct metrics_options *options);
void metrics_destroy(struct metrics *metrics); // takes NULL

/* Counts a request of the i-th route; route_count = of none. */
void metrics_count_request(struct metrics *metrics, size_t route);

/* Counts a response with a status from 100 to 599, and its seconds since the request arrived. */
void metrics_count_answer(struct metrics *metrics, int status, double seconds);

/* Counts an error response. */
void metrics_count_error(struct metrics *metrics, enum error_code code);

/* The reasons for refusing a request: each has its own answer to the client. */
enum refusal {
	REFUSAL_FULL,          // the queue is full: 503
	REFUSAL_OVER_SHARE,    // the client has its share of the queue already: 429
	REFUSAL_DEADLINE,      // the deadline passed in the queue: 504
	REFUSAL_SHUTTING_DOWN, // the daemon takes no new work: 503
	REFUSAL_COUNT
};

/* Counts a refused request. */
void metrics_count_refusal(struct metrics *metrics, enum refusal reason);

/* Counts vertices skinned by the i-th method. */
void metrics_count_vertices(struct metrics *metrics, size_t method, uint64_t vertices);

/* Parts of a request's time. */
enum metrics_span {
	METRICS_QUEUE,
	METRICS_POSE,
	METRICS_SKIN,
	METRICS_DRAW,
	METRICS_READ,
	METRICS_CHECK,
	METRICS_ENCODE,
	METRICS_IMPORT,
	METRICS_SPAN_COUNT
};

void metrics_measure_span(struct metrics *metrics, enum metrics_span span, double seconds);

/* The verdict on a file that cannot be read; the others are the level of the worst finding. */
#define METRICS_VERDICT_REFUSED CHECK_LEVEL_COUNT
#define METRICS_VERDICT_COUNT (CHECK_LEVEL_COUNT + 1)

/* Counts a file that was checked, by its verdict, and the seconds that it took. */
void metrics_count_check(struct metrics *metrics, int verdict, double seconds);

/* Counts a finding of the i-th rule. */
void metrics_count_finding(struct metrics *metrics, size_t rule, enum check_level level);

enum metrics_counter {
	METRICS_FRAMES_RENDERED,
	METRICS_CONTEXT_RESETS, // graphics contexts lost by the driver and recreated
	METRICS_BYTES_SENT,     // of bodies
	METRICS_COALESCED,      // requests that shared the work of an identical one
	METRICS_STREAM_FRAMES,  // made for vertex streams
	METRICS_STREAM_DROPPED, // dropped because the client or the daemon was too slow
	METRICS_COUNTER_COUNT
};

void metrics_count(struct metrics *metrics, enum metrics_counter counter, uint64_t more);

enum metrics_workers {
	METRICS_RENDER_WORKERS,
	METRICS_CPU_WORKERS,
	METRICS_DISK_WORKERS,
	METRICS_IMPORT_WORKERS,
	METRICS_FIT_WORKERS,
	METRICS_WORKERS_COUNT
};
enum metrics_layer { METRICS_CACHE_MEMORY, METRICS_CACHE_DISK, METRICS_LAYER_COUNT };
enum metrics_memory { METRICS_MEMORY_CPU, METRICS_MEMORY_GPU, METRICS_MEMORY_COUNT };

struct metrics_gauges {
	struct {
		size_t threads;
		double utilization; // fraction of the threads that are busy, [0, 1]
		size_t queue_length;
	} workers[METRICS_WORKERS_COUNT];
	struct {
		uint64_t hits, misses, evictions, failures; // since the start
		uint64_t entries, bytes;                    // now
	} caches[METRICS_LAYER_COUNT];
	struct {
		uint64_t hits, misses;   // since the start
		uint64_t entries, bytes; // now
	} clip_cache;                    // decoded segments of compressed clips
	struct {
		uint64_t bytes;     // now
		uint64_t evictions; // since the start
	} assets[METRICS_MEMORY_COUNT];
	size_t rigs, rigs_loaded; // in the store; of them in memory
	size_t examples, clips;   // of all rigs; clips: without those in files
	size_t store_bytes;       // of rigs, examples and clips on the disk
	size_t requests_in_progress, connections, max_connections;
	size_t streams; // of vertices
};

/* Appends all metrics in the text format 0.0.4, whose media type is METRICS_MEDIA_TYPE. Any
 * thread. */
void metrics_write(
	const struct metrics *metrics, const struct metrics_gauges *gauges, struct buffer *out);

#define METRICS_MEDIA_TYPE "text/plain; version=0.0.4; charset=utf-8"
