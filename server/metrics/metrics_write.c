// Metrics in Prometheus' text format 0.0.4: one family after another, its samples below its head.
// Source: https://prometheus.io/docs/instrumenting/exposition_formats/
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/number.h"
#include "metrics/metrics_internal.h"

enum family_type { TYPE_COUNTER, TYPE_GAUGE, TYPE_HISTOGRAM };

struct label {
	const char *name, *value; // the value is escaped when written
};

static void put(struct buffer *out, const char *text) {
	buffer_append(out, text, strlen(text));
}

/* The head of a family; help is one line without backslashes. */
static void write_head(
	struct buffer *out, enum family_type type, const char *name, const char *help) {
	static const char *const types[] = {
		[TYPE_COUNTER] = "counter",
		[TYPE_GAUGE] = "gauge",
		[TYPE_HISTOGRAM] = "histogram",
	};
	const char *const parts[] = {
		"# HELP ", name, " ", help, "\n# TYPE ", name, " ", types[type], "\n"};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		put(out, parts[i]);
	}
}

static void put_escaped(struct buffer *out, const char *text) {
	for (; *text; text++) {
		if (*text == '\n') {
			put(out, "\\n");
			continue;
		}
		if (*text == '\\' || *text == '"') {
			put(out, "\\");
		}
		buffer_append(out, text, 1);
	}
}

static void put_labels(struct buffer *out, const struct label *labels) {
	for (const struct label *label = labels; label->name; label++) {
		put(out, label == labels ? "{" : ",");
		put(out, label->name);
		put(out, "=\"");
		put_escaped(out, label->value);
		put(out, "\"");
	}
	put(out, "}");
}

/* labels end with {0}; NULL = none. */
static void put_sample(
	struct buffer *out, const char *name, const struct label *labels, double value) {
	put(out, name);
	if (labels && labels->name) {
		put_labels(out, labels);
	}
	put(out, " ");
	char number[NUMBER_TEXT_BYTES];
	buffer_append(out, number, number_write_double(value, number));
	put(out, "\n");
}

/* A family of one sample without labels. */
static void write_single(struct buffer *out, enum family_type type, const char *name,
	const char *help, double value) {
	write_head(out, type, name, help);
	put_sample(out, name, NULL, value);
}

/* A family whose samples differ in one label. */
struct family {
	enum family_type type;
	const char *name, *help;
	const char *label;         // its name
	const char *const *values; // [count]
	size_t count;
};

static void write_sample(
	const struct family *family, const char *value, double sample, struct buffer *out) {
	const struct label labels[] = {{family->label, value}, {0}};
	put_sample(out, family->name, labels, sample);
}

static void write_family(const struct family *family, const double *samples, struct buffer *out) {
	write_head(out, family->type, family->name, family->help);
	for (size_t i = 0; i < family->count; i++) {
		write_sample(family, family->values[i], samples[i], out);
	}
}

static double read_count(const atomic_uint_fast64_t *counter) {
	return (double)atomic_load_explicit(counter, memory_order_relaxed);
}

static void write_counters(
	const struct family *family, const atomic_uint_fast64_t *counters, struct buffer *out) {
	write_head(out, family->type, family->name, family->help);
	for (size_t i = 0; i < family->count; i++) {
		write_sample(family, family->values[i], read_count(&counters[i]), out);
	}
}

static void write_requests(const struct metrics *metrics, struct buffer *out) {
	static const char name[] = "posed_requests_total";
	write_head(out, TYPE_COUNTER, name, "Requests by route.");
	const size_t count = metrics->options.route_count;
	for (size_t i = 0; i <= count; i++) {
		const struct metrics_route none = {"other", "other"};
		const struct metrics_route route = i < count ? metrics->options.routes[i] : none;
		const struct label labels[] = {
			{"method", route.method}, {"route", route.path}, {0}};
		put_sample(out, name, labels, read_count(&metrics->requests[i]));
	}
}

