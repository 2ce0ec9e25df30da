// An answer as the HTTP library sends it: body, headers, CORS.
#include "http/exchange_send.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/report.h"
#include "base/clock.h"
#include "cache/cached.h"
#include "http/clients.h"
#include "http/exchange_work.h"
#include "http/http_loop.h"
#include "http/pace.h"
#include "http/range.h"
#include "problem.h"

/* Headers that a foreign page's script may read besides the few that it always may. */
#define EXPOSED \
	"Allow, Content-Range, ETag, Location, Posed-Bounds, Posed-Content, Posed-Depth, " \
	"Posed-Fps, Posed-Frames, Posed-Instances, Posed-Layout, Posed-Request-Id, Posed-Size, " \
	"Posed-Skinning, Posed-Stream, Posed-Vertices, Posed-Warning, Retry-After, Server-Timing"

/* Bytes of a long answer that the library takes at a time. */
#define BLOCK_BYTES 131072

/* Goes on to the piece of a stream that has been made. */
static void take_piece(struct exchange *exchange) {
	struct stream *stream = exchange->stream;
	struct answer *answer = &exchange->call.answer;
	buffer_finish(&stream->piece);
	stream->piece = answer->body;
	stream->piece_s = clock_now_s();
	stream->sent = 0;
	answer->body = (struct buffer){0};
	exchange->access.bytes += stream->piece.size;
}

/* Has the next piece made while this one is sent. From here on the call is the thread's. */
static void make_next(struct exchange *exchange) {
	const struct answer_stream *stream = &exchange->call.answer.stream;
	if (!stream->done && stream->not_before_s == 0) {
		exchange_refill(exchange);
	}
}

/* Suspends the connection until there is a next piece. */
static void starve(struct exchange *exchange) {
	exchange->stream->starved = true;
	MHD_suspend_connection(exchange->connection);
	if (!exchange->working) {
		pace_wait(exchange);
	}
}

/* The library's callback: more of a stream. */
static ssize_t read_stream(void *context, uint64_t position, char *out, size_t room) {
	(void)position;
	struct exchange *exchange = context;
	struct stream *stream = exchange->stream;
	if (stream->sent == stream->piece.size) {
		if (stream->failed) {
			return MHD_CONTENT_READER_END_WITH_ERROR;
		}
		const bool made = !exchange->working && exchange->call.answer.body.size > 0;
		if (!made && !exchange->working && exchange->call.answer.stream.done) {
			return MHD_CONTENT_READER_END_OF_STREAM;
		}
		if (!made) {
			starve(exchange);
			return 0;
		}
		take_piece(exchange);
		make_next(exchange);
	}
	const size_t left = stream->piece.size - stream->sent;
	const size_t count = left < room ? left : room;
	memcpy(out, stream->piece.data + stream->sent, count);
	stream->sent += count;
	return (ssize_t)count;
}

static struct MHD_Response *stream_response(struct exchange *exchange) {
	const uint64_t total = exchange->call.answer.stream.total_bytes;
	take_piece(exchange);
	return MHD_create_response_from_callback(
		total == ANSWER_UNKNOWN_BYTES ? MHD_SIZE_UNKNOWN : total, BLOCK_BYTES, read_stream,
		exchange, NULL);
}

static void release_shared(void *answer) {
	cached_release(answer);
}

static struct MHD_Response *shared_response(struct exchange *exchange, const struct range *range) {
	struct cached *shared = cached_retain(exchange->shared);
	exchange->access.bytes = range->bytes;
	return MHD_create_response_from_buffer_with_free_callback_cls(
		range->bytes, (void *)(shared->body + range->begin), release_shared, shared);
}

/* The response owns the body afterwards. */
static struct MHD_Response *body_response(struct exchange *exchange, struct buffer *take_body) {
	size_t size;
	unsigned char *body = buffer_steal(take_body, &size);
	exchange->access.bytes = size;
	if (size == 0) {
		free(body);
		return MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT);
	}
	return MHD_create_response_from_buffer_with_free_callback(size, body, free);
}

static struct MHD_Response *file_response(struct exchange *exchange) {
	struct answer *answer = &exchange->call.answer;
	answer->has_file = false;
	exchange->access.bytes = answer->file_bytes;
	return MHD_create_response_from_fd64(answer->file_bytes, answer->file);
}

static void add_cors(const struct exchange *exchange, struct MHD_Response *response) {
	const char *reader = exchange->reader;
	if (reader) {
		MHD_add_response_header(response, "Access-Control-Allow-Origin", reader);
		MHD_add_response_header(response, "Access-Control-Expose-Headers", EXPOSED);
		MHD_add_response_header(response, "Timing-Allow-Origin", reader);
	}
	if (origins_vary(&exchange->http->options.origins)) {
		MHD_add_response_header(response, MHD_HTTP_HEADER_VARY, "Origin");
	}
}

/* The headers of all answers. */
static void add_common(const struct exchange *exchange, struct MHD_Response *response) {
	MHD_add_response_header(response, "Posed-Request-Id", exchange->access.id);
	// What a stranger put here is never to be taken for a script or a page.
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	add_cors(exchange, response);
	// While stopping, connections are to go, too.
	if (exchange->closing || exchange->call.service->stopping) {
		MHD_add_response_header(response, "Connection", "close");
	}
}

/* How long the parts of the work took. */
static void add_timing(const struct exchange *exchange, struct MHD_Response *response) {
	char text[256];
	if (report_timing(&exchange->call, text, sizeof text)) {
		MHD_add_response_header(response, "Server-Timing", text);
	}
}

