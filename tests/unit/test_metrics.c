// The metrics in Prometheus's format, by its own parser and its own check.
#include "metrics/metrics.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buffer.h"
#include "problem.h"

#include "check.h"

#define MISSING 77 // exit status of what a machine does not have

static const struct metrics_route routes[] = {
	{"GET", "/v1/rigs/{rig}"}, {"PUT", "/v1/rigs/{rig}"}, {"POST", "/v1/frame"}};
static const char *const methods[] = {"lbs", "dqs"};

static struct metrics *make(void) {
	static const struct metrics_options options = {
		.routes = routes,
		.route_count = 3,
		.skinning_methods = methods,
		.skinning_method_count = 2,
		.version = "1.2.3",
		.build = "a\"b\\c\nd",
	};
	return metrics_create(&options);
}

/* Runs a command on the metrics as text; what it printed (free it). Skips the test where the
 * command ends with MISSING. */
static char *pass_to(const char *command, const struct metrics *metrics,
	const struct metrics_gauges *gauges, int *status) {
	struct buffer text = {0};
	metrics_write(metrics, gauges, &text);
	char path[] = "/tmp/posed-metrics-XXXXXX", line[256];
	const int file = mkstemp(path);
	assert_int_equal(write(file, text.data, text.size), text.size);
	close(file);
	buffer_finish(&text);
	snprintf(line, sizeof line, "%s <%s 2>&1", command, path);
	FILE *stream = popen(line, "r");
	struct buffer output = {0};
	size_t count;
	while ((count = fread(buffer_reserve(&output, 4096), 1, 4096, stream)) > 0) {
		output.size += count;
	}
	*status = WEXITSTATUS(pclose(stream));
	unlink(path);
	buffer_append(&output, "", 1);
	return (char *)output.data;
}

/* By Debian's Python, since the parser is Debian's. */
static char *parse(const struct metrics *metrics, const struct metrics_gauges *gauges) {
	int status;
	char *lines =
		pass_to("/usr/bin/python3 tests/unit/read_metrics.py", metrics, gauges, &status);
	if (status == MISSING) {
		print_message("SKIPPED: no python3-prometheus-client\n");
		free(lines);
		skip();
	}
	if (status != 0) {
		fail_msg("%s", lines);
	}
	return lines;
}

/* Checks that the line is one of the lines. */
static void expect(const char *lines, const char *line) {
	const size_t length = strlen(line);
	const char *found = strstr(lines, line);
	while (found && !((found == lines || found[-1] == '\n') && found[length] == '\n')) {
		found = strstr(found + 1, line);
	}
	if (!found) {
		fail_msg("\"%s\" is not in:\n%s", line, lines);
	}
}

static void all_that_can_be_counted_is_there_from_the_start(void **state) {
	(void)state;
	struct metrics *metrics = make();
	char *lines = parse(metrics, &(struct metrics_gauges){0});
	char line[256];
	for (enum error_code code = ERROR_NONE + 1; code < ERROR_CODE_COUNT; code++) {
		snprintf(line, sizeof line, "counter posed_errors_total {\"type\": \"%s\"} 0",
			error_name(code));
		expect(lines, line);
		snprintf(line, sizeof line,
			"counter posed_status_codes_total {\"status\": \"%d\"} 0",
			problem_status(code));
		expect(lines, line);
	}
	expect(lines, "counter posed_status_codes_total {\"status\": \"200\"} 0");
	expect(lines,
		"counter posed_requests_total {\"method\": \"other\", \"route\": \"other\"} "
		"0");
	expect(lines, "counter posed_refusals_total {\"reason\": \"client_share\"} 0");
	expect(lines, "counter posed_cache_hits_total {\"layer\": \"disk\"} 0");
	assert_null(strstr(lines, "\"none\""));
	assert_null(strstr(lines, "{\"status\": \"204\"}"));
	free(lines);
	metrics_destroy(metrics);
	metrics_destroy(NULL);
}

