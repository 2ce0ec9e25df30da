// POST /v1/frames and GET /v1/rigs/{rig}/frames.{format}: sequences of pictures, sent while they
// are made where they are long.
#include <string.h>

#include "api/api.h"
#include "api/results.h"
#include "base/clock.h"
#include "limits.h"
#include "metrics/metrics.h"
#include "renderer.h"
#include "sequence.h"
#include "sheet.h"
#include "work/assistants.h"

/* Formats that there are at most. */
#define MAX_FORMATS 16

/* Bytes of a list of them. */
#define KNOWN_BYTES 256

/* Seconds that a thread makes frames for one client before the next has its turn. */
#define TURN_S 0.1

struct work {
	struct frames_request request;
	const struct sequence_format *format; // NULL = it is yet to be chosen
	bool map_alone;                       // of its sheet the map is wanted
	struct sequence *sequence;            // owned
	struct assistants *assistants;        // owned
	double begun_s; // when the first frame was due, where they keep to the clock
	size_t shown;   // frames that have been, or were left out
	bool described; // the headers are there
};

static void finish(struct request_context *context) {
	struct work *work = context->state;
	renderer_sequence_destroy(work->sequence);
	assistants_destroy(work->assistants);
	work->sequence = NULL;
	work->assistants = NULL;
}

static bool draw(
	struct request_context *context, const struct sequence_piece *piece, struct error *err) {
	struct work *work = context->state;
	struct skinning_report report;
	size_t frames;
	if (!renderer_sequence_draw(context->renderer, work->sequence, piece,
		    &context->response.body, &frames, &context->response.stream.done, &report,
		    err)) {
		return false;
	}
	work->shown += frames;
	result_headers_add(context, &report);
	metrics_count(context->service->metrics, METRICS_FRAMES_RENDERED, frames);
	if (!work->described) {
		result_headers_set_header(context, &report);
		result_headers_warn(context, context->hold.rig);
		work->described = true;
	}
	return true;
}

static bool fill(struct request_context *context, struct error *err) {
	const struct work *work = context->state;
	const struct sequence_piece piece = {.bytes = LIMIT_PIECE_BYTES,
		.seconds = TURN_S,
		.help = assistants_help(work->assistants)};
	return draw(context, &piece, err);
}

/* One frame when its time has come. What should have been shown by now is left out. */
static bool fill_live(struct request_context *context, struct error *err) {
	struct work *work = context->state;
	const struct sequence_piece piece = {.frames = 1};
	const double since_s = clock_now_s() - work->begun_s;
	size_t missed = 0;
	while (renderer_sequence_begin_s(work->sequence, work->shown + missed + 1) <= since_s) {
		missed++;
	}
	renderer_sequence_skip(work->sequence, missed);
	work->shown += missed;
	if (!draw(context, &piece, err)) {
		return false;
	}
	context->response.stream.not_before_s =
		work->begun_s + renderer_sequence_begin_s(work->sequence, work->shown);
	context->response.stream.done |= context->service->stopping;
	return true;
}

static bool begin_live(struct request_context *context, struct error *err) {
	struct work *work = context->state;
	work->begun_s = clock_now_s();
	context->response.stream.fill = fill_live;
	context->response.stream.total_bytes = RESPONSE_UNKNOWN_BYTES;
	return fill_live(context, err);
}

static bool begin_stream(struct request_context *context, struct error *err) {
	context->response.stream.fill = fill;
	context->response.stream.total_bytes = RESPONSE_UNKNOWN_BYTES;
	return fill(context, err);
}

static bool make_sequence(struct request_context *context, struct error *err) {
	struct work *work = context->state;
	const struct frames_request *request = &work->request;
	const struct sequence_job job = {
		.frame = {.subject = subject_posed(context, NULL, &request->skinning),
			.picture = request->picture},
		.poses = request->subject.poses,
		.pose_count = request->subject.count,
		.many = request->subject.many,
		.frames = request->frames,
		.format = work->format,
		.passes = work->format->is_live ? (size_t)request->frames.loops : 1,
		.max_frames = LIMIT_POSES,
		.max_pixels = LIMIT_SEQUENCE_PIXELS,
		.max_bytes = LIMIT_REPLY_BYTES,
		.max_rate = LIMIT_FRAME_RATE_MAX,
	};
	work->sequence = renderer_sequence_create(context->renderer, &job, err);
	work->assistants = assistants_create(context->service->pools[EXECUTOR_RENDER]);
	return work->sequence || subject_name(&request->subject, err);
}

/* A map of the sheet, to be put into it. */
static const char *make_map(
	const struct request_context *context, const struct sequence_facts *facts) {
	const struct work *work = context->state;
	const struct sheet_map map = {
		.columns = facts->columns,
		.rows = facts->rows,
		.count = facts->count,
		.frame_width = work->request.picture.width,
		.frame_height = work->request.picture.height,
		.duration_s = 1 / facts->rate,
		.begins_s = facts->begins_s,
	};
	struct buffer text = {0};
	sheet_write_map(&map, &text);
	const char *map_json = arena_strndup(context->arena, (const char *)text.data, text.size);
	buffer_finish(&text);
	return map_json;
}

