/* The response to a request, as its handler fills it. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "cache/cached.h"

struct request_context;

/* One step of handling a request. False with *err. */
typedef bool (*request_step)(struct request_context *context, struct error *err);

/* Set by other requests while a stream is sent. Any thread; zero is nothing. */
struct stream_control {
	atomic_bool wake;     // fill is to be called at once; cleared by fill
	_Atomic double cut_s; // when the connection is cut off, also in the middle of a piece, on
			      // clock_now_s(); 0 = never
};

/* The total of a stream whose length is unknown before it is made. */
#define RESPONSE_UNKNOWN_BYTES UINT64_MAX

/* A response too large to be held, made piece by piece while it is sent; or one that is made in
 * real time. Sending begins with its first bytes, before which the request waits as others
 * do. A stream whose first piece is its last is sent and cached like any whole response. */
struct response_stream {
	/* Appends the next piece to response.body, in the pool of the request's executor, which it
	 * may set for the piece after that; NULL = there is no stream. */
	request_step fill;
	bool done;            // set by fill: that was the last piece
	uint64_t total_bytes; // of all pieces, or RESPONSE_UNKNOWN_BYTES
	/* Set by fill: the next piece is not begun before this, on clock_now_s(), nor before the
	 * socket has taken all of this piece, so that nothing piles up before a client that reads
	 * slowly: fill may leave pieces out when it is called late. No thread is held meanwhile,
	 * and a piece may be empty. While service->stopping is set nothing waits: fill is to make
	 * its last piece. 0 = the next piece is made while this one is sent. */
	double not_before_s;
	const struct stream_control *control; // borrowed until context_finish(); NULL = none
};

/* Zero is 200 with an empty body. */
struct response {
	int status;               // 0 = 200
	const char *content_type; // NULL = no body
	struct buffer body;
	bool has_file; // the body is this file instead
	int file;      // descriptor; the response's
	size_t file_bytes;
	struct response_stream stream;
	struct header headers[MAX_HEADERS]; // strings constant or in the arena
	size_t header_count;
};
