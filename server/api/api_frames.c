// POST /v1/frames and GET /v1/rigs/{rig}/frames.{format}: sequences of pictures, sent while they
// are made where they are long.
#include <string.h>

#include "api/api.h"
#include "api/data_first.h"
#include "api/report.h"
#include "api/subject.h"
#include "base/clock.h"
#include "limits.h"
#include "metrics/metrics.h"
#include "renderer.h"
#include "sequence.h"
#include "sheet.h"
#include "work/assistants.h"

/* Formats that there are at most. */
#define MOST_FORMATS 16

/* Bytes of a list of them. */
#define KNOWN_BYTES 256

/* Seconds that a thread makes frames for one client before the next has its turn. */
#define TURN_S 0.1

struct work {
	struct frames_request request;
	const struct sequence_format *format; // NULL = it is yet to be chosen
	bool map_alone;                       // of its sheet the map is wanted
	struct reel *reel;                    // owned
	struct assistants *assistants;        // owned
	double begun_s; // when the first frame was due, where they keep to the clock
	size_t shown;   // frames that have been, or were left out
	bool described; // the headers are there
};

static void finish(struct call *call) {
	struct work *work = call->state;
	renderer_reel_destroy(work->reel);
	assistants_destroy(work->assistants);
	work->reel = NULL;
	work->assistants = NULL;
}

static bool draw(struct call *call, const struct reel_piece *piece, struct error *err) {
	struct work *work = call->state;
	struct skinning_report report;
	size_t frames;
	if (!renderer_reel_draw(call->renderer, work->reel, piece, &call->answer.body, &frames,
		    &call->answer.stream.done, &report, err)) {
		return false;
	}
	work->shown += frames;
	report_add(call, &report);
	metrics_count(call->service->metrics, METRICS_FRAMES_RENDERED, frames);
	if (!work->described) {
		report_set_header(call, &report);
		report_warn(call, call->hold.rig);
		work->described = true;
	}
	return true;
}

static bool fill(struct call *call, struct error *err) {
	const struct work *work = call->state;
	const struct reel_piece piece = {.bytes = LIMIT_PIECE_BYTES,
		.seconds = TURN_S,
		.help = assistants_help(work->assistants)};
	return draw(call, &piece, err);
}

/* One frame when its time has come. What should have been shown by now is left out. */
static bool fill_live(struct call *call, struct error *err) {
	struct work *work = call->state;
	const struct reel_piece piece = {.frames = 1};
	const double since_s = clock_now_s() - work->begun_s;
	size_t missed = 0;
	while (renderer_reel_begin_s(work->reel, work->shown + missed + 1) <= since_s) {
		missed++;
	}
	renderer_reel_skip(work->reel, missed);
	work->shown += missed;
	if (!draw(call, &piece, err)) {
		return false;
	}
	call->answer.stream.not_before_s =
		work->begun_s + renderer_reel_begin_s(work->reel, work->shown);
	call->answer.stream.done |= call->service->stopping;
	return true;
}

static bool begin_live(struct call *call, struct error *err) {
	struct work *work = call->state;
	work->begun_s = clock_now_s();
	call->answer.stream.fill = fill_live;
	call->answer.stream.total_bytes = ANSWER_UNKNOWN_BYTES;
	return fill_live(call, err);
}

static bool begin_stream(struct call *call, struct error *err) {
	call->answer.stream.fill = fill;
	call->answer.stream.total_bytes = ANSWER_UNKNOWN_BYTES;
	return fill(call, err);
}

static bool make_reel(struct call *call, struct error *err) {
	struct work *work = call->state;
	const struct frames_request *request = &work->request;
	const struct reel_job job = {
		.frame = {.rig = call->hold.rig,
			.sources = &call->sources,
			.skinning = request->skinning,
			.examples = call->hold.examples,
			.picture = request->picture,
			.stop = &call->stop},
		.poses = request->subject.poses,
		.pose_count = request->subject.count,
		.many = request->subject.many,
		.frames = request->frames,
		.format = work->format,
		.passes = work->format->is_live ? (size_t)request->frames.loops : 1,
		.most_frames = LIMIT_POSES,
		.most_pixels = LIMIT_SEQUENCE_PIXELS,
		.most_bytes = LIMIT_REPLY_BYTES,
		.most_rate = LIMIT_FRAME_RATE_MOST,
	};
	work->reel = renderer_reel_create(call->renderer, &job, err);
	work->assistants = assistants_create(call->service->pools[PLACE_RENDER]);
	return work->reel || subject_name(&request->subject, err);
}

