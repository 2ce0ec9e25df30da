// Queries of GET frame.png: "width=3&clip=Walk", percent-encoding and all.
#include <assert.h>
#include <string.h>

#include "fuzz.h"
#include "query.h"
#include "request.h"
#include "url_text.h"

#define SIZE_MAX_BYTES ((size_t)1 << 12)
#define PARAMETERS_MAX 64

/* Undoes the encoding of one name=value; false as the server refuses it. */
static bool split(
	struct arena *arena, const char *text, size_t length, struct query_parameter *parameter) {
	const char *equals = memchr(text, '=', length);
	const size_t name = equals ? (size_t)(equals - text) : length;
	parameter->name = url_decode(arena, text, name);
	parameter->value = equals ? url_decode(arena, equals + 1, length - name - 1) : "";
	return parameter->name && parameter->value;
}

static void read(struct arena *arena, const struct query_parameter *parameters, size_t count) {
	struct frame_request request;
	struct error err = {0};
	char name[64];
	const struct value *body = query_read_frame(arena, "fox", parameters, count, &err);
	if (!body || !request_read_frame(body, &request, &err)) {
		assert(err.code != ERROR_NONE);
		query_parameter_name(err.pointer, name, sizeof name);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct query_parameter parameters[PARAMETERS_MAX];
	size_t count = 0;
	if (size > SIZE_MAX_BYTES) {
		return 0;
	}
	struct arena *arena = arena_create();
	bool sound = true;
	for (size_t at = 0; sound && at < size && count < PARAMETERS_MAX; count++) {
		const char *text = (const char *)data + at;
		const char *end = memchr(text, '&', size - at);
		const size_t length = end ? (size_t)(end - text) : size - at;
		sound = split(arena, text, length, &parameters[count]);
		at += length + 1;
	}
	if (sound) {
		read(arena, parameters, count);
	}
	arena_destroy(arena);
	return 0;
}
