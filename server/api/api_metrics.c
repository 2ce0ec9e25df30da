// GET /metrics: counts and times, for Prometheus.
#include "api/api.h"
#include "api/streams.h"
#include "cache/cache.h"
#include "cache/cache_disk.h"
#include "metrics/metrics.h"
#include "work/thread_pool.h"

static void read_pool(const struct service *service, enum executor source,
	enum metrics_workers kind, struct metrics_gauges *gauges) {
	struct thread_pool_state state;
	thread_pool_state(service->pools[source], &state);
	gauges->workers[kind].threads = (size_t)state.threads;
	gauges->workers[kind].queue_length = state.waiting;
	gauges->workers[kind].utilization =
		state.threads > 0 ? (double)state.busy / state.threads : 0;
	gauges->assets[METRICS_MEMORY_GPU].bytes += state.stats.gpu_rig_bytes;
	gauges->assets[METRICS_MEMORY_GPU].evictions += state.stats.gpu_rig_evictions;
}

static void read_store(const struct service *service, struct metrics_gauges *gauges) {
	struct store_stats stats;
	store_read_stats(service->store, &stats);
	gauges->rigs = stats.rigs;
	gauges->rigs_loaded = stats.loaded_rigs;
	gauges->examples = stats.examples;
	gauges->clips = stats.clips;
	gauges->store_bytes = stats.object_bytes;
	gauges->assets[METRICS_MEMORY_CPU].bytes = stats.loaded_bytes;
	gauges->assets[METRICS_MEMORY_CPU].evictions = stats.evictions;
	gauges->clip_cache.hits = stats.segments.hits;
	gauges->clip_cache.misses = stats.segments.misses;
	gauges->clip_cache.entries = stats.segments.count;
	gauges->clip_cache.bytes = stats.segments.bytes;
}

static void read_cache(const struct service *service, struct metrics_gauges *gauges) {
	struct cache_stats stats;
	cache_stats(service->cache, &stats);
	gauges->caches[METRICS_CACHE_MEMORY].hits = stats.hits;
	gauges->caches[METRICS_CACHE_MEMORY].misses = stats.misses;
	gauges->caches[METRICS_CACHE_MEMORY].evictions = stats.evictions;
	gauges->caches[METRICS_CACHE_MEMORY].entries = stats.entries;
	gauges->caches[METRICS_CACHE_MEMORY].bytes = stats.bytes;
}

static void read_cache_disk(const struct service *service, struct metrics_gauges *gauges) {
	struct cache_disk_stats stats;
	if (!service->cache_disk) {
		return;
	}
	cache_disk_stats(service->cache_disk, &stats);
	gauges->caches[METRICS_CACHE_DISK].hits = stats.hits;
	gauges->caches[METRICS_CACHE_DISK].misses = stats.misses;
	gauges->caches[METRICS_CACHE_DISK].evictions = stats.evictions;
	gauges->caches[METRICS_CACHE_DISK].failures = stats.failures + stats.damaged;
	gauges->caches[METRICS_CACHE_DISK].entries = stats.entries;
	gauges->caches[METRICS_CACHE_DISK].bytes = stats.bytes;
}

bool api_metrics(struct request_context *context, struct error *err) {
	static const char *const types[] = {"text/plain", NULL};
	const struct service *service = context->service;
	if (!context_choose_type(context, types, err)) {
		return false;
	}
	struct metrics_gauges gauges = {.requests_in_progress = service->in_flight,
		.connections = service->connections,
		.max_connections = service->connections_max,
		.streams = streams_count(service->streams)};
	read_pool(service, EXECUTOR_RENDER, METRICS_RENDER_WORKERS, &gauges);
	read_pool(service, EXECUTOR_CPU, METRICS_CPU_WORKERS, &gauges);
	read_pool(service, EXECUTOR_DISK, METRICS_DISK_WORKERS, &gauges);
	read_pool(service, EXECUTOR_IMPORT, METRICS_IMPORT_WORKERS, &gauges);
	read_pool(service, EXECUTOR_FIT, METRICS_FIT_WORKERS, &gauges);
	read_store(service, &gauges);
	read_cache(service, &gauges);
	read_cache_disk(service, &gauges);
	context->response.content_type = METRICS_MEDIA_TYPE;
	context_header(context, "Cache-Control", "no-store");
	metrics_write(service->metrics, &gauges, &context->response.body);
	return true;
}