static void write_statuses(const struct metrics *metrics, struct buffer *out) {
	const struct family family = {.type = TYPE_COUNTER,
		.name = "posed_status_codes_total",
		.help = "Responses by HTTP status.",
		.label = "status"};
	write_head(out, family.type, family.name, family.help);
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
	const struct family family = {TYPE_COUNTER, "posed_errors_total",
		"Error responses by the last part of their type.", "type", names + ERROR_NONE + 1,
		ERROR_CODE_COUNT - 1};
	write_counters(&family, metrics->errors + ERROR_NONE + 1, out);
}

static void write_refusals(const struct metrics *metrics, struct buffer *out) {
	static const char *const reasons[REFUSAL_COUNT] = {
		[REFUSAL_FULL] = "full",
		[REFUSAL_OVER_SHARE] = "client_share",
		[REFUSAL_DEADLINE] = "deadline",
		[REFUSAL_SHUTTING_DOWN] = "shutting_down",
	};
	const struct family family = {TYPE_COUNTER, "posed_refusals_total",
		"Refused requests by reason.", "reason", reasons, REFUSAL_COUNT};
	write_counters(&family, metrics->refusals, out);
}

/* Buckets are cumulative. span is a label; NULL = none. */
static void write_histogram(
	const struct histogram *histogram, const char *name, const char *span, struct buffer *out) {
	char bucket[64], other[64], bound[NUMBER_TEXT_BYTES];
	snprintf(bucket, sizeof bucket, "%s_bucket", name);
	const struct label spans[] = {{"span", span}, {0}};
	double count = 0;
	for (size_t i = 0; i <= BOUND_COUNT; i++) {
		count += read_count(&histogram->counts[i]);
		strcpy(bound, "+Inf");
		if (i < BOUND_COUNT) {
			bound[number_write_double(histogram_bounds[i], bound)] = '\0';
		}
		const struct label labels[] = {{"le", bound}, spans[0], {0}};
		put_sample(out, bucket, span ? labels : (struct label[]){labels[0], {0}}, count);
	}
	const struct label *labels = span ? spans : NULL;
	snprintf(other, sizeof other, "%s_sum", name);
	put_sample(out, other, labels, read_count(&histogram->nanoseconds) * 1e-9);
	snprintf(other, sizeof other, "%s_count", name);
	put_sample(out, other, labels, count);
}

static void write_durations(const struct metrics *metrics, struct buffer *out) {
	static const char *const spans[METRICS_SPAN_COUNT] = {
		[METRICS_QUEUE] = "queue",
		[METRICS_POSE] = "pose",
		[METRICS_SKIN] = "skin",
		[METRICS_DRAW] = "draw",
		[METRICS_READ] = "read",
		[METRICS_CHECK] = "check",
		[METRICS_ENCODE] = "encode",
		[METRICS_IMPORT] = "import",
	};
	static const char whole[] = "posed_request_duration_seconds";
	static const char part[] = "posed_request_span_duration_seconds";
	write_head(out, TYPE_HISTOGRAM, whole, "Time from a request's arrival to its response.");
	write_histogram(&metrics->durations, whole, NULL, out);
	write_head(out, TYPE_HISTOGRAM, part, "Time of the parts of a request.");
	for (size_t i = 0; i < METRICS_SPAN_COUNT; i++) {
		write_histogram(&metrics->spans[i], part, spans[i], out);
	}
}

static void write_vertices(const struct metrics *metrics, struct buffer *out) {
	const struct family family = {TYPE_COUNTER, "posed_vertices_skinned_total",
		"Vertices skinned, by method.", "method", metrics->options.skinning_methods,
		metrics->options.skinning_method_count};
	write_counters(&family, metrics->vertices, out);
}

/* Levels that findings have: all but the first. */
static void write_findings(const struct metrics *metrics, struct buffer *out) {
	static const char name[] = "posed_check_findings_total";
	write_head(out, TYPE_COUNTER, name, "Findings of checks, by rule and level.");
	for (size_t rule = 0; rule < metrics->options.check_rule_count; rule++) {
		for (int level = CHECK_OK + 1; level < CHECK_LEVEL_COUNT; level++) {
			const struct label labels[] = {{"rule", metrics->options.check_rules[rule]},
				{"level", check_level_names[level]}, {0}};
			put_sample(out, name, labels,
				read_count(&metrics->findings[rule * CHECK_LEVEL_COUNT +
					(size_t)level]));
		}
	}
}