static void counts_arrive(void **state) {
	(void)state;
	struct metrics *metrics = make();
	metrics_count_request(metrics, 1);
	metrics_count_request(metrics, 2);
	metrics_count_request(metrics, 2);
	metrics_count_request(metrics, 3);
	metrics_count_answer(metrics, 204, 0.002);
	metrics_count_answer(metrics, 599, 0.002);
	metrics_count_error(metrics, ERROR_UNKNOWN_CLIP);
	metrics_count_refusal(metrics, REFUSAL_OVER_SHARE);
	metrics_count_refusal(metrics, REFUSAL_DEADLINE);
	metrics_count_vertices(metrics, 1, 13206);
	metrics_count_vertices(metrics, 1, 4000000000);
	metrics_count(metrics, METRICS_FRAMES_RENDERED, 3);
	metrics_count(metrics, METRICS_CONTEXT_RESETS, 1);
	metrics_count(metrics, METRICS_BYTES_SENT, 123456789);
	metrics_count(metrics, METRICS_COALESCED, 7);
	metrics_count(metrics, METRICS_STREAM_FRAMES, 8);
	metrics_count(metrics, METRICS_STREAM_DROPPED, 9);
	static const char *const expected[] = {
		"counter posed_requests_total {\"method\": \"GET\", \"route\": \"/v1/rigs/{rig}\"} "
		"0",
		"counter posed_requests_total {\"method\": \"PUT\", \"route\": \"/v1/rigs/{rig}\"} "
		"1",
		"counter posed_requests_total {\"method\": \"POST\", \"route\": \"/v1/frame\"} 2",
		"counter posed_requests_total {\"method\": \"other\", \"route\": \"other\"} 1",
		"counter posed_status_codes_total {\"status\": \"204\"} 1",
		"counter posed_status_codes_total {\"status\": \"599\"} 1",
		"counter posed_errors_total {\"type\": \"unknown-clip\"} 1",
		"counter posed_refusals_total {\"reason\": \"full\"} 0",
		"counter posed_refusals_total {\"reason\": \"client_share\"} 1",
		"counter posed_refusals_total {\"reason\": \"deadline\"} 1",
		"counter posed_vertices_skinned_total {\"method\": \"lbs\"} 0",
		"counter posed_vertices_skinned_total {\"method\": \"dqs\"} 4000013206",
		"counter posed_frames_rendered_total {} 3",
		"counter posed_context_resets_total {} 1",
		"counter posed_bytes_sent_total {} 123456789",
		"counter posed_coalesced_total {} 7",
		"counter posed_stream_frames_total {} 8",
		"counter posed_stream_frames_dropped_total {} 9",
		"gauge posed_build_info {\"build\": \"a\\\"b\\\\c\\nd\", \"version\": \"1.2.3\"} 1",
	};
	char *lines = parse(metrics, &(struct metrics_gauges){0});
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		expect(lines, expected[i]);
	}
	free(lines);
	metrics_destroy(metrics);
}

