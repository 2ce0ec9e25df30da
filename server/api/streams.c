// Streams of vertices under way, and their clocks.
#include "api/streams.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/memory.h"
#include "http/request_context.h"
#include "limits.h"
#include "model/examples.h"
#include "model/rig.h"

/* An id is so many random bytes: who does not know it does not find the stream. */
#define ID_BYTES 16

/* Seconds after which a stream that stands still says that it lives. */
#define SIGN_OF_LIFE_S 1.0

/* Seconds that a client has for what was made before its stream was ended. */
#define LAST_WORDS_S 3.0

/* Share of a frame by which a clock may be early, so that rounding costs no frame. */
#define EARLY 1e-3

struct live_stream {
	char id[2 * ID_BYTES + 1];
	char *rig_name, *owner;        // owned
	struct arena *arena;           // owned; the subject's settings lie in it
	struct stream_subject subject; // with references
	uint64_t client;
	double duration_s; // 0 = without end
	struct stream_control control;

	/* Under streams->mutex. */
	size_t uses;
	bool listed;   // it is in streams->open
	bool stopping; // told to end
	double fps, speed;
	struct stream_range range;
	bool paused;
	double began_s;  // 0 = no frame so far
	double origin_s; // when frame `origin` was due, and those behind it at fps
	uint64_t origin;
	double pose_s, pose_from_s;               // the pose's clock at a moment
	bool jumps;                               // that moment is the next frame's
	uint64_t last;                            // frame looked at
	double last_time_s, last_shown_s, sent_s; // of the last frame made
	uint64_t frames, dropped;
	bool changed;
	struct stream_pose *pose; // from the next frame on; owned; NULL = as before
	LIST_ENTRY(live_stream) of_open;
};

struct streams {
	pthread_mutex_t mutex;
	LIST_HEAD(, live_stream) open;
	size_t count;
};

void stream_pose_destroy(struct stream_pose *pose) {
	if (pose) {
		context_finish(pose->keeper);
		arena_destroy(pose->arena);
		free(pose);
	}
}

struct streams *streams_create(void) {
	struct streams *streams = xcalloc(1, sizeof *streams);
	pthread_mutex_init(&streams->mutex, NULL);
	return streams;
}

void streams_destroy(struct streams *streams) {
	if (streams) {
		pthread_mutex_destroy(&streams->mutex);
		free(streams);
	}
}

static void destroy(struct live_stream *stream) {
	stream_pose_destroy(stream->pose);
	rig_release(stream->subject.rig);
	examples_release(stream->subject.examples);
	arena_destroy(stream->arena);
	free(stream->rig_name);
	free(stream->owner);
	free(stream);
}

static bool make_id(char id[static 2 * ID_BYTES + 1], struct error *err) {
	unsigned char bytes[ID_BYTES];
	if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) {
		return error_set(err, ERROR_INTERNAL, "getrandom fails");
	}
	for (size_t i = 0; i < sizeof bytes; i++) {
		snprintf(id + 2 * i, 3, "%02x", bytes[i]);
	}
	return true;
}

/* Checks that there may be one more. Under the mutex. */
static bool check_room(const struct streams *streams, uint64_t client, struct error *err) {
	size_t own = 0;
	const struct live_stream *stream;
	LIST_FOREACH(stream, &streams->open, of_open) {
		own += stream->client == client;
	}
	if (own >= LIMIT_CLIENT_STREAMS) {
		return error_set(err, ERROR_CLIENT_SHARE,
			"this client has %zu streams open, may have %d", own, LIMIT_CLIENT_STREAMS);
	}
	return streams->count < LIMIT_STREAMS ||
		error_set(err, ERROR_OVERLOADED, "%d streams are open, more are not served",
			LIMIT_STREAMS);
}

/* The request goes when its frames do, and others may look at the stream for longer. */
static void keep_subject(const struct stream_params *params, struct live_stream *stream) {
	const struct stream_request *request = params->request;
	struct stream_subject *subject = &stream->subject;
	stream->arena = arena_create();
	subject->rig = rig_retain(params->rig);
	subject->examples = params->examples ? examples_retain(params->examples) : NULL;
	subject->vertices = params->vertices;
	subject->skinning_count = request->skinning_count;
	for (size_t i = 0; i < request->skinning_count; i++) {
		request_copy_skinning(
			request->skinning_places[i], stream->arena, &subject->skinnings[i]);
	}
}

