// The calls about the skinning shaders: GET /v1/shaders, GET /v1/shaders/{method}, POST
// /v1/shaders.
#include <string.h>

#include "api/api.h"
#include "api/data_first.h"
#include "api/subject.h"
#include "base/clock.h"
#include "describe/shader_inputs.h"
#include "limits.h"
#include "query.h"
#include "renderer.h"
#include "shader_request.h"
#include "store/hash.h"

static const char *const json_types[] = {"application/json", NULL};
static const char *const text_types[] = {"text/plain; charset=utf-8", NULL};

/* Tags the answer by its body, which goes where the client has it. */
static void tag_body(struct call *call) {
	const struct hash_part part = {call->answer.body.data, call->answer.body.size};
	if (call_is_known_by(call, &part, 1)) {
		call->answer.body.size = 0;
	}
}

bool api_list_shaders(struct call *call, struct error *err) {
	if (!call_choose_type(call, json_types, err)) {
		return false;
	}
	describe_shaders(&call->answer.body);
	tag_body(call);
	return true;
}

/* The version that is asked for; else the first that there is. */
static enum shader_version choose_version(const char *method, const char *asked) {
	struct renderer_shader shader;
	size_t i = 0;
	while (renderer_shader(i, &shader) && strcmp(shader.method, method) != 0) {
		i++;
	}
	const bool is_there = renderer_shader(i, &shader);
	for (int k = 0; k < SHADER_VERSION_COUNT; k++) {
		const bool fits = asked
			? strcmp(renderer_shader_version((enum shader_version)k), asked) == 0
			: is_there && shader.versions[k];
		if (fits) {
			return (enum shader_version)k;
		}
	}
	return SHADER_ES_310;
}

bool api_get_shader(struct call *call, struct error *err) {
	struct shader_query query;
	if (!call_choose_type(call, text_types, err) ||
		!query_read_shader(
			call->arena, call->parameters, call->parameter_count, &query, err) ||
		!renderer_shader_text(call->item, choose_version(call->item, query.version),
			&call->answer.body, err)) {
		return false;
	}
	tag_body(call);
	return true;
}

static bool take(void *context, const struct shader_inputs *inputs, struct error *err) {
	struct call *call = context;
	const struct shaders_request *request = call->state;
	double mark = clock_now_s();
	const uint64_t bytes = describe_shader_inputs_bytes(inputs, request->buffers);
	if (bytes > LIMIT_REPLY_BYTES) {
		return error_set(err, ERROR_TOO_LARGE,
			"these buffers may take %llu bytes as JSON, an answer %llu; ask for some "
			"of them with \"buffers\"",
			(unsigned long long)bytes, (unsigned long long)LIMIT_REPLY_BYTES);
	}
	describe_shader_inputs(inputs, request->buffers, &call->answer.body);
	call->spans_s[SPAN_ENCODE] += clock_lap_s(&mark);
	return true;
}

static bool answer(struct call *call, struct error *err) {
	const struct shaders_request *request = call->state;
	const struct rig *rig = call_load(call, err);
	if (!rig || !data_first_load_examples(call, &request->skinning, 1, err)) {
		return false;
	}
	const struct shader_inputs_job job = {
		.rig = rig,
		.pose = subject_pose(&request->subject, 0),
		.sources = &call->sources,
		.skinning = request->skinning,
		.examples = call->hold.examples,
		.stop = &call->stop,
	};
	return renderer_shader_inputs(call->renderer, &job, take, call, err) ||
		subject_name(&request->subject, err);
}

bool api_shader_inputs(struct call *call, struct error *err) {
	struct shaders_request *request = arena_alloc(call->arena, 1, sizeof *request);
	const struct value *body =
		call_choose_type(call, json_types, err) ? call_json(call, err) : NULL;
	if (!body || !request_read_shaders(body, request, err) ||
		!subject_hold(call, &request->subject, err)) {
		return false;
	}
	data_first_continue(call, &request->skinning, 1, PLACE_CPU, answer, request);
	call_is_known(call, call->hold.state);
	return true;
}
