// Answers as the tests of the caches make them.
#include "answers.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "cache/cached.h"
#include "http/request_context.h"
#include "store/hash.h"

void answer_tag(unsigned number, char tag[static TAG_BYTES]) {
	char text[HASH_TEXT_BYTES];
	hash_bytes(&number, sizeof number, text);
	snprintf(tag, TAG_BYTES, "\"%.32s\"", text);
}

static unsigned char byte_at(unsigned number, size_t i) {
	return (unsigned char)((number + 1) * 2654435761u >> 24 ^ i * 40503u >> 4);
}

struct cached *answer_make(unsigned number, size_t body_bytes) {
	char value[32];
	snprintf(value, sizeof value, "%u", number);
	const struct header headers[] = {{"ETag", value}, {"Posed-Layout", ""}};
	struct buffer body = {0};
	unsigned char *bytes = buffer_reserve(&body, body_bytes);
	for (size_t i = 0; i < body_bytes; i++) {
		bytes[i] = byte_at(number, i);
	}
	body.size = body_bytes;
	const struct cached_parts parts = {"application/x-test", headers, 2, &body};
	return cached_create(&parts);
}

bool answer_is(const struct cached *answer, unsigned number, size_t body_bytes) {
	char value[32];
	snprintf(value, sizeof value, "%u", number);
	bool same = strcmp(answer->content_type, "application/x-test") == 0 &&
		answer->header_count == 2 && strcmp(answer->headers[0].name, "ETag") == 0 &&
		strcmp(answer->headers[0].value, value) == 0 &&
		strcmp(answer->headers[1].name, "Posed-Layout") == 0 &&
		strcmp(answer->headers[1].value, "") == 0 && answer->body_bytes == body_bytes;
	for (size_t i = 0; same && i < body_bytes; i++) {
		same = answer->body[i] == byte_at(number, i);
	}
	return same;
}