static void gauges_arrive(void **state) {
	(void)state;
	struct metrics *metrics = make();
	const struct metrics_gauges gauges = {
		.workers = {[METRICS_RENDER_WORKERS] = {2, 0.5, 17},
			[METRICS_CPU_WORKERS] = {.threads = 4}},
		.caches = {[METRICS_CACHE_MEMORY] = {1, 2, 3, 0, 5, 6},
			[METRICS_CACHE_DISK] = {10, 20, 30, 40, 50, 1e12}},
		.clip_cache = {61, 62, 63, 64},
		.assets = {[METRICS_MEMORY_GPU] = {123, 45}},
		.rigs = 9,
		.rigs_loaded = 8,
		.examples = 11,
		.store_bytes = 12345,
		.requests_in_progress = 7,
		.connections = 2000,
		.streams = 3,
	};
	static const char *const expected[] = {
		"gauge posed_workers {\"kind\": \"render\"} 2",
		"gauge posed_workers {\"kind\": \"cpu\"} 4",
		"gauge posed_workers_utilization {\"kind\": \"render\"} 0.5",
		"gauge posed_queue_length {\"kind\": \"render\"} 17",
		"counter posed_cache_hits_total {\"layer\": \"memory\"} 1",
		"counter posed_cache_misses_total {\"layer\": \"memory\"} 2",
		"counter posed_cache_evictions_total {\"layer\": \"memory\"} 3",
		"gauge posed_cache_entries {\"layer\": \"memory\"} 5",
		"gauge posed_cache_bytes {\"layer\": \"memory\"} 6",
		"counter posed_cache_failures_total {\"layer\": \"disk\"} 40",
		"gauge posed_cache_bytes {\"layer\": \"disk\"} 1e+12",
		"counter posed_clip_cache_hits_total {} 61",
		"counter posed_clip_cache_misses_total {} 62",
		"gauge posed_clip_cache_entries {} 63",
		"gauge posed_clip_cache_bytes {} 64",
		"gauge posed_asset_bytes {\"kind\": \"cpu\"} 0",
		"gauge posed_asset_bytes {\"kind\": \"gpu\"} 123",
		"counter posed_asset_evictions_total {\"kind\": \"gpu\"} 45",
		"gauge posed_rigs {} 9",
		"gauge posed_rigs_loaded {} 8",
		"gauge posed_examples {} 11",
		"gauge posed_store_bytes {} 12345",
		"gauge posed_requests_in_progress {} 7",
		"gauge posed_connections {} 2000",
		"gauge posed_streams {} 3",
	};
	char *lines = parse(metrics, &gauges);
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		expect(lines, expected[i]);
	}
	free(lines);
	metrics_destroy(metrics);
}

/* Dashboards and alerts ask for metrics by these names. */
static void metrics_have_their_names(void **state) {
	(void)state;
	static const char *const names[] = {"asset_bytes", "asset_evictions_total", "build_info",
		"bytes_sent_total", "cache_bytes", "cache_entries", "cache_evictions_total",
		"cache_failures_total", "cache_hits_total", "cache_misses_total",
		"check_findings_total", "check_seconds", "checks_total", "clip_cache_bytes",
		"clip_cache_entries", "clip_cache_hits_total", "clip_cache_misses_total", "clips",
		"coalesced_total", "connections", "connections_limit", "context_resets_total",
		"errors_total", "examples", "frames_rendered_total", "queue_length",
		"refusals_total", "request_duration_seconds", "request_span_duration_seconds",
		"requests_in_progress", "requests_total", "rigs", "rigs_loaded",
		"status_codes_total", "store_bytes", "stream_frames_dropped_total",
		"stream_frames_total", "streams", "vertices_skinned_total", "workers",
		"workers_utilization"};
	struct metrics *metrics = make();
	struct buffer text = {0};
	metrics_write(metrics, &(struct metrics_gauges){0}, &text);
	buffer_append(&text, "", 1);
	size_t count = 0;
	for (const char *at = (char *)text.data; (at = strstr(at, "# TYPE posed_")); at++) {
		count++;
	}
	assert_int_equal(count, sizeof names / sizeof *names);
	for (size_t i = 0; i < count; i++) {
		char line[80];
		snprintf(line, sizeof line, "\n# TYPE posed_%s ", names[i]);
		if (!strstr((char *)text.data, line)) {
			fail_msg("no metric is posed_%s", names[i]);
		}
	}
	buffer_finish(&text);
	metrics_destroy(metrics);
}

