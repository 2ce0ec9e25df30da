/* Streams of vertices under way: their clocks, and what other requests ask and change of them.
 *
 * A stream has a clock of frames, numbered from 0 at an even rate, and a clock of its pose, which
 * runs at its own speed, also backwards, or stands still; within a range the pose goes round while
 * that clock runs on. Frames that are not read in time are left out; both clocks go on.
 *
 * Any thread, but for creating and destroying. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "stream.h"

struct stream_control;
struct arena;
struct request_context;
struct examples;
struct rig;
struct service;

/* A pose that a stream was given after it began, with the rigs that it names. */
struct stream_pose {
	struct arena *arena;            // owned; the expression lies in it
	const struct value *expression; // NULL = rest
	struct request_context *keeper; // holds those rigs; in the arena
};

void stream_pose_destroy(struct stream_pose *pose); // takes NULL

struct streams;

struct streams *streams_create(void);
void streams_destroy(struct streams *streams); // takes NULL; all are closed

/* One stream; the maker of its frames and the requests that read it each hold a reference. */
struct live_stream;

/* The owner of a new stream, and its subject. */
struct stream_params {
	const struct stream_request *request;
	const char *rig_name;
	struct rig *rig;           // a reference is added
	struct examples *examples; // likewise; NULL = none
	const char *owner;         // token's name; NULL = none
	uint64_t client;           // whose share
	int vertices;
};

/* False with ERROR_CLIENT_SHARE or ERROR_OVERLOADED when there are too many. */
struct live_stream *streams_open(
	struct streams *streams, const struct stream_params *params, struct error *err);

/* Ends it: no request finds it from here on. Takes NULL. */
void streams_close(struct streams *streams, struct live_stream *stream);

/* The stream of an id, if it is the owner's. Give it back. NULL with ERROR_UNKNOWN_STREAM. */
struct live_stream *streams_find(
	struct streams *streams, const char *id, const char *owner, struct error *err);
void streams_give_back(struct streams *streams, struct live_stream *stream);

/* Those that can be found. */
size_t streams_count(struct streams *streams);

/* Its rig, and the ways in which each moment is skinned. */
struct stream_subject {
	struct rig *rig;
	struct examples *examples;                                  // NULL = none
	struct skinning_settings skinnings[LIMIT_STREAM_SKINNINGS]; // [skinning_count]
	size_t skinning_count;
	int vertices; // of a frame
};

/* Borrowed from the stream; likewise its id. */
const struct stream_subject *stream_subject(const struct live_stream *stream);
const char *stream_id(const struct live_stream *stream);

/* Woken when stream_tick() has something else to say; borrowed from the stream. */
const struct stream_control *stream_control_of(const struct live_stream *stream);

void stream_read_state(
	struct streams *streams, struct live_stream *stream, struct stream_state *out);

/* The time that its pose's clock stands for when it is changed so. */
double stream_shown_after(
	struct streams *streams, struct live_stream *stream, const struct stream_patch *patch);

/* Changes it from the next frame on, which another frame rate makes due immediately at the
 * earliest; take_pose may be NULL. */
void stream_change(struct streams *streams, struct live_stream *stream,
	const struct stream_patch *patch, struct stream_pose *take_pose);

/* Lets it end now: no request finds it from here on. A client that takes nothing is cut off soon.
 */
void stream_stop(struct streams *streams, struct live_stream *stream);

/* The frame to be made now. */
struct stream_tick {
	bool ended;               // the last
	bool due;                 // a frame
	bool same;                // the pose is that of the frame before
	bool changed;             // it is the first of another pose
	double shown_s;           // time_s, or what it stands for within the range
	struct stream_pose *pose; // the caller's; NULL = as before
	uint32_t number;
	double time_s, since_s;
	double next_s; // when to ask again unless woken before; on clock_now_s()
	uint64_t dropped;
};

/* Looks at the clocks; for who makes the frames. */
void stream_tick(struct streams *streams, struct live_stream *stream, struct stream_tick *out);
