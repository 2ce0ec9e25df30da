// Everything that is counted and measured, as Prometheus reads it.
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "metrics/metrics_internal.h"
#include "metrics/metrics_process.h"
#include "metrics/metrics_text.h"

/* A family whose samples differ in one label. */
struct family {
	enum metrics_type type;
	const char *name, *help;
	const char *label;         // its name
	const char *const *values; // [count]
	size_t count;
};

static void write_sample(
	const struct family *family, const char *value, double sample, struct buffer *out) {
	const struct metrics_label labels[] = {{family->label, value}, {0}};
	metrics_text_sample(out, family->name, labels, sample);
}

static void write_family(const struct family *family, const double *samples, struct buffer *out) {
	metrics_text_family(out, family->type, family->name, family->help);
	for (size_t i = 0; i < family->count; i++) {
		write_sample(family, family->values[i], samples[i], out);
	}
}

static double read_count(const atomic_uint_fast64_t *counter) {
	return (double)atomic_load_explicit(counter, memory_order_relaxed);
}

/* The same, where the samples are counters of ours. */
static void write_counters(
	const struct family *family, const atomic_uint_fast64_t *counters, struct buffer *out) {
	metrics_text_family(out, family->type, family->name, family->help);
	for (size_t i = 0; i < family->count; i++) {
		write_sample(family, family->values[i], read_count(&counters[i]), out);
	}
}

static void write_requests(const struct metrics *metrics, struct buffer *out) {
	static const char name[] = "posed_requests_total";
	metrics_text_family(out, METRICS_TYPE_COUNTER, name, "Requests by route.");
	const size_t count = metrics->options.route_count;
	for (size_t i = 0; i <= count; i++) {
		const struct metrics_route none = {"other", "other"};
		const struct metrics_route route = i < count ? metrics->options.routes[i] : none;
		const struct metrics_label labels[] = {
			{"method", route.method}, {"route", route.path}, {0}};
		metrics_text_sample(out, name, labels, read_count(&metrics->requests[i]));
	}
}

static void write_statuses(const struct metrics *metrics, struct buffer *out) {
	const struct family family = {.type = METRICS_TYPE_COUNTER,
		.name = "posed_status_codes_total",
		.help = "Answers by HTTP status.",
		.label = "status"};
	metrics_text_family(out, family.type, family.name, family.help);
	for (int i = 0; i < STATUS_COUNT; i++) {
		const double count = read_count(&metrics->statuses[i]);
		if (count > 0 || metrics->possible[i]) {
			char status[16];
			snprintf(status, sizeof status, "%d", STATUS_FIRST + i);
			write_sample(&family, status, count, out);
		}
	}
}

static void write_errors(const struct metrics *metrics, struct buffer *out) {
	const char *names[ERROR_CODE_COUNT];
	for (enum error_code code = 0; code < ERROR_CODE_COUNT; code++) {
		names[code] = error_name(code);
	}
	const struct family family = {METRICS_TYPE_COUNTER, "posed_errors_total",
		"Answers that are errors, by the last part of their type.", "type",
		names + ERROR_NONE + 1, ERROR_CODE_COUNT - 1};
	write_counters(&family, metrics->errors + ERROR_NONE + 1, out);
}

static void write_refusals(const struct metrics *metrics, struct buffer *out) {
	static const char *const reasons[REFUSAL_COUNT] = {
		[REFUSAL_FULL] = "full",
		[REFUSAL_OVER_SHARE] = "client_share",
		[REFUSAL_DEADLINE] = "deadline",
		[REFUSAL_SHUTTING_DOWN] = "shutting_down",
	};
	const struct family family = {METRICS_TYPE_COUNTER, "posed_refusals_total",
		"Requests that were not let in, by reason.", "reason", reasons, REFUSAL_COUNT};
	write_counters(&family, metrics->refusals, out);
}

/* A histogram is cumulative; span = NULL: it has no label but the bound. */
static void write_histogram(
	const struct histogram *histogram, const char *name, const char *span, struct buffer *out) {
	char bucket[64], other[64], bound[NUMBER_TEXT_BYTES];
	snprintf(bucket, sizeof bucket, "%s_bucket", name);
	const struct metrics_label spans[] = {{"span", span}, {0}};
	double count = 0;
	for (size_t i = 0; i <= BOUND_COUNT; i++) {
		count += read_count(&histogram->counts[i]);
		strcpy(bound, "+Inf");
		if (i < BOUND_COUNT) {
			bound[number_write_double(histogram_bounds[i], bound)] = '\0';
		}
		const struct metrics_label labels[] = {{"le", bound}, spans[0], {0}};
		metrics_text_sample(out, bucket,
			span ? labels : (struct metrics_label[]){labels[0], {0}}, count);
	}
	const struct metrics_label *labels = span ? spans : NULL;
	snprintf(other, sizeof other, "%s_sum", name);
	metrics_text_sample(out, other, labels, read_count(&histogram->nanoseconds) * 1e-9);
	snprintf(other, sizeof other, "%s_count", name);
	metrics_text_sample(out, other, labels, count);
}

