// A response as the HTTP library sends it: body, headers, CORS.
#include "http/transaction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cache/cached.h"
#include "http/loop.h"
#include "http/precondition.h"
#include "problem.h"

/* Headers that a foreign page's script may read besides the few that it always may. */
#define EXPOSED \
	"Allow, Content-Range, ETag, Location, Posed-Bounds, Posed-Content, Posed-Depth, " \
	"Posed-Error, Posed-Exposure, Posed-Fps, Posed-Frames, Posed-Instances, Posed-Layout, " \
	"Posed-Request-Id, Posed-Size, Posed-Skinning, Posed-Stream, Posed-Vertices, " \
	"Posed-Warning, Retry-After, Server-Timing"

/* Bytes of a long response that the library takes at a time. */
#define BLOCK_BYTES 131072

/* Goes on to the piece of a stream that has been made. */
static void take_piece(struct transaction *transaction) {
	struct stream *stream = transaction->stream;
	struct response *response = &transaction->context.response;
	buffer_finish(&stream->piece);
	stream->piece = response->body;
	stream->piece_s = clock_now_s();
	stream->sent = 0;
	response->body = (struct buffer){0};
	transaction->access.bytes += stream->piece.size;
}

/* Has the next piece made while this one is sent. From here on the request is the thread's. */
static void make_next(struct transaction *transaction) {
	const struct response_stream *stream = &transaction->context.response.stream;
	if (!stream->done && stream->not_before_s == 0) {
		transaction_fill(transaction);
	}
}

/* Takes the next piece of a stream, if it is made; else the connection waits for it. Returns 1, or
 * what the library's callback is to return. */
static ssize_t next_piece(struct transaction *transaction) {
	if (transaction->state == TRANSACTION_BROKEN) {
		return MHD_CONTENT_READER_END_WITH_ERROR;
	}
	if (transaction->state == TRANSACTION_FILLING) {
		transaction_enter(transaction, TRANSACTION_STARVED);
		return 0;
	}
	const struct response *response = &transaction->context.response;
	if (response->body.size > 0) {
		take_piece(transaction);
		make_next(transaction);
		return 1;
	}
	if (response->stream.done) {
		return MHD_CONTENT_READER_END_OF_STREAM;
	}
	transaction_enter(transaction, TRANSACTION_TIMED);
	return 0;
}

/* The library's callback: more of a stream. */
static ssize_t read_stream(void *context, uint64_t position, char *out, size_t room) {
	(void)position;
	struct transaction *transaction = context;
	struct stream *stream = transaction->stream;
	if (stream->sent == stream->piece.size) {
		const ssize_t got = next_piece(transaction);
		if (got != 1) {
			return got;
		}
	}
	const size_t left = stream->piece.size - stream->sent;
	const size_t count = left < room ? left : room;
	memcpy(out, stream->piece.data + stream->sent, count);
	stream->sent += count;
	return (ssize_t)count;
}

static struct MHD_Response *stream_response(struct transaction *transaction) {
	const uint64_t total = transaction->context.response.stream.total_bytes;
	take_piece(transaction);
	return MHD_create_response_from_callback(
		total == RESPONSE_UNKNOWN_BYTES ? MHD_SIZE_UNKNOWN : total, BLOCK_BYTES,
		read_stream, transaction, NULL);
}

static void release_shared(void *message) {
	cached_release(message);
}

static struct MHD_Response *shared_response(
	struct transaction *transaction, const struct range *range) {
	struct cached *shared = cached_retain(transaction->shared);
	transaction->access.bytes = range->bytes;
	return MHD_create_response_from_buffer_with_free_callback_cls(
		range->bytes, (void *)(shared->body + range->begin), release_shared, shared);
}

/* The response owns the body afterwards. */
static struct MHD_Response *body_response(
	struct transaction *transaction, struct buffer *take_body) {
	size_t size;
	unsigned char *body = buffer_steal(take_body, &size);
	transaction->access.bytes = size;
	if (size == 0) {
		free(body);
		return MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT);
	}
	return MHD_create_response_from_buffer_with_free_callback(size, body, free);
}

