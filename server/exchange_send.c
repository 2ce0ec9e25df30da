// An answer as the HTTP library sends it: body, headers, CORS.
#include <stdlib.h>
#include <string.h>

#include "http_internal.h"

/* Headers that a foreign page's script may read besides the few that it always may. */
#define EXPOSED \
	"Allow, ETag, Location, Posed-Frames, Posed-Layout, Posed-Request-Id, Posed-Skinning, " \
	"Posed-Vertices, Retry-After"

/* The response owns the body afterwards; the answer has none left. */
static struct MHD_Response *make_response(struct answer *answer) {
	if (answer->has_file) {
		answer->has_file = false;
		return MHD_create_response_from_fd64(answer->file_bytes, answer->file);
	}
	size_t size;
	unsigned char *body = buffer_steal(&answer->body, &size);
	if (size == 0) {
		free(body);
		return MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT);
	}
	return MHD_create_response_from_buffer_with_free_callback(size, body, free);
}

static void add_cors(const struct exchange *exchange, struct MHD_Response *response) {
	MHD_add_response_header(
		response, "Access-Control-Allow-Origin", exchange->http->options.cors_origin);
	MHD_add_response_header(response, "Access-Control-Expose-Headers", EXPOSED);
}

static void add_headers(const struct exchange *exchange, struct MHD_Response *response) {
	const struct answer *answer = &exchange->call.answer;
	MHD_add_response_header(response, "Posed-Request-Id", exchange->access.id);
	// What a stranger put here is never to be taken for a script or a page.
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	if (answer->content_type) {
		MHD_add_response_header(response, "Content-Type", answer->content_type);
	}
	for (size_t i = 0; i < answer->header_count; i++) {
		MHD_add_response_header(
			response, answer->headers[i].name, answer->headers[i].value);
	}
	add_cors(exchange, response);
	// While stopping, connections are to go, too.
	if (exchange->closing || exchange->call.service->stopping) {
		MHD_add_response_header(response, "Connection", "close");
	}
}

enum MHD_Result exchange_send(struct exchange *exchange) {
	struct answer *answer = &exchange->call.answer;
	access_answer(&exchange->access, answer);
	struct MHD_Response *response = make_response(answer);
	if (!response) {
		return MHD_NO;
	}
	add_headers(exchange, response);
	const unsigned status = answer->status ? (unsigned)answer->status : MHD_HTTP_OK;
	const enum MHD_Result queued = MHD_queue_response(exchange->connection, status, response);
	MHD_destroy_response(response);
	return queued;
}
