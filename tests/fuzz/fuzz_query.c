// Queries: "width=3&clip=Walk", percent-encoding and all, as each call that has one reads them.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "clip.h"
#include "fuzz.h"
#include "query.h"
#include "request.h"
#include "sequence.h"
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

static void read_frame(
	struct arena *arena, const struct query_parameter *parameters, size_t count) {
	struct frame_request request;
	struct error err = {0};
	char name[64];
	const struct value *body = query_read_frame(arena, "fox", parameters, count, &err);
	if (!body || !request_read_frame(body, &request, &err)) {
		assert(err.code != ERROR_NONE);
		query_parameter_name(err.pointer, name, sizeof name);
	}
}

static void read_frames(
	struct arena *arena, const struct query_parameter *parameters, size_t count) {
	struct frames_request request;
	struct error err = {0};
	const struct value *body = query_read_frames(arena, "fox", parameters, count, &err);
	assert((body && request_read_frames(body, arena, &request, &err)) ||
		err.code != ERROR_NONE);
}

static void read(struct arena *arena, const struct query_parameter *parameters, size_t count) {
	struct compatibility_query compatibility;
	struct clip_query clip;
	struct error err[2] = {0};
	read_frame(arena, parameters, count);
	read_frames(arena, parameters, count);
	if (query_read(arena, &compatibility_query_members, parameters, count, &compatibility,
		    &err[0])) {
		assert(compatibility.with && compatibility.source->kind == VALUE_STRING);
	} else {
		assert(err[0].code != ERROR_NONE);
	}
	if (clip_read_query(arena, parameters, count, &clip, &err[1])) {
		assert(clip.clip && isfinite(clip.rate) && clip.rate >= 0);
	} else {
		assert(err[1].code != ERROR_NONE);
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
