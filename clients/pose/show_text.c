// Pictures as text in escape sequences: Kitty's and iTerm2's.
#include <nettle/base64.h>
#include <stdio.h>
#include <string.h>

#include "show_ways.h"

/* Base64 of one piece for Kitty. */
#define PIECE_BYTES ((size_t)4096)

static void append_text(struct buffer *out, const char *text) {
	buffer_append(out, text, strlen(text));
}

static void append_base64(const struct buffer *bytes, struct buffer *out) {
	const size_t length = BASE64_ENCODE_RAW_LENGTH(bytes->size);
	base64_encode_raw((char *)buffer_reserve(out, length), bytes->size, bytes->data);
	out->size += length;
}

bool show_kitty(const struct buffer *picture, struct buffer *out) {
	if (picture->size < 4 || memcmp(picture->data, "\x89PNG", 4) != 0) {
		fprintf(stderr, "pose: Kitty's protocol takes PNG only\n");
		return false;
	}
	struct buffer base64 = {0};
	append_base64(picture, &base64);
	for (size_t at = 0; at < base64.size; at += PIECE_BYTES) {
		const size_t left = base64.size - at;
		const size_t count = left < PIECE_BYTES ? left : PIECE_BYTES;
		// a=T: sent to be shown; f=100: PNG; q=2: no word back; m=1: more is to come.
		append_text(out, at == 0 ? "\033_Ga=T,f=100,q=2," : "\033_G");
		append_text(out, left > PIECE_BYTES ? "m=1;" : "m=0;");
		buffer_append(out, base64.data + at, count);
		append_text(out, "\033\\");
	}
	buffer_finish(&base64);
	return true;
}

bool show_iterm2(const struct buffer *picture, struct buffer *out) {
	char head[64];
	snprintf(head, sizeof head, "\033]1337;File=inline=1;size=%zu:", picture->size);
	append_text(out, head);
	append_base64(picture, out);
	append_text(out, "\a");
	return true;
}