static void add_headers(struct MHD_Response *response, const char *content_type,
	const struct header *headers, size_t count) {
	if (content_type) {
		MHD_add_response_header(response, "Content-Type", content_type);
	}
	for (size_t i = 0; i < count; i++) {
		MHD_add_response_header(response, headers[i].name, headers[i].value);
	}
}

/* How caches may keep the answer: also one that is shared with calls that are kept otherwise. */
static void add_caching(const struct exchange *exchange, struct MHD_Response *response) {
	if (exchange->call.cache_control) {
		MHD_add_response_header(
			response, MHD_HTTP_HEADER_CACHE_CONTROL, exchange->call.cache_control);
	}
}

static enum MHD_Result queue(
	struct exchange *exchange, unsigned status, struct MHD_Response *response) {
	exchange->answer_s = clock_now_s();
	exchange->access.status = (int)status;
	if (strcmp(exchange->access.method, MHD_HTTP_METHOD_HEAD) == 0) {
		exchange->access.bytes = 0;
	}
	add_common(exchange, response);
	exchange->client->wire.without_length = status == MHD_HTTP_NOT_MODIFIED;
	const enum MHD_Result queued = MHD_queue_response(exchange->connection, status, response);
	MHD_destroy_response(response);
	return queued;
}

/* Beside the call, which a thread still has. */
static enum MHD_Result send_late(struct exchange *exchange) {
	static const struct header headers[] = {{"Cache-Control", "no-store"}};
	struct buffer body = {0};
	problem_write(exchange->late, false, &body);
	struct MHD_Response *response = body_response(exchange, &body);
	if (!response) {
		return MHD_NO;
	}
	add_headers(response, "application/problem+json", headers, 1);
	return queue(exchange, (unsigned)problem_status(exchange->late->code), response);
}

static const char *request_header(const struct exchange *exchange, const char *name) {
	return MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND, name);
}

/* What of the body the client asks for: only a GET can, and only of the answer that it has seen. */
static enum range_kind choose_range(const struct exchange *exchange, struct range *range) {
	const char *seen = request_header(exchange, MHD_HTTP_HEADER_IF_RANGE);
	if (strcmp(exchange->access.method, MHD_HTTP_METHOD_GET) != 0 ||
		(seen && strcmp(seen, exchange->call.etag) != 0)) {
		return RANGE_WHOLE;
	}
	return range_read(request_header(exchange, MHD_HTTP_HEADER_RANGE),
		exchange->shared->body_bytes, range);
}

/* Room for "bytes ", three numbers and what is between them. */
#define CONTENT_RANGE_BYTES 80

static enum MHD_Result send_outside(struct exchange *exchange) {
	const size_t size = exchange->shared->body_bytes;
	char whole[CONTENT_RANGE_BYTES];
	snprintf(whole, sizeof whole, "bytes */%zu", size);
	const struct header headers[] = {
		{MHD_HTTP_HEADER_CONTENT_RANGE, whole}, {"Cache-Control", "no-store"}};
	error_set(&exchange->err, ERROR_OUTSIDE_RANGE,
		"the answer has %zu bytes, none of which are in the Range that was asked for",
		size);
	struct buffer body = {0};
	problem_write(&exchange->err, false, &body);
	struct MHD_Response *response = body_response(exchange, &body);
	if (!response) {
		return MHD_NO;
	}
	add_headers(response, "application/problem+json", headers, 2);
	return queue(exchange, (unsigned)problem_status(exchange->err.code), response);
}

static void add_range(struct MHD_Response *response, const struct range *range, size_t size) {
	char text[CONTENT_RANGE_BYTES];
	snprintf(text, sizeof text, "bytes %zu-%zu/%zu", range->begin,
		range->begin + range->bytes - 1, size);
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_RANGE, text);
}

static enum MHD_Result send_shared(struct exchange *exchange) {
	const struct cached *shared = exchange->shared;
	struct range range = {.bytes = shared->body_bytes};
	const enum range_kind kind = choose_range(exchange, &range);
	if (kind == RANGE_OUTSIDE) {
		return send_outside(exchange);
	}
	struct MHD_Response *response = shared_response(exchange, &range);
	if (!response) {
		return MHD_NO;
	}
	add_timing(exchange, response);
	add_caching(exchange, response);
	add_headers(response, shared->content_type, shared->headers, shared->header_count);
	MHD_add_response_header(response, MHD_HTTP_HEADER_ACCEPT_RANGES, "bytes");
	if (kind == RANGE_PART) {
		add_range(response, &range, shared->body_bytes);
	}
	return queue(
		exchange, kind == RANGE_PART ? MHD_HTTP_PARTIAL_CONTENT : MHD_HTTP_OK, response);
}

static enum MHD_Result send_own(struct exchange *exchange) {
	struct answer *answer = &exchange->call.answer;
	struct MHD_Response *response = exchange->stream ? stream_response(exchange)
		: answer->has_file                       ? file_response(exchange)
							 : body_response(exchange, &answer->body);
	if (!response) {
		return MHD_NO;
	}
	add_timing(exchange, response);
	add_caching(exchange, response);
	add_headers(response, answer->content_type, answer->headers, answer->header_count);
	const unsigned status = answer->status ? (unsigned)answer->status : MHD_HTTP_OK;
	const enum MHD_Result queued = queue(exchange, status, response);
	if (exchange->stream && queued == MHD_YES) {
		make_next(exchange);
	}
	return queued;
}

enum MHD_Result exchange_send(struct exchange *exchange) {
	return exchange->late      ? send_late(exchange)
		: exchange->shared ? send_shared(exchange)
				   : send_own(exchange);
}
