// Animated GIF: CompuServe. Graphics Interchange Format, version 89a. 1990; repeated as Netscape's
// application extension has it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "image/gif_dither.h"
#include "image/sequence.h"

#define TICKS_PER_SECOND 100

/* Browsers show frames of less than two ticks for ten. */
#define FPS_MAX 50.0

/* Share by which a rate may be told too high: clips have their lengths in float32. */
#define RATE_SLACK 1e-6

/* Ticks are numbers of 16 bits. */
#define FRAME_MAX_S 655.35

struct gif {
	const struct sequence_settings *settings;
	size_t frames; // added so far
};

static bool check_frame(
	const struct sequence_settings *settings, double frame_s, struct error *err) {
	const char *pointer = settings->rate_pointer ? settings->rate_pointer : "";
	if (frame_s * FPS_MAX * (1 + RATE_SLACK) < 1) {
		return error_at(err, ERROR_INVALID_VALUE, pointer,
			"a GIF of %g frames a second would be shown at 10; it may have %g",
			1 / frame_s, FPS_MAX);
	}
	return frame_s <= FRAME_MAX_S ||
		error_at(err, ERROR_INVALID_VALUE, pointer,
			"a frame of a GIF may be shown for %g s, here for %g", FRAME_MAX_S,
			frame_s);
}

static bool check(const struct sequence_settings *settings, struct error *err) {
	bool ok = check_frame(settings, 1 / settings->fps, err);
	for (size_t i = 0; settings->begins_s && ok && i < settings->count; i++) {
		const double *begin_s = &settings->begins_s[i];
		ok = check_frame(settings, begin_s[1] - begin_s[0], err);
	}
	return ok;
}

static void put_16(unsigned char *out, unsigned number) {
	out[0] = (unsigned char)number;
	out[1] = (unsigned char)(number >> 8);
}

/* Signature and screen, as each frame's own file has them, without a palette for all. */
static bool put_head(
	const struct sequence_settings *settings, struct buffer *out, struct error *err) {
	unsigned char head[GIF_HEAD_BYTES] = "GIF89a";
	put_16(head + 6, (unsigned)settings->width);
	put_16(head + 8, (unsigned)settings->height);
	head[10] = 0x70; // eight bits of each colour
	return buffer_try_append(out, head, sizeof head, "GIF", err);
}

/* The times that it is repeated, which are one less than those that it is played. */
static bool put_loops(int loops, struct buffer *out, struct error *err) {
	unsigned char extension[] = "\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0";
	if (loops == 1) {
		return true;
	}
	put_16(extension + 16, loops ? (unsigned)loops - 1 : 0);
	return buffer_try_append(out, extension, sizeof extension, "GIF", err);
}

static void *open(const struct sequence_settings *settings, struct buffer *out, struct error *err) {
	if (!put_head(settings, out, err) || !put_loops(settings->loops, out, err)) {
		return NULL;
	}
	struct gif *gif = xcalloc(1, sizeof *gif);
	gif->settings = settings;
	return gif;
}

static bool add(
	void *sequence, const struct buffer *packed, struct buffer *out, struct error *err) {
	struct gif *gif = sequence;
	const size_t at = out->size;
	if (!buffer_try_append(out, packed->data + GIF_HEAD_BYTES,
		    packed->size - GIF_HEAD_BYTES - GIF_TAIL_BYTES, "GIF", err)) {
		return false;
	}
	put_16(out->data + at + GIF_DELAY_AT,
		sequence_ticks(gif->settings, gif->frames++, TICKS_PER_SECOND));
	return true;
}

static bool end(void *sequence, struct buffer *out, struct error *err) {
	(void)sequence;
	return buffer_try_append(out, ";", 1, "GIF", err);
}

const struct sequence_format sequence_gif = {
	.name = "gif",
	.title = "GIF: 255 colours a frame, pixels are there or not, at most 50 frames a second",
	.media_type = "image/gif",
	.ending = "gif",
	.is_lossy = true,
	.check = check,
	.pack = gif_pack,
	.open = open,
	.add = add,
	.end = end,
	.close = free,
};