/* A map of the sheet, to be put into it. */
static const char *make_map(const struct call *call, const struct reel_facts *facts) {
	const struct work *work = call->state;
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
	const char *kept = arena_strndup(call->arena, (const char *)text.data, text.size);
	buffer_finish(&text);
	return kept;
}

/* Makes the answer out of the reel. */
static bool answer_reel(struct call *call, const struct reel_facts *facts, struct error *err) {
	struct work *work = call->state;
	const struct reel_piece whole = {.help = assistants_help(work->assistants)};
	if (work->format == sequence_format_named("sheet")) {
		const char *map = make_map(call, facts);
		renderer_reel_set_map(work->reel, map);
		if (work->map_alone) {
			buffer_append(&call->answer.body, map, strlen(map));
			return true;
		}
	}
	// Nobody knows how many bytes there will be; of a picture a pixel mostly takes less than
	// one.
	const bool is_short = facts->pixels <= LIMIT_WHOLE_BYTES;
	return work->format->is_live ? begin_live(call, err)
		: is_short           ? draw(call, &whole, err)
				     : begin_stream(call, err);
}

static bool answer(struct call *call, struct error *err) {
	struct work *work = call->state;
	call->finish = finish;
	if (!call_load(call, err) ||
		!data_first_load_examples(call, &work->request.skinning, 1, err) ||
		!make_reel(call, err)) {
		return false;
	}
	const struct reel_facts facts = renderer_reel_facts(work->reel);
	call_header(call, "Posed-Frames", "%zu", facts.count);
	call_header(call, "Posed-Fps", "%.10g", facts.rate);
	return answer_reel(call, &facts, err);
}

/* What there is of each format, as name, media type or ending; the map of a sheet at the end. */
enum said { SAID_NAME, SAID_TYPE, SAID_ENDING };

static void list_formats(enum said what, const char *list[static MOST_FORMATS + 2]) {
	const char *const of_map[] = {SHEET_MAP_NAME, SHEET_MAP_TYPE, SHEET_MAP_ENDING};
	size_t i = 0;
	for (; i < MOST_FORMATS && sequence_format(i); i++) {
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
	const char *list[MOST_FORMATS + 2];
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

/* Makes the answer one of the format that was named, or else the first that the client accepts. */
static bool choose_format(struct call *call, struct work *work, struct error *err) {
	const char *types[MOST_FORMATS + 2];
	const char *const named[] = {work->map_alone ? SHEET_MAP_TYPE
			: work->format               ? work->format->media_type
						     : NULL,
		NULL};
	list_formats(SAID_TYPE, types);
	const char *type = call_choose_type(call, work->format ? named : types, err);
	if (!type) {
		return false;
	}
	for (size_t i = 0; !work->format; i++) {
		if (types[i] == type) {
			take_format(work, i);
		}
	}
	if (work->format->content_type) {
		call->answer.content_type = work->format->content_type;
	}
	return true;
}

/* body is the request, or NULL with *err filled. */
static bool begin(
	struct call *call, struct work *work, const struct value *body, struct error *err) {
	struct frames_request *request = &work->request;
	if (!body || !request_read_frames(body, call->arena, request, err) ||
		!read_format(request->format, work, err) || !choose_format(call, work, err) ||
		!subject_hold(call, &request->subject, err)) {
		return false;
	}
	data_first_continue(call, &request->skinning, 1, PLACE_RENDER, answer, work);
	if (work->format->is_live) {
		// Which frames it has depends on how fast they were read.
		call->cache_control = "no-store";
	} else {
		call_is_known(call, call->hold.state);
	}
	return true;
}

bool api_frames(struct call *call, struct error *err) {
	struct work *work = arena_alloc(call->arena, 1, sizeof *work);
	return begin(call, work, call_json(call, err), err);
}

static bool read_ending(const char *ending, struct work *work, struct error *err) {
	char known[KNOWN_BYTES];
	return find_format(work, SAID_ENDING, ending, known, sizeof known) ||
		error_set(err, ERROR_UNKNOWN_ROUTE,
			"there is no \"frames.%.80s\"; it may end with: %s", ending, known);
}

bool api_frames_link(struct call *call, struct error *err) {
	struct work *work = arena_alloc(call->arena, 1, sizeof *work);
	return read_ending(call->item, work, err) &&
		begin(call, work,
			query_read_frames(call->arena, call->rig, call->parameters,
				call->parameter_count, err),
			err);
}