static struct MHD_Response *file_response(struct transaction *transaction) {
	struct response *response = &transaction->context.response;
	response->has_file = false;
	transaction->access.bytes = response->file_bytes;
	return MHD_create_response_from_fd64(response->file_bytes, response->file);
}

static void add_cors(const struct transaction *transaction, struct MHD_Response *message) {
	const char *reader = transaction->reader;
	if (reader) {
		MHD_add_response_header(message, "Access-Control-Allow-Origin", reader);
		MHD_add_response_header(message, "Access-Control-Expose-Headers", EXPOSED);
		MHD_add_response_header(message, "Timing-Allow-Origin", reader);
	}
	if (origins_vary(&transaction->http->options.origins)) {
		MHD_add_response_header(message, MHD_HTTP_HEADER_VARY, "Origin");
	}
}

/* The headers of all responses. */
static void add_common(const struct transaction *transaction, struct MHD_Response *message) {
	MHD_add_response_header(message, "Posed-Request-Id", transaction->access.id);
	// A stranger's upload must never be taken for a script or a page.
	MHD_add_response_header(message, "X-Content-Type-Options", "nosniff");
	add_cors(transaction, message);
	// While stopping, connections are to go, too.
	if (transaction->closes || transaction->context.service->stopping) {
		MHD_add_response_header(message, "Connection", "close");
	}
}

/* Adds the times that the parts of the work took, "queue;dur=0.1, draw;dur=2.5" in milliseconds. */
static void add_timing(const struct transaction *transaction, struct MHD_Response *message) {
	static const char *const names[SPAN_COUNT] = {
		[SPAN_QUEUE] = "queue",
		[SPAN_LOAD] = "load",
		[SPAN_POSE] = "pose",
		[SPAN_SKIN] = "skin",
		[SPAN_DRAW] = "draw",
		[SPAN_READ] = "read",
		[SPAN_CHECK] = "check",
		[SPAN_ENCODE] = "encode",
	};
	char text[256] = "";
	for (size_t i = 0; i < SPAN_COUNT; i++) {
		const size_t used = strlen(text);
		if (transaction->context.spans_s[i] > 0) {
			const unsigned long us =
				(unsigned long)(transaction->context.spans_s[i] * 1e6 + 0.5);
			// In whole numbers, which printf writes faster than fractions.
			snprintf(text + used, sizeof text - used, "%s%s;dur=%lu.%03lu",
				used ? ", " : "", names[i], us / 1000, us % 1000);
		}
	}
	if (*text) {
		MHD_add_response_header(message, "Server-Timing", text);
	}
}

static void add_headers(struct MHD_Response *message, const char *content_type,
	const struct header *headers, size_t count) {
	if (content_type) {
		MHD_add_response_header(message, "Content-Type", content_type);
	}
	for (size_t i = 0; i < count; i++) {
		MHD_add_response_header(message, headers[i].name, headers[i].value);
	}
}

/* Cache-Control is the request's, also where the response is shared. */
static void add_caching(const struct transaction *transaction, struct MHD_Response *message) {
	if (transaction->context.cache_control) {
		MHD_add_response_header(
			message, MHD_HTTP_HEADER_CACHE_CONTROL, transaction->context.cache_control);
	}
}

static enum MHD_Result queue(
	struct transaction *transaction, unsigned status, struct MHD_Response *message) {
	transaction->response_s = clock_now_s();
	transaction->access.status = (int)status;
	if (strcmp(transaction->access.method, MHD_HTTP_METHOD_HEAD) == 0) {
		transaction->access.bytes = 0;
	}
	add_common(transaction, message);
	transaction->connection->wire.without_length = status == MHD_HTTP_NOT_MODIFIED;
	const enum MHD_Result queued = MHD_queue_response(transaction->library, status, message);
	MHD_destroy_response(message);
	return queued;
}

/* Beside the request, which a thread still has. */
static enum MHD_Result send_overdue(struct transaction *transaction) {
	static const struct header headers[] = {{"Cache-Control", "no-store"}};
	struct buffer body = {0};
	problem_write(transaction->overdue, false, &body);
	struct MHD_Response *message = body_response(transaction, &body);
	if (!message) {
		return MHD_NO;
	}
	add_headers(message, "application/problem+json", headers, 1);
	return queue(transaction, (unsigned)problem_status(transaction->overdue->code), message);
}