struct live_stream *streams_open(
	struct streams *streams, const struct stream_params *params, struct error *err) {
	const struct stream_request *request = params->request;
	struct live_stream *stream = xcalloc(1, sizeof *stream);
	keep_subject(params, stream);
	stream->rig_name = xstrndup(params->rig_name, strlen(params->rig_name));
	stream->owner = params->owner ? xstrndup(params->owner, strlen(params->owner)) : NULL;
	stream->client = params->client;
	stream->duration_s = request->duration_s;
	stream->fps = request->fps;
	stream->speed = request->speed;
	stream->range = request->range;
	stream->paused = request->paused;
	stream->pose_s = request->time_s;
	stream->jumps = true;
	stream->uses = 1;
	pthread_mutex_lock(&streams->mutex);
	const bool ok = check_room(streams, params->client, err) && make_id(stream->id, err);
	if (ok) {
		stream->listed = true;
		LIST_INSERT_HEAD(&streams->open, stream, of_open);
		streams->count++;
	}
	pthread_mutex_unlock(&streams->mutex);
	if (!ok) {
		destroy(stream);
		return NULL;
	}
	return stream;
}

/* Under the mutex. Nobody finds it any more. */
static void hide(struct streams *streams, struct live_stream *stream) {
	if (!stream->listed) {
		return;
	}
	stream->listed = false;
	LIST_REMOVE(stream, of_open);
	streams->count--;
}

/* Under the mutex. Whether the last use is gone. */
static bool leave(struct live_stream *stream) {
	return --stream->uses == 0;
}

void streams_close(struct streams *streams, struct live_stream *stream) {
	if (!stream) {
		return;
	}
	pthread_mutex_lock(&streams->mutex);
	hide(streams, stream);
	const bool last = leave(stream);
	pthread_mutex_unlock(&streams->mutex);
	if (last) {
		destroy(stream);
	}
}

static bool is_owner(const struct live_stream *stream, const char *owner) {
	return stream->owner ? owner && strcmp(stream->owner, owner) == 0 : !owner;
}

struct live_stream *streams_find(
	struct streams *streams, const char *id, const char *owner, struct error *err) {
	pthread_mutex_lock(&streams->mutex);
	struct live_stream *stream;
	LIST_FOREACH(stream, &streams->open, of_open) {
		if (strcmp(stream->id, id) == 0 && is_owner(stream, owner)) {
			break;
		}
	}
	if (stream) {
		stream->uses++;
	}
	pthread_mutex_unlock(&streams->mutex);
	if (!stream) {
		error_set(err, ERROR_UNKNOWN_STREAM,
			"no stream \"%.40s\": it has ended, or is another client's", id);
	}
	return stream;
}

void streams_give_back(struct streams *streams, struct live_stream *stream) {
	pthread_mutex_lock(&streams->mutex);
	const bool last = leave(stream);
	pthread_mutex_unlock(&streams->mutex);
	if (last) {
		destroy(stream);
	}
}

size_t streams_count(struct streams *streams) {
	pthread_mutex_lock(&streams->mutex);
	const size_t count = streams->count;
	pthread_mutex_unlock(&streams->mutex);
	return count;
}

const struct stream_subject *stream_subject(const struct live_stream *stream) {
	return &stream->subject;
}

const char *stream_id(const struct live_stream *stream) {
	return stream->id;
}

const struct stream_control *stream_control_of(const struct live_stream *stream) {
	return &stream->control;
}

void stream_read_state(
	struct streams *streams, struct live_stream *stream, struct stream_state *out) {
	pthread_mutex_lock(&streams->mutex);
	*out = (struct stream_state){
		.id = stream->id,
		.rig = stream->rig_name,
		.fps = stream->fps,
		.speed = stream->speed,
		.time_s = stream->last_time_s,
		.range = stream->range,
		.paused = stream->paused,
		.frames = stream->frames,
		.dropped = stream->dropped,
		.vertices = stream->subject.vertices,
	};
	pthread_mutex_unlock(&streams->mutex);
}

/* The time at which a frame is due. */
static double due_s(const struct live_stream *stream, uint64_t number) {
	return stream->origin_s + (double)(number - stream->origin) / stream->fps;
}

/* The pose's clock at a moment. */
static double pose_time_s(const struct live_stream *stream, double moment_s) {
	const double passed_s = fmax(0, moment_s - stream->pose_from_s);
	return stream->paused || stream->jumps ? stream->pose_s
					       : stream->pose_s + passed_s * stream->speed;
}

/* The time that the pose's clock stands for. */
static double shown_time_s(const struct stream_range *range, double time_s) {
	const double length_s = range->to_s - range->from_s;
	return length_s > 0
		? range->from_s + loop_time(range->loop, time_s - range->from_s, length_s)
		: time_s;
}

double stream_shown_after(
	struct streams *streams, struct live_stream *stream, const struct stream_patch *patch) {
	pthread_mutex_lock(&streams->mutex);
	const struct stream_range range = patch->range_source ? patch->range : stream->range;
	const double time_s =
		patch->time_source ? patch->time_s : pose_time_s(stream, clock_now_s());
	pthread_mutex_unlock(&streams->mutex);
	return shown_time_s(&range, time_s);
}

