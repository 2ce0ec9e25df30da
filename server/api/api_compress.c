// POST /v1/compress: clips, or a pose that runs by the clock, as a compressed file of motion, or as
// a GLB with few keys; or events while that is made.
#include <math.h>

#include "api/api.h"
#include "api/compressed.h"
#include "api/results.h"
#include "base/clock.h"
#include "describe/compressed.h"
#include "version.h"

static const char json_type[] = "application/json";

/* Media type of the events; they are lines, which are sent as they happen. */
static const char events_type[] = "application/x-ndjson";

bool compressed_respond(
	struct request_context *context, const struct compress_job *job, struct error *err) {
	const bool is_report = context->response.content_type == json_type;
	struct buffer file = {0};
	struct compressed_clips found;
	double mark = clock_now_s(), greatest = 0;
	const bool done = renderer_compress_clips(
		job, context->arena, is_report ? &file : &context->response.body, &found, err);
	context->spans_s[SPAN_ENCODE] += clock_lap_s(&mark);
	for (size_t i = 0; done && i < found.count; i++) {
		greatest = fmax(greatest, found.items[i].error.max_m);
	}
	if (done && is_report) {
		const struct compression_report report =
			compressed_report(job, context->hold.summary.name, &found, context->arena);
		compression_write_report(&report, &context->response.body);
	}
	if (done) {
		context_header(context, "Posed-Error", "%.9g", greatest);
	}
	buffer_finish(&file);
	return done;
}

static void continue_with(struct request_context *context, const struct skinning_settings *skinning,
	request_step step, void *state) {
	if (skinning) {
		skinning_data_continue(context, skinning, 1, EXECUTOR_CPU, step, state);
	} else {
		context_continue(context, EXECUTOR_CPU, step, state);
	}
}

void compressed_continue(struct request_context *context, const struct skinning_settings *skinning,
	request_step step, void *state) {
	continue_with(context, skinning, step, state);
	context_is_known(context, skinning ? context->hold.state : context->hold.motion);
}

/* A request, and its clips while events are sent about them. */
struct work {
	struct compression_request request;
	struct compress_job job;
	struct clip_compression *compression; // NULL until then
	size_t clips;                         // that events are sent about
};

static bool make_job(struct request_context *context, struct error *err) {
	struct work *work = context->state;
	const struct compression_request *request = &work->request;
	if (!context_load(context, err) ||
		!skinning_data_load_examples(context, &request->skinning, 1, err)) {
		return false;
	}
	const struct posed_subject subject =
		subject_posed(context, subject_pose(&request->subject, 0), &request->skinning);
	work->job = compressed_job(request, &subject);
	work->job.library = context->service->library;
	work->job.generator = "posed " POSED_VERSION;
	return true;
}

static bool respond(struct request_context *context, struct error *err) {
	struct work *work = context->state;
	return make_job(context, err) &&
		(compressed_respond(context, &work->job, err) ||
			subject_name(&work->request.subject, err));
}

/* --- Events --- */

static void finish(struct request_context *context) {
	struct work *work = context->state;
	renderer_compression_destroy(work->compression);
}

/* The next clip, and the event about it. */
static bool take_clip(struct request_context *context, struct work *work, struct error *err) {
	const char *clip = renderer_compression_next(work->compression);
	double mark = clock_now_s();
	if (!renderer_compression_step(work->compression, err)) {
		return false;
	}
	const double taken_s = clock_lap_s(&mark);
	const size_t left = renderer_compression_left(work->compression);
	context->spans_s[SPAN_ENCODE] += taken_s;
	compression_event_clip(
		clip, work->clips - left, work->clips, taken_s, &context->response.body);
	return true;
}

static bool end(struct request_context *context, struct work *work, struct error *err) {
	struct buffer file = {0};
	struct compressed_clips found;
	const bool done = renderer_compression_finish(work->compression, &file, &found, err);
	if (done) {
		const struct compression_report report = compressed_report(
			&work->job, context->hold.summary.name, &found, context->arena);
		compression_event_end(&report, &file, &context->response.body);
	}
	buffer_finish(&file);
	return done;
}

/* The head of the response has been sent, so that errors are events, too. */
static bool fill_with_events(struct request_context *context, struct error *err) {
	(void)err;
	struct work *work = context->state;
	const bool is_last = renderer_compression_left(work->compression) == 0;
	struct error why = {0};
	if (!(is_last ? end(context, work, &why) : take_clip(context, work, &why))) {
		subject_name(&work->request.subject, &why);
		const struct error told = context_tell(context, &why);
		compression_event_failed(&told, &context->response.body);
		context->response.stream.done = true;
	}
	context->response.stream.done |= is_last;
	return true;
}

static bool respond_with_events(struct request_context *context, struct error *err) {
	struct work *work = context->state;
	if (!make_job(context, err)) {
		return false;
	}
	work->compression = renderer_compression_create(&work->job, context->arena, err);
	if (!work->compression) {
		return subject_name(&work->request.subject, err);
	}
	context->finish = finish;
	work->clips = renderer_compression_left(work->compression);
	compression_event_start(context->hold.summary.name, work->clips, &context->response.body);
	context->response.stream.fill = fill_with_events;
	context->response.stream.total_bytes = RESPONSE_UNKNOWN_BYTES;
	return true;
}

/* --- Requests --- */

/* The file of the codec, the report, or the events. */
static bool choose_type(
	struct request_context *context, enum motion_codec codec, struct error *err) {
	const char *const types[] = {compression_media_type(codec), json_type, events_type, NULL};
	struct error why = {0};
	return context_choose_type(context, types, &why) ||
		error_set(err, why.code, "%s; \"codec\" is \"%s\"", why.text,
			compression_codec_name(codec));
}

bool api_compress(struct request_context *context, struct error *err) {
	struct work *work = arena_alloc(context->arena, 1, sizeof *work);
	struct compression_request *request = &work->request;
	const struct value *body = context_json(context, err);
	if (!body || !compression_read(body, request, err) ||
		!choose_type(context, request->codec, err) ||
		!subject_hold(context, &request->subject, err)) {
		return false;
	}
	const bool is_skinned = request->metric == COMPRESSION_SKIN || request->skinning_source;
	const struct skinning_settings *skinning = is_skinned ? &request->skinning : NULL;
	if (context->response.content_type == events_type) {
		continue_with(context, skinning, respond_with_events, work);
		context->cache_control = "no-store";
	} else {
		compressed_continue(context, skinning, respond, work);
	}
	return true;
}