static void write_durations(const struct metrics *metrics, struct buffer *out) {
	static const char *const spans[METRICS_SPAN_COUNT] = {
		[METRICS_QUEUE] = "queue",
		[METRICS_POSE] = "pose",
		[METRICS_SKIN] = "skin",
		[METRICS_DRAW] = "draw",
		[METRICS_READ] = "read",
		[METRICS_ENCODE] = "encode",
		[METRICS_IMPORT] = "import",
	};
	static const char whole[] = "posed_request_duration_seconds";
	static const char part[] = "posed_request_span_duration_seconds";
	metrics_text_family(
		out, METRICS_TYPE_HISTOGRAM, whole, "Time from a request's arrival to its answer.");
	write_histogram(&metrics->durations, whole, NULL, out);
	metrics_text_family(
		out, METRICS_TYPE_HISTOGRAM, part, "Time that the parts of requests take.");
	for (size_t i = 0; i < METRICS_SPAN_COUNT; i++) {
		write_histogram(&metrics->spans[i], part, spans[i], out);
	}
}

static void write_vertices(const struct metrics *metrics, struct buffer *out) {
	const struct family family = {METRICS_TYPE_COUNTER, "posed_vertices_skinned_total",
		"Vertices skinned, by method.", "method", metrics->options.skinning_methods,
		metrics->options.skinning_method_count};
	write_counters(&family, metrics->vertices, out);
}

static void write_plain_counters(const struct metrics *metrics, struct buffer *out) {
	static const struct {
		const char *name, *help;
	} rows[METRICS_COUNTER_COUNT] = {
		[METRICS_FRAMES_RENDERED] = {"posed_frames_rendered_total", "Pictures drawn."},
		[METRICS_CONTEXT_RESETS] = {"posed_context_resets_total",
			"Contexts that the driver lost."},
		[METRICS_BYTES_SENT] = {"posed_bytes_sent_total", "Bytes of bodies sent."},
		[METRICS_COALESCED] = {"posed_coalesced_total",
			"Requests answered by the work for another one under way."},
		[METRICS_STREAM_FRAMES] = {"posed_stream_frames_total",
			"Frames made for streams of vertices."},
		[METRICS_STREAM_DROPPED] = {"posed_stream_frames_dropped_total",
			"Frames left out of streams whose clients read too slowly, or since the "
			"daemon was late."},
	};
	for (size_t i = 0; i < METRICS_COUNTER_COUNT; i++) {
		metrics_text_single(out, METRICS_TYPE_COUNTER, rows[i].name, rows[i].help,
			read_count(&metrics->counters[i]));
	}
}

static void write_workers(const struct metrics_gauges *gauges, struct buffer *out) {
	static const char *const kinds[METRICS_WORKERS_COUNT] = {
		[METRICS_RENDER_WORKERS] = "render",
		[METRICS_CPU_WORKERS] = "cpu",
		[METRICS_DISK_WORKERS] = "disk",
		[METRICS_IMPORT_WORKERS] = "import",
		[METRICS_FIT_WORKERS] = "fit"};
	double threads[METRICS_WORKERS_COUNT], busy[METRICS_WORKERS_COUNT];
	double lengths[METRICS_WORKERS_COUNT];
	for (size_t i = 0; i < METRICS_WORKERS_COUNT; i++) {
		threads[i] = (double)gauges->workers[i].threads;
		busy[i] = gauges->workers[i].utilization;
		lengths[i] = (double)gauges->workers[i].queue_length;
	}
	struct family family = {METRICS_TYPE_GAUGE, "posed_workers", "Threads that do the work.",
		"kind", kinds, METRICS_WORKERS_COUNT};
	write_family(&family, threads, out);
	family.name = "posed_workers_utilization";
	family.help = "Share of the threads at work, from 0 to 1.";
	write_family(&family, busy, out);
	family.name = "posed_queue_length";
	family.help = "Requests that wait for a thread.";
	write_family(&family, lengths, out);
}

/* What each of the families below says of a layer. */
enum cache_figure { HITS, MISSES, EVICTIONS, FAILURES, ENTRIES, BYTES, CACHE_FIGURE_COUNT };

static void read_cache(const struct metrics_gauges *gauges, size_t layer,
	double figures[CACHE_FIGURE_COUNT][METRICS_LAYER_COUNT]) {
	figures[HITS][layer] = (double)gauges->caches[layer].hits;
	figures[MISSES][layer] = (double)gauges->caches[layer].misses;
	figures[EVICTIONS][layer] = (double)gauges->caches[layer].evictions;
	figures[FAILURES][layer] = (double)gauges->caches[layer].failures;
	figures[ENTRIES][layer] = (double)gauges->caches[layer].entries;
	figures[BYTES][layer] = (double)gauges->caches[layer].bytes;
}