/* The frame that is due at a moment, counting those that are left out. */
static uint64_t find_frame(const struct live_stream *stream, double now_s) {
	const double frames = (now_s - stream->origin_s) * stream->fps + EARLY;
	return stream->origin + (frames > 0 ? (uint64_t)frames : 0);
}

/* Sets the frame rate; the next frame is due now at the earliest. */
static void set_frame_rate(struct live_stream *stream, double fps, double now_s) {
	if (stream->began_s > 0) {
		const uint64_t present = find_frame(stream, now_s);
		stream->origin_s = fmax(due_s(stream, present), now_s - 1 / fps);
		stream->origin = present;
	}
	stream->fps = fps;
	atomic_store(&stream->control.wake, true);
}

/* Under the mutex. */
static void change(struct live_stream *stream, const struct stream_patch *patch) {
	const double now_s = clock_now_s();
	if (patch->speed_source || patch->paused_source || patch->time_source) {
		stream->pose_s = pose_time_s(stream, now_s);
		stream->pose_from_s = now_s;
	}
	if (patch->time_source) {
		stream->pose_s = patch->time_s;
		stream->jumps = true;
	}
	stream->speed = patch->speed_source ? patch->speed : stream->speed;
	stream->range = patch->range_source ? patch->range : stream->range;
	stream->paused = patch->paused_source ? patch->paused : stream->paused;
	if (patch->fps_source) {
		set_frame_rate(stream, patch->fps, now_s);
	}
}

void stream_change(struct streams *streams, struct live_stream *stream,
	const struct stream_patch *patch, struct stream_pose *take_pose) {
	pthread_mutex_lock(&streams->mutex);
	change(stream, patch);
	struct stream_pose *before = take_pose ? stream->pose : NULL;
	if (take_pose) {
		stream->pose = take_pose;
		stream->changed = true;
	}
	pthread_mutex_unlock(&streams->mutex);
	stream_pose_destroy(before);
}

void stream_stop(struct streams *streams, struct live_stream *stream) {
	pthread_mutex_lock(&streams->mutex);
	hide(streams, stream);
	stream->stopping = true;
	atomic_store(&stream->control.wake, true);
	atomic_store(&stream->control.cut_s, clock_now_s() + LAST_WORDS_S);
	pthread_mutex_unlock(&streams->mutex);
}

/* A frame is to be made, unless it would be what the client has. */
static void take_frame(struct live_stream *stream, double now_s, struct stream_tick *out) {
	const double moment_s = due_s(stream, (uint64_t)out->number);
	out->time_s = pose_time_s(stream, moment_s);
	if (stream->jumps) {
		stream->jumps = false;
		stream->pose_from_s = moment_s;
	}
	out->shown_s = shown_time_s(&stream->range, out->time_s);
	out->same = stream->frames > 0 && !stream->changed && out->shown_s == stream->last_shown_s;
	out->due = !out->same || now_s - stream->sent_s >= SIGN_OF_LIFE_S;
	if (out->due) {
		out->changed = stream->changed;
		out->pose = stream->pose;
		stream->pose = NULL;
		stream->changed = false;
		stream->last_time_s = out->time_s;
		stream->last_shown_s = out->shown_s;
		stream->sent_s = now_s;
		stream->frames++;
	}
}

/* The time at which it ends by itself. */
static double end_s(const struct live_stream *stream) {
	return stream->duration_s > 0 ? stream->began_s + stream->duration_s : INFINITY;
}

void stream_tick(struct streams *streams, struct live_stream *stream, struct stream_tick *out) {
	const double now_s = clock_now_s();
	pthread_mutex_lock(&streams->mutex);
	atomic_store(&stream->control.wake, false);
	const bool first = stream->began_s == 0;
	if (first) {
		stream->began_s = stream->origin_s = now_s;
	}
	const uint64_t number = find_frame(stream, now_s);
	*out = (struct stream_tick){.number = (uint32_t)number, .since_s = now_s - stream->began_s};
	// A frame that may come a little early, too, has to be due before the end.
	out->ended = stream->stopping ||
		(!first &&
			fmax(now_s, due_s(stream, number)) > end_s(stream) - EARLY / stream->fps);
	out->time_s = stream->last_time_s;
	if (!out->ended && (first || number > stream->last)) {
		out->dropped = first ? 0 : number - stream->last - 1;
		stream->dropped += out->dropped;
		stream->last = number;
		take_frame(stream, now_s, out);
	}
	out->next_s = fmin(due_s(stream, stream->last + 1), end_s(stream));
	pthread_mutex_unlock(&streams->mutex);
}