static const char *request_header(const struct transaction *transaction, const char *name) {
	return MHD_lookup_connection_value(transaction->library, MHD_HEADER_KIND, name);
}

/* The range that the client requests: only a GET can, and only of the response that it has seen. */
static enum range_kind choose_range(const struct transaction *transaction, struct range *range) {
	const char *seen = request_header(transaction, MHD_HTTP_HEADER_IF_RANGE);
	if (strcmp(transaction->access.method, MHD_HTTP_METHOD_GET) != 0 ||
		(seen && strcmp(seen, transaction->context.etag) != 0)) {
		return RANGE_WHOLE;
	}
	return range_read(request_header(transaction, MHD_HTTP_HEADER_RANGE),
		transaction->shared->body_bytes, range);
}

/* Room for "bytes ", three numbers and what is between them. */
#define CONTENT_RANGE_BYTES 80

static enum MHD_Result send_outside(struct transaction *transaction) {
	const size_t size = transaction->shared->body_bytes;
	char whole[CONTENT_RANGE_BYTES];
	snprintf(whole, sizeof whole, "bytes */%zu", size);
	const struct header headers[] = {
		{MHD_HTTP_HEADER_CONTENT_RANGE, whole}, {"Cache-Control", "no-store"}};
	error_set(&transaction->err, ERROR_OUTSIDE_RANGE,
		"the response has %zu bytes, and the requested Range is outside of them", size);
	struct buffer body = {0};
	problem_write(&transaction->err, false, &body);
	struct MHD_Response *message = body_response(transaction, &body);
	if (!message) {
		return MHD_NO;
	}
	add_headers(message, "application/problem+json", headers, 2);
	return queue(transaction, (unsigned)problem_status(transaction->err.code), message);
}

static void add_range(struct MHD_Response *message, const struct range *range, size_t size) {
	char text[CONTENT_RANGE_BYTES];
	snprintf(text, sizeof text, "bytes %zu-%zu/%zu", range->begin,
		range->begin + range->bytes - 1, size);
	MHD_add_response_header(message, MHD_HTTP_HEADER_CONTENT_RANGE, text);
}

static enum MHD_Result send_shared(struct transaction *transaction) {
	const struct cached *shared = transaction->shared;
	struct range range = {.bytes = shared->body_bytes};
	const enum range_kind kind = choose_range(transaction, &range);
	if (kind == RANGE_OUTSIDE) {
		return send_outside(transaction);
	}
	struct MHD_Response *message = shared_response(transaction, &range);
	if (!message) {
		return MHD_NO;
	}
	add_timing(transaction, message);
	add_caching(transaction, message);
	add_headers(message, shared->content_type, shared->headers, shared->header_count);
	MHD_add_response_header(message, MHD_HTTP_HEADER_ACCEPT_RANGES, "bytes");
	if (kind == RANGE_PART) {
		add_range(message, &range, shared->body_bytes);
	}
	return queue(
		transaction, kind == RANGE_PART ? MHD_HTTP_PARTIAL_CONTENT : MHD_HTTP_OK, message);
}

static enum MHD_Result send_own(struct transaction *transaction) {
	struct response *response = &transaction->context.response;
	struct MHD_Response *message = transaction->stream ? stream_response(transaction)
		: response->has_file                       ? file_response(transaction)
				     : body_response(transaction, &response->body);
	if (!message) {
		return MHD_NO;
	}
	add_timing(transaction, message);
	add_caching(transaction, message);
	add_headers(message, response->content_type, response->headers, response->header_count);
	const unsigned status = response->status ? (unsigned)response->status : MHD_HTTP_OK;
	const enum MHD_Result queued = queue(transaction, status, message);
	if (transaction->stream && queued == MHD_YES) {
		make_next(transaction);
	}
	return queued;
}

enum MHD_Result transaction_send(struct transaction *transaction) {
	return transaction->overdue   ? send_overdue(transaction)
		: transaction->shared ? send_shared(transaction)
				      : send_own(transaction);
}
