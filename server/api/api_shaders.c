// The requests about the skinning shaders: GET /v1/shaders, GET /v1/shaders/{method}, POST
// /v1/shaders.
#include <string.h>

#include "api/api.h"
#include "api/results.h"
#include "base/clock.h"
#include "describe/describe.h"
#include "limits.h"
#include "query.h"
#include "renderer.h"
#include "shader_request.h"
#include "store/hash.h"

static const char *const json_types[] = {"application/json", NULL};
static const char *const text_types[] = {"text/plain; charset=utf-8", NULL};

/* Tags the response by its body, which goes where the client has it. */
static void tag_body(struct request_context *context) {
	const struct hash_part part = {context->response.body.data, context->response.body.size};
	if (context_is_known_by(context, &part, 1)) {
		context->response.body.size = 0;
	}
}

bool api_list_shaders(struct request_context *context, struct error *err) {
	if (!context_choose_type(context, json_types, err)) {
		return false;
	}
	describe_shaders(&context->response.body);
	tag_body(context);
	return true;
}

/* The requested version, of shader_version_names, or the first one that the method has. */
static enum shader_version choose_version(const char *method, int requested) {
	struct renderer_shader shader;
	size_t i = 0;
	while (renderer_shader(i, &shader) && strcmp(shader.method, method) != 0) {
		i++;
	}
	const bool is_there = renderer_shader(i, &shader);
	for (int k = 0; k < SHADER_VERSION_COUNT; k++) {
		const bool fits = requested >= 0
			? strcmp(renderer_shader_version((enum shader_version)k),
				  shader_version_names[requested]) == 0
			: is_there && shader.versions[k];
		if (fits) {
			return (enum shader_version)k;
		}
	}
	return SHADER_ES_310;
}

bool api_get_shader(struct request_context *context, struct error *err) {
	struct shader_query query;
	if (!context_choose_type(context, text_types, err) ||
		!query_read(context->arena, &shader_query_members, context->parameters,
			context->parameter_count, &query, err) ||
		!renderer_shader_text(context->item, choose_version(context->item, query.version),
			&context->response.body, err)) {
		return false;
	}
	tag_body(context);
	return true;
}

static bool take(void *user, const struct shader_inputs *inputs, struct error *err) {
	struct request_context *context = user;
	const struct shaders_request *request = context->state;
	double mark = clock_now_s();
	const uint64_t bytes = describe_shader_inputs_bytes(inputs, request->buffers);
	if (bytes > LIMIT_REPLY_BYTES) {
		return error_set(err, ERROR_TOO_LARGE,
			"these buffers may take %llu bytes as JSON, an answer %llu; ask for some "
			"of them with \"buffers\"",
			(unsigned long long)bytes, (unsigned long long)LIMIT_REPLY_BYTES);
	}
	describe_shader_inputs(inputs, request->buffers, &context->response.body);
	context->spans_s[SPAN_ENCODE] += clock_lap_s(&mark);
	return true;
}

static bool respond(struct request_context *context, struct error *err) {
	const struct shaders_request *request = context->state;
	const struct rig *rig = context_load(context, err);
	if (!rig || !skinning_data_load_examples(context, &request->skinning, 1, err)) {
		return false;
	}
	const struct posed_subject subject =
		subject_posed(context, subject_pose(&request->subject, 0), &request->skinning);
	return renderer_shader_inputs(context->renderer, &subject, take, context, err) ||
		subject_name(&request->subject, err);
}

bool api_shader_inputs(struct request_context *context, struct error *err) {
	struct shaders_request *request = arena_alloc(context->arena, 1, sizeof *request);
	const struct value *body =
		context_choose_type(context, json_types, err) ? context_json(context, err) : NULL;
	if (!body || !request_read_shaders(body, request, err) ||
		!subject_hold(context, &request->subject, err)) {
		return false;
	}
	skinning_data_continue(context, &request->skinning, 1, EXECUTOR_CPU, respond, request);
	context_is_known(context, context->hold.state);
	return true;
}
