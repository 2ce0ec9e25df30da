// The frames of a file that comes in pieces.
#include "frame_count.h"

#include <stdlib.h>
#include <string.h>

/* A file of parts, each a head and content whose length is in the head. */
struct frame_format {
	const char *media_type;
	size_t before;     // bytes before the first part
	size_t head_bytes; // of the first part; at most those of struct frame_count
	/* Looks at a head that is there: counts a frame that begins, and sets `skip` to the length
	 * of the content, and `want` and `place` where the next head is another. */
	void (*take)(struct frame_count *count);
};

/* PNG 5.3: length, type, content, CRC; a frame begins with its fcTL. */
static void take_chunk(struct frame_count *count) {
	const unsigned char *head = count->head;
	const size_t length =
		(size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
	count->frames += memcmp(head + 4, "fcTL", 4) == 0;
	count->skip = length + 4;
}

/* POSIX ustar: blocks of 512 bytes, the size in octal at 124; those at the end are empty. */
static void take_entry(struct frame_count *count) {
	char octal[13] = "";
	memcpy(octal, count->head + 124, 12);
	count->frames += count->head[0] != '\0';
	count->skip = (size_t)(strtoull(octal, NULL, 8) + 511) / 512 * 512;
}

/* GIF89a 18 to 23. */
enum gif_place { GIF_SCREEN, GIF_BLOCK, GIF_LABEL, GIF_IMAGE, GIF_DATA };

#define GIF_SCREEN_BYTES 13
#define GIF_IMAGE_BYTES 9

static size_t color_table_bytes(unsigned char flags) {
	return flags & 0x80 ? (size_t)3 << ((flags & 7) + 1) : 0;
}

static void expect(struct frame_count *count, enum gif_place place, size_t head_bytes) {
	count->place = (int)place;
	count->want = head_bytes;
}

/* A block that begins: an image, an extension, or else the end. */
static void take_block(struct frame_count *count) {
	const unsigned char kind = count->head[0];
	if (kind == ',') {
		count->frames++;
		expect(count, GIF_IMAGE, GIF_IMAGE_BYTES);
	} else if (kind == '!') {
		expect(count, GIF_LABEL, 1);
	}
}

static void take_gif(struct frame_count *count) {
	const unsigned char *head = count->head;
	switch ((enum gif_place)count->place) {
	case GIF_SCREEN:
		count->skip = color_table_bytes(head[10]);
		expect(count, GIF_BLOCK, 1);
		break;
	case GIF_BLOCK:
		take_block(count);
		break;
	case GIF_LABEL:
		expect(count, GIF_DATA, 1);
		break;
	case GIF_IMAGE:
		// A byte of the compression is between the colours and the pixels.
		count->skip = color_table_bytes(head[8]) + 1;
		expect(count, GIF_DATA, 1);
		break;
	case GIF_DATA:
		count->skip = head[0];
		expect(count, head[0] > 0 ? GIF_DATA : GIF_BLOCK, 1);
		break;
	}
}

static const struct frame_format formats[] = {
	{"image/apng", 8, 8, take_chunk},
	{"image/gif", 0, GIF_SCREEN_BYTES, take_gif},
	{"application/x-tar", 0, 512, take_entry},
};

bool frame_count_begin(struct frame_count *count, const char *media_type) {
	*count = (struct frame_count){0};
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		if (strcmp(formats[i].media_type, media_type) == 0) {
			count->format = &formats[i];
			count->skip = formats[i].before;
			count->want = formats[i].head_bytes;
		}
	}
	return count->format;
}

static size_t least(size_t a, size_t b) {
	return a < b ? a : b;
}

void frame_count_add(struct frame_count *count, const void *bytes, size_t size) {
	const unsigned char *next = bytes;
	while (size > 0) {
		const bool skips = count->skip > 0;
		const size_t taken = least(size, skips ? count->skip : count->want - count->have);
		if (skips) {
			count->skip -= taken;
		} else {
			memcpy(count->head + count->have, next, taken);
			count->have += taken;
		}
		if (count->have == count->want) {
			count->format->take(count);
			count->have = 0;
		}
		next += taken;
		size -= taken;
	}
}
