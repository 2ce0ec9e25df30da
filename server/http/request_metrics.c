// The metrics of requests.
#include "http/request_metrics.h"

#include "http/router.h"
#include "interface/checks.h"
#include "metrics/metrics.h"
#include "renderer.h"
#include "version.h"

struct metrics *request_metrics_create(
	const struct route_table *routes, struct arena *arena, const char *build) {
	struct metrics_route *rows = arena_alloc(arena, routes->count, sizeof *rows);
	for (size_t i = 0; i < routes->count; i++) {
		const struct route *route = &routes->rows[i];
		rows[i] = (struct metrics_route){http_method_name(route->method), route->path};
	}
	const char **methods = arena_alloc(arena, RENDERER_METHODS_MAX, sizeof *methods);
	struct renderer_method method;
	size_t method_count = 0, rule_count;
	while (renderer_method(method_count, &method)) {
		methods[method_count++] = method.id;
	}
	const struct check_rule_info *const *infos = renderer_check_rules(&rule_count);
	const char **rules = arena_alloc(arena, rule_count, sizeof *rules);
	for (size_t i = 0; i < rule_count; i++) {
		rules[i] = infos[i]->id;
	}
	const struct metrics_options options = {
		.routes = rows,
		.route_count = routes->count,
		.skinning_methods = methods,
		.skinning_method_count = method_count,
		.check_rules = rules,
		.check_rule_count = rule_count,
		.version = POSED_VERSION,
		.build = build,
	};
	return metrics_create(&options);
}

void request_metrics_response(
	const struct request_context *context, int status, enum error_code code, double seconds) {
	static const enum metrics_span spans[SPAN_COUNT] = {
		[SPAN_QUEUE] = METRICS_QUEUE,
		[SPAN_LOAD] = METRICS_IMPORT,
		[SPAN_POSE] = METRICS_POSE,
		[SPAN_SKIN] = METRICS_SKIN,
		[SPAN_DRAW] = METRICS_DRAW,
		[SPAN_READ] = METRICS_READ,
		[SPAN_CHECK] = METRICS_CHECK,
		[SPAN_ENCODE] = METRICS_ENCODE,
	};
	struct metrics *metrics = context->service->metrics;
	metrics_count_answer(metrics, status, seconds);
	if (code != ERROR_NONE) {
		metrics_count_error(metrics, code);
	}
	for (size_t i = 0; i < SPAN_COUNT; i++) {
		if (context->spans_s[i] > 0) {
			metrics_measure_span(metrics, spans[i], context->spans_s[i]);
		}
	}
}
