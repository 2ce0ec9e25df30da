// The frames of a file that comes in pieces.
#include "frame_count.h"

#include <stdlib.h>
#include <string.h>

/* A file of parts, each a head of one length and content whose length is in the head. */
struct frame_format {
	const char *media_type;
	size_t before;     // bytes before the first part
	size_t head_bytes; // at most those of struct frame_count
	bool (*is_frame)(const unsigned char *head);
	size_t (*content_bytes)(const unsigned char *head);
};

/* PNG 5.3: length, type, content, CRC; a frame begins with its fcTL. */
static bool is_control(const unsigned char *head) {
	return memcmp(head + 4, "fcTL", 4) == 0;
}

static size_t chunk_bytes(const unsigned char *head) {
	const size_t length =
		(size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
	return length + 4;
}

/* POSIX ustar: blocks of 512 bytes, the size in octal at 124; those at the end are empty. */
static bool is_entry(const unsigned char *head) {
	return head[0] != '\0';
}

static size_t entry_bytes(const unsigned char *head) {
	char octal[13] = "";
	memcpy(octal, head + 124, 12);
	return (size_t)(strtoull(octal, NULL, 8) + 511) / 512 * 512;
}

static const struct frame_format formats[] = {
	{"image/apng", 8, 8, is_control, chunk_bytes},
	{"application/x-tar", 0, 512, is_entry, entry_bytes},
};

bool frame_count_begin(struct frame_count *count, const char *media_type) {
	*count = (struct frame_count){0};
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		if (strcmp(formats[i].media_type, media_type) == 0) {
			count->format = &formats[i];
			count->skip = formats[i].before;
		}
	}
	return count->format;
}

static size_t least(size_t a, size_t b) {
	return a < b ? a : b;
}

void frame_count_add(struct frame_count *count, const void *bytes, size_t size) {
	const struct frame_format *format = count->format;
	const unsigned char *next = bytes;
	while (size > 0) {
		const bool skips = count->skip > 0;
		const size_t taken =
			least(size, skips ? count->skip : format->head_bytes - count->have);
		if (skips) {
			count->skip -= taken;
		} else {
			memcpy(count->head + count->have, next, taken);
			count->have += taken;
		}
		if (count->have == format->head_bytes) {
			count->frames += format->is_frame(count->head);
			count->skip = format->content_bytes(count->head);
			count->have = 0;
		}
		next += taken;
		size -= taken;
	}
}