/* A bound belongs to what is below it; what is beyond all bounds counts in +Inf alone. */
static void histograms_are_cumulative(void **state) {
	(void)state;
	struct metrics *metrics = make();
	static const double seconds[] = {0, 1e-5, 0.001, 0.0011, 10, 1000, -1};
	for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
		metrics_measure_span(metrics, METRICS_POSE, seconds[i]);
		metrics_count_answer(metrics, 200, seconds[i]);
	}
	static const struct {
		const char *bound;
		int count;
	} expected[] = {{"1e-05", 3}, {"0.0005", 3}, {"0.001", 4}, {"0.0025", 5}, {"5", 5},
		{"10", 6}, {"+Inf", 7}};
	char *lines = parse(metrics, &(struct metrics_gauges){0});
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		char line[256];
		snprintf(line, sizeof line,
			"histogram posed_request_duration_seconds_bucket {\"le\": \"%s\"} %d",
			expected[i].bound, expected[i].count);
		expect(lines, line);
		snprintf(line, sizeof line,
			"histogram posed_request_span_duration_seconds_bucket {\"le\": \"%s\", "
			"\"span\": \"pose\"} %d",
			expected[i].bound, expected[i].count);
		expect(lines, line);
	}
	expect(lines, "histogram posed_request_duration_seconds_count {} 7");
	expect(lines, "histogram posed_request_duration_seconds_sum {} 1010.00211");
	expect(lines, "histogram posed_request_span_duration_seconds_count {\"span\": \"skin\"} 0");
	free(lines);
	metrics_destroy(metrics);
}

static double value_of(const char *lines, const char *name) {
	const char *found = strstr(lines, name);
	assert_non_null(found);
	return strtod(strchr(found, '}') + 1, NULL);
}

static void the_process_tells_about_itself(void **state) {
	(void)state;
	struct metrics *metrics = make();
	char *lines = parse(metrics, &(struct metrics_gauges){0});
	const int more[] = {dup(0), dup(0), dup(0)};
	char *later = parse(metrics, &(struct metrics_gauges){0});
	assert_near(
		value_of(later, " process_open_fds"), value_of(lines, " process_open_fds") + 3, 0);
	assert_near(value_of(lines, " process_start_time_seconds"), (double)time(NULL), 5);
	assert_near(
		value_of(lines, " process_cpu_seconds_total"), (double)clock() / CLOCKS_PER_SEC, 1);
	assert_true(value_of(lines, " process_resident_memory_bytes") > 500e3);
	for (int i = 0; i < 3; i++) {
		close(more[i]);
	}
	free(lines);
	free(later);
	metrics_destroy(metrics);
}

static void promtool_finds_nothing_to_mend(void **state) {
	(void)state;
	struct metrics *metrics = make();
	int status;
	char *output = pass_to("command -v promtool >/dev/null || exit 77; promtool check metrics",
		metrics, &(struct metrics_gauges){0}, &status);
	metrics_destroy(metrics);
	if (status == MISSING) {
		print_message("SKIPPED: no promtool (Debian's package prometheus)\n");
		free(output);
		skip();
	}
	if (status != 0) {
		fail_msg("%s", output);
	}
	free(output);
}

#define THREADS 4
#define ROUNDS 50000

static void *count_all(void *argument) {
	struct metrics *metrics = argument;
	for (int i = 0; i < ROUNDS; i++) {
		metrics_count_request(metrics, 0);
		metrics_count_answer(metrics, 200, 0.001);
		metrics_measure_span(metrics, METRICS_DRAW, 0.25);
		metrics_count(metrics, METRICS_BYTES_SENT, 1000);
	}
	return NULL;
}

static void threads_lose_nothing(void **state) {
	(void)state;
	struct metrics *metrics = make();
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_create(&threads[i], NULL, count_all, metrics), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
	}
	char *lines = parse(metrics, &(struct metrics_gauges){0});
	expect(lines,
		"counter posed_requests_total {\"method\": \"GET\", \"route\": \"/v1/rigs/{rig}\"} "
		"200000");
	expect(lines, "counter posed_bytes_sent_total {} 200000000");
	expect(lines, "histogram posed_request_duration_seconds_sum {} 200");
	expect(lines,
		"histogram posed_request_span_duration_seconds_sum {\"span\": \"draw\"} "
		"50000");
	free(lines);
	metrics_destroy(metrics);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_can_be_counted_is_there_from_the_start),
		cmocka_unit_test(counts_arrive),
		cmocka_unit_test(gauges_arrive),
		cmocka_unit_test(metrics_have_their_names),
		cmocka_unit_test(histograms_are_cumulative),
		cmocka_unit_test(the_process_tells_about_itself),
		cmocka_unit_test(promtool_finds_nothing_to_mend),
		cmocka_unit_test(threads_lose_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