static void write_caches(const struct metrics_gauges *gauges, struct buffer *out) {
	static const char *const layers[METRICS_LAYER_COUNT] = {
		[METRICS_CACHE_MEMORY] = "memory", [METRICS_CACHE_DISK] = "disk"};
#define ROW(type, name, help) \
	{ type, name, help, "layer", layers, METRICS_LAYER_COUNT }
	static const struct family rows[CACHE_FIGURE_COUNT] = {
		[HITS] = ROW(METRICS_TYPE_COUNTER, "posed_cache_hits_total", "Answers found."),
		[MISSES] = ROW(METRICS_TYPE_COUNTER, "posed_cache_misses_total",
			"Answers looked for and not found."),
		[EVICTIONS] = ROW(METRICS_TYPE_COUNTER, "posed_cache_evictions_total",
			"Answers that gave way to others."),
		[FAILURES] = ROW(METRICS_TYPE_COUNTER, "posed_cache_failures_total",
			"Answers that could not be written or read, or were damaged."),
		[ENTRIES] = ROW(METRICS_TYPE_GAUGE, "posed_cache_entries", "Answers kept."),
		[BYTES] = ROW(METRICS_TYPE_GAUGE, "posed_cache_bytes", "Room that they take."),
	};
#undef ROW
	double figures[CACHE_FIGURE_COUNT][METRICS_LAYER_COUNT];
	for (size_t i = 0; i < METRICS_LAYER_COUNT; i++) {
		read_cache(gauges, i, figures);
	}
	for (size_t i = 0; i < CACHE_FIGURE_COUNT; i++) {
		write_family(&rows[i], figures[i], out);
	}
}

static void write_assets(const struct metrics_gauges *gauges, struct buffer *out) {
	static const char *const kinds[METRICS_MEMORY_COUNT] = {
		[METRICS_MEMORY_CPU] = "cpu", [METRICS_MEMORY_GPU] = "gpu"};
	double bytes[METRICS_MEMORY_COUNT], evictions[METRICS_MEMORY_COUNT];
	for (size_t i = 0; i < METRICS_MEMORY_COUNT; i++) {
		bytes[i] = (double)gauges->assets[i].bytes;
		evictions[i] = (double)gauges->assets[i].evictions;
	}
	struct family family = {METRICS_TYPE_GAUGE, "posed_asset_bytes",
		"Memory that loaded rigs take.", "kind", kinds, METRICS_MEMORY_COUNT};
	write_family(&family, bytes, out);
	family.type = METRICS_TYPE_COUNTER;
	family.name = "posed_asset_evictions_total";
	family.help = "Rigs that were unloaded to make room.";
	write_family(&family, evictions, out);
}

static void write_plain_gauges(const struct metrics_gauges *gauges, struct buffer *out) {
	const struct {
		const char *name, *help;
		size_t value;
	} rows[] = {
		{"posed_requests_in_progress", "Requests that have no answer yet.",
			gauges->requests_in_progress},
		{"posed_connections", "Open connections of clients.", gauges->connections},
		{"posed_connections_limit", "Connections that there may be.",
			gauges->connections_most},
		{"posed_streams", "Open streams of vertices.", gauges->streams},
		{"posed_rigs", "Rigs in the store.", gauges->rigs},
		{"posed_rigs_loaded", "Rigs in memory.", gauges->rigs_loaded},
		{"posed_examples", "Examples in the store, of all rigs.", gauges->examples},
		{"posed_clips", "Clips in the store beside those in files, of all rigs.",
			gauges->clips},
		{"posed_store_bytes", "Room that rigs, examples and clips take on the disk.",
			gauges->store_bytes},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		metrics_text_single(
			out, METRICS_TYPE_GAUGE, rows[i].name, rows[i].help, (double)rows[i].value);
	}
}

static void write_build(const struct metrics *metrics, struct buffer *out) {
	static const char name[] = "posed_build_info";
	metrics_text_family(out, METRICS_TYPE_GAUGE, name, "Always 1; the labels say what runs.");
	const struct metrics_label labels[] = {
		{"version", metrics->options.version}, {"build", metrics->options.build}, {0}};
	metrics_text_sample(out, name, labels, 1);
}

void metrics_write(
	const struct metrics *metrics, const struct metrics_gauges *gauges, struct buffer *out) {
	write_build(metrics, out);
	write_requests(metrics, out);
	write_statuses(metrics, out);
	write_errors(metrics, out);
	write_refusals(metrics, out);
	write_durations(metrics, out);
	write_vertices(metrics, out);
	write_plain_counters(metrics, out);
	write_workers(gauges, out);
	write_caches(gauges, out);
	write_assets(gauges, out);
	write_plain_gauges(gauges, out);
	metrics_write_process(metrics->start_s, out);
}