static void write_checks(const struct metrics *metrics, struct buffer *out) {
	static const char seconds[] = "posed_check_seconds";
	const char *verdicts[METRICS_VERDICT_COUNT] = {[METRICS_VERDICT_REFUSED] = "refused"};
	memcpy(verdicts, check_level_names, CHECK_LEVEL_COUNT * sizeof *verdicts);
	const struct family family = {TYPE_COUNTER, "posed_checks_total",
		"Files checked, by their worst finding.", "verdict", verdicts,
		METRICS_VERDICT_COUNT};
	write_counters(&family, metrics->checks, out);
	write_findings(metrics, out);
	write_head(out, TYPE_HISTOGRAM, seconds, "Time of the check of a file.");
	write_histogram(&metrics->check_durations, seconds, NULL, out);
}

static void write_plain_counters(const struct metrics *metrics, struct buffer *out) {
	static const struct {
		const char *name, *help;
	} rows[METRICS_COUNTER_COUNT] = {
		[METRICS_FRAMES_RENDERED] = {"posed_frames_rendered_total", "Pictures drawn."},
		[METRICS_CONTEXT_RESETS] = {"posed_context_resets_total",
			"Graphics contexts lost by the driver."},
		[METRICS_BYTES_SENT] = {"posed_bytes_sent_total", "Bytes of bodies sent."},
		[METRICS_COALESCED] = {"posed_coalesced_total",
			"Requests that shared the work of an identical one in progress."},
		[METRICS_STREAM_FRAMES] = {"posed_stream_frames_total",
			"Frames made for vertex streams."},
		[METRICS_STREAM_DROPPED] = {"posed_stream_frames_dropped_total",
			"Frames dropped from streams because the client or the daemon was too "
			"slow."},
	};
	for (size_t i = 0; i < METRICS_COUNTER_COUNT; i++) {
		write_single(out, TYPE_COUNTER, rows[i].name, rows[i].help,
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
	struct family family = {TYPE_GAUGE, "posed_workers", "Worker threads.", "kind", kinds,
		METRICS_WORKERS_COUNT};
	write_family(&family, threads, out);
	family.name = "posed_workers_utilization";
	family.help = "Fraction of the threads that are busy, from 0 to 1.";
	write_family(&family, busy, out);
	family.name = "posed_queue_length";
	family.help = "Queued requests.";
	write_family(&family, lengths, out);
}

/* Values of a cache layer, one per family. */
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
		[HITS] = ROW(
			TYPE_COUNTER, "posed_cache_hits_total", "Responses found in the cache."),
		[MISSES] = ROW(TYPE_COUNTER, "posed_cache_misses_total",
			"Responses not found in the cache."),
		[EVICTIONS] = ROW(TYPE_COUNTER, "posed_cache_evictions_total",
			"Responses evicted from the cache."),
		[FAILURES] = ROW(TYPE_COUNTER, "posed_cache_failures_total",
			"Cached responses that could not be written or read, or were damaged."),
		[ENTRIES] = ROW(TYPE_GAUGE, "posed_cache_entries", "Cached responses."),
		[BYTES] = ROW(TYPE_GAUGE, "posed_cache_bytes", "Size of the cached responses."),
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

static void write_clip_cache(const struct metrics_gauges *gauges, struct buffer *out) {
	const struct {
		enum family_type type;
		const char *name, *help;
		uint64_t value;
	} rows[] = {
		{TYPE_COUNTER, "posed_clip_cache_hits_total",
			"Segments of compressed clips found decoded.", gauges->clip_cache.hits},
		{TYPE_COUNTER, "posed_clip_cache_misses_total",
			"Segments of compressed clips that had to be decoded.",
			gauges->clip_cache.misses},
		{TYPE_GAUGE, "posed_clip_cache_entries", "Decoded segments of compressed clips.",
			gauges->clip_cache.entries},
		{TYPE_GAUGE, "posed_clip_cache_bytes",
			"Memory of decoded segments of compressed clips.",
			gauges->clip_cache.bytes},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		write_single(out, rows[i].type, rows[i].name, rows[i].help, (double)rows[i].value);
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
	struct family family = {TYPE_GAUGE, "posed_asset_bytes", "Memory of loaded rigs.", "kind",
		kinds, METRICS_MEMORY_COUNT};
	write_family(&family, bytes, out);
	family.type = TYPE_COUNTER;
	family.name = "posed_asset_evictions_total";
	family.help = "Rigs evicted from memory.";
	write_family(&family, evictions, out);
}

static void write_plain_gauges(const struct metrics_gauges *gauges, struct buffer *out) {
	const struct {
		const char *name, *help;
		size_t value;
	} rows[] = {
		{"posed_requests_in_progress", "Requests without a response yet.",
			gauges->requests_in_progress},
		{"posed_connections", "Open client connections.", gauges->connections},
		{"posed_connections_limit", "Maximum number of connections.",
			gauges->max_connections},
		{"posed_streams", "Open vertex streams.", gauges->streams},
		{"posed_rigs", "Rigs in the store.", gauges->rigs},
		{"posed_rigs_loaded", "Rigs in memory.", gauges->rigs_loaded},
		{"posed_examples", "Stored examples of all rigs.", gauges->examples},
		{"posed_clips", "Stored clips of all rigs, without those in their files.",
			gauges->clips},
		{"posed_store_bytes", "Disk space of rigs, examples and clips.",
			gauges->store_bytes},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		write_single(out, TYPE_GAUGE, rows[i].name, rows[i].help, (double)rows[i].value);
	}
}

static void write_build(const struct metrics *metrics, struct buffer *out) {
	static const char name[] = "posed_build_info";
	write_head(out, TYPE_GAUGE, name, "Always 1; version and build are labels.");
	const struct label labels[] = {
		{"version", metrics->options.version}, {"build", metrics->options.build}, {0}};
	put_sample(out, name, labels, 1);
}

static void write_process_memory(struct buffer *out) {
	unsigned long long all, resident;
	FILE *file = fopen("/proc/self/statm", "re");
	if (!file) {
		return;
	}
	if (fscanf(file, "%llu %llu", &all, &resident) == 2) {
		write_single(out, TYPE_GAUGE, "process_resident_memory_bytes", "Resident memory.",
			(double)resident * (double)sysconf(_SC_PAGESIZE));
	}
	fclose(file);
}

static void write_descriptors(struct buffer *out) {
	DIR *stream = opendir("/proc/self/fd");
	if (!stream) {
		return;
	}
	int count = 0;
	struct dirent *entry;
	while ((entry = readdir(stream))) {
		count += entry->d_name[0] != '.';
	}
	closedir(stream);
	// Without the descriptor of the list itself.
	write_single(out, TYPE_GAUGE, "process_open_fds", "Open file descriptors.", count - 1);
}

static double seconds(struct timeval time) {
	return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

/* Figures of the process under the names that every exporter has. Lists all open descriptors, which
 * takes about a millisecond with thousands of connections. */
static void write_process(double start_s, struct buffer *out) {
	struct rusage usage;
	write_process_memory(out);
	write_descriptors(out);
	if (getrusage(RUSAGE_SELF, &usage) == 0) {
		write_single(out, TYPE_COUNTER, "process_cpu_seconds_total",
			"Processor time used, user and system.",
			seconds(usage.ru_utime) + seconds(usage.ru_stime));
	}
	write_single(out, TYPE_GAUGE, "process_start_time_seconds",
		"Start time of the process, in seconds since 1970.", start_s);
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
	write_checks(metrics, out);
	write_plain_counters(metrics, out);
	write_workers(gauges, out);
	write_caches(gauges, out);
	write_clip_cache(gauges, out);
	write_assets(gauges, out);
	write_plain_gauges(gauges, out);
	write_process(metrics->start_s, out);
}
