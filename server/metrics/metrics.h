/* What the daemon counts and measures, for Prometheus.
 *
 * The metrics_ functions that count take no lock and make no memory: relaxed atomics, some
 * nanoseconds each, any thread. All values of labels are known at creation; none of them comes from
 * a client. Figures that others own anyway are handed in when they are written out. */
#pragma once

#include <stddef.h>
#include <stdint.h>

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
	const char *version, *build; // of the program
};

/* What is in the options is borrowed for as long as the metrics live. */
struct metrics *metrics_create(const struct metrics_options *options);
void metrics_destroy(struct metrics *metrics); // takes NULL

/* A request came in, for the i-th route; route_count = for none of them. */
void metrics_count_request(struct metrics *metrics, size_t route);

/* An answer went out. seconds since its request was there; status is from 100 to 599. */
void metrics_count_answer(struct metrics *metrics, int status, double seconds);

/* An answer was this error. */
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

/* Vertices were skinned with the i-th method. */
void metrics_count_vertices(struct metrics *metrics, size_t method, uint64_t vertices);

/* Parts of what a request takes. */
enum metrics_span {
	METRICS_QUEUE,
	METRICS_POSE,
	METRICS_SKIN,
	METRICS_DRAW,
	METRICS_READ,
	METRICS_ENCODE,
	METRICS_IMPORT,
	METRICS_SPAN_COUNT
};

void metrics_measure_span(struct metrics *metrics, enum metrics_span span, double seconds);

/* What is only counted. */
enum metrics_counter {
	METRICS_FRAMES_RENDERED,
	METRICS_CONTEXT_RESETS, // contexts that a driver lost and we made anew
	METRICS_BYTES_SENT,     // of bodies
	METRICS_COALESCED,      // requests answered by the work for another one under way
	METRICS_STREAM_FRAMES,  // made for streams of vertices
	METRICS_STREAM_DROPPED, // left out of them, since nobody had read those before
	METRICS_COUNTER_COUNT
};

void metrics_count(struct metrics *metrics, enum metrics_counter counter, uint64_t more);

/* Figures that others own. */
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
		double utilization; // share of the threads at work now, [0, 1]
		size_t queue_length;
	} workers[METRICS_WORKERS_COUNT];
	struct {
		uint64_t hits, misses, evictions, failures; // since the start
		uint64_t entries, bytes;                    // now
	} caches[METRICS_LAYER_COUNT];
	struct {
		uint64_t bytes;     // now
		uint64_t evictions; // since the start
	} assets[METRICS_MEMORY_COUNT];
	size_t rigs, rigs_loaded; // known by name; of them in memory
	size_t examples, clips;   // of all rigs; clips: beside those in files
	size_t store_bytes;       // on the disk, of rigs, examples and clips
	size_t requests_in_progress, connections, connections_most;
	size_t streams; // of vertices, open
};

/* Appends everything in the text format 0.0.4, whose media type is METRICS_MEDIA_TYPE. Any
 * thread. */
void metrics_write(
	const struct metrics *metrics, const struct metrics_gauges *gauges, struct buffer *out);

#define METRICS_MEDIA_TYPE "text/plain; version=0.0.4; charset=utf-8"