/* Makes the response out of the sequence. */
static bool answer_sequence(
	struct request_context *context, const struct sequence_facts *facts, struct error *err) {
	struct work *work = context->state;
	const struct sequence_piece whole = {.help = assistants_help(work->assistants)};
	if (work->format == sequence_format_named("sheet")) {
		const char *map = make_map(context, facts);
		renderer_sequence_set_map(work->sequence, map);
		if (work->map_alone) {
			buffer_append(&context->response.body, map, strlen(map));
			return true;
		}
	}
	// Nobody knows how many bytes there will be; of a picture a pixel mostly takes less than
	// one.
	const bool is_short = facts->pixels <= LIMIT_WHOLE_BYTES;
	return work->format->is_live ? begin_live(context, err)
		: is_short           ? draw(context, &whole, err)
				     : begin_stream(context, err);
}

static bool respond(struct request_context *context, struct error *err) {
	struct work *work = context->state;
	context->finish = finish;
	if (!context_load(context, err) ||
		!skinning_data_load_examples(context, &work->request.skinning, 1, err) ||
		!make_sequence(context, err)) {
		return false;
	}
	const struct sequence_facts facts = renderer_sequence_facts(work->sequence);
	context_header(context, "Posed-Frames", "%zu", facts.count);
	context_header(context, "Posed-Fps", "%.10g", facts.rate);
	return answer_sequence(context, &facts, err);
}

/* One text of each format: its name, media type or ending; the map of a sheet at the end. */
enum said { SAID_NAME, SAID_TYPE, SAID_ENDING };

static void list_formats(enum said what, const char *list[static MAX_FORMATS + 2]) {
	const char *const of_map[] = {SHEET_MAP_NAME, SHEET_MAP_TYPE, SHEET_MAP_ENDING};
	size_t i = 0;
	for (; i < MAX_FORMATS && sequence_format(i); i++) {
		const struct sequence_format *format = sequence_format(i);
		const char *const said[] = {format->name, format->media_type, format->ending};
		list[i] = said[what];
	}
	list[i] = of_map[what];
	list[i + 1] = NULL;
}

/* Takes the i-th of such a list. */
static void take_format(struct work *work, size_t i) {
	work->format = sequence_format(i);
	work->map_alone = !work->format;
	if (work->map_alone) {
		work->format = sequence_format_named("sheet");
	}
}

/* Takes the format that a text names; false and *known, the list, where there is none. */
static bool find_format(
	struct work *work, enum said what, const char *text, char *known, size_t size) {
	const char *list[MAX_FORMATS + 2];
	list_formats(what, list);
	for (size_t i = 0; list[i]; i++) {
		if (strcmp(list[i], text) == 0) {
			take_format(work, i);
			return true;
		}
	}
	value_list_names(list, known, size);
	return false;
}

static bool read_format(const struct value *named, struct work *work, struct error *err) {
	char known[KNOWN_BYTES];
	return !named || find_format(work, SAID_NAME, named->string, known, sizeof known) ||
		value_error(named, err, ERROR_INVALID_VALUE, "no format \"%.80s\"; there are: %s",
			named->string, known);
}

/* Makes the response one of the format that was named, or else the first that the client accepts.
 */
static bool choose_format(struct request_context *context, struct work *work, struct error *err) {
	const char *types[MAX_FORMATS + 2];
	const char *const named[] = {work->map_alone ? SHEET_MAP_TYPE
			: work->format               ? work->format->media_type
						     : NULL,
		NULL};
	list_formats(SAID_TYPE, types);
	const char *type = context_choose_type(context, work->format ? named : types, err);
	if (!type) {
		return false;
	}
	for (size_t i = 0; !work->format; i++) {
		if (types[i] == type) {
			take_format(work, i);
		}
	}
	if (work->format->content_type) {
		context->response.content_type = work->format->content_type;
	}
	return true;
}

/* body is the request, or NULL with *err filled. */
static bool begin(struct request_context *context, struct work *work, const struct value *body,
	struct error *err) {
	struct frames_request *request = &work->request;
	if (!body || !request_read_frames(body, context->arena, request, err) ||
		!read_format(request->format, work, err) || !choose_format(context, work, err) ||
		!subject_hold(context, &request->subject, err)) {
		return false;
	}
	skinning_data_continue(context, &request->skinning, 1, EXECUTOR_RENDER, respond, work);
	if (work->format->is_live) {
		// Its frames depend on how fast they were read.
		context->cache_control = "no-store";
	} else {
		context_is_known(context, context->hold.state);
	}
	return true;
}

bool api_frames(struct request_context *context, struct error *err) {
	struct work *work = arena_alloc(context->arena, 1, sizeof *work);
	return begin(context, work, context_json(context, err), err);
}

static bool read_ending(const char *ending, struct work *work, struct error *err) {
	char known[KNOWN_BYTES];
	return find_format(work, SAID_ENDING, ending, known, sizeof known) ||
		error_set(err, ERROR_UNKNOWN_ROUTE,
			"there is no \"frames.%.80s\"; it may end with: %s", ending, known);
}

bool api_frames_link(struct request_context *context, struct error *err) {
	struct work *work = arena_alloc(context->arena, 1, sizeof *work);
	return read_ending(context->item, work, err) &&
		begin(context, work,
			query_read_frames(context->arena, context->rig, context->parameters,
				context->parameter_count, err),
			err);
}
