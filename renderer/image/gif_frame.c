// One frame of a GIF: at most 255 colours, found by giflib, and one that is none.
#include "image/gif_frame.h"

#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "image/gif_dither.h"
#include "image/sequence.h"

#define COLORS 256
#define TRANSPARENT 255

/* A frame on its way. */
struct frame {
	size_t pixels;
	unsigned char *memory;    // what the others point into
	unsigned char *planes[3]; // [pixels] of the opaque pixels, packed: red, green, blue
	unsigned char *indices;   // [pixels] of all pixels
	unsigned char *picked;    // [pixels] of the opaque ones, packed
	size_t opaque;            // so many of them
	struct gif_palette palette;
};

static bool begin(struct frame *frame, size_t pixels, struct error *err) {
	*frame = (struct frame){.pixels = pixels};
	frame->memory = try_calloc(pixels, 5, "GIF", err);
	if (frame->memory) {
		for (size_t k = 0; k < 3; k++) {
			frame->planes[k] = frame->memory + k * pixels;
		}
		frame->indices = frame->memory + 3 * pixels;
		frame->picked = frame->memory + 4 * pixels;
	}
	return frame->memory;
}

static void take_opaque(struct frame *frame, const unsigned char *rgba) {
	for (size_t i = 0; i < frame->pixels; i++) {
		if (rgba[i * 4 + 3] >= 128) {
			for (size_t k = 0; k < 3; k++) {
				frame->planes[k][frame->opaque] = rgba[i * 4 + k];
			}
			frame->opaque++;
		}
	}
}

/* giflib tells colours by their five upper bits and calls each group by these alone, which is too
 * dark: each takes the mean of its pixels instead. */
static void settle_colors(struct frame *frame) {
	unsigned long long sums[COLORS][3] = {0}, counts[COLORS] = {0};
	for (size_t i = 0; i < frame->opaque; i++) {
		const unsigned char index = frame->picked[i];
		counts[index]++;
		for (size_t k = 0; k < 3; k++) {
			sums[index][k] += frame->planes[k][i];
		}
	}
	for (int i = 0; i < frame->palette.count; i++) {
		const unsigned long long count = counts[i] ? counts[i] : 1;
		for (size_t k = 0; k < 3; k++) {
			frame->palette.colors[i][k] =
				(unsigned char)((sums[i][k] + count / 2) / count);
		}
	}
}

static bool choose_colors(struct frame *frame, struct error *err) {
	GifColorType colors[COLORS];
	int count = frame->opaque > 0 ? TRANSPARENT : 0;
	if (frame->opaque > 0 &&
		GifQuantizeBuffer((unsigned)frame->opaque, 1, &count, frame->planes[0],
			frame->planes[1], frame->planes[2], frame->picked, colors) != GIF_OK) {
		return error_set(err, ERROR_TOO_LARGE, "GIF: no memory for the palette");
	}
	frame->palette.count = count;
	settle_colors(frame);
	return true;
}

static void spread(struct frame *frame, const unsigned char *rgba) {
	size_t next = 0;
	for (size_t i = 0; i < frame->pixels; i++) {
		frame->indices[i] = rgba[i * 4 + 3] >= 128 ? frame->picked[next++] : TRANSPARENT;
	}
}

static int on_write(GifFileType *gif, const GifByteType *bytes, int count) {
	return buffer_try_append(gif->UserData, bytes, (size_t)count, "GIF", NULL) ? count : 0;
}

/* Each frame is cleared away before the next, so that nothing shows through its transparency. */
static bool put_control(GifFileType *gif, bool whole) {
	const GraphicsControlBlock control = {
		.DisposalMode = whole ? DISPOSE_DO_NOT : DISPOSE_BACKGROUND,
		.TransparentColor = whole ? NO_TRANSPARENT_COLOR : TRANSPARENT,
	};
	GifByteType bytes[4];
	const size_t count = EGifGCBToExtension(&control, bytes);
	return EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, (int)count, bytes) == GIF_OK;
}

static bool put_picture(GifFileType *gif, const struct sequence_settings *settings,
	const struct frame *frame, const ColorMapObject *colors) {
	const int width = settings->width, height = settings->height;
	bool fine = EGifPutScreenDesc(gif, width, height, 8, 0, NULL) == GIF_OK &&
		put_control(gif, frame->opaque == frame->pixels) &&
		EGifPutImageDesc(gif, 0, 0, width, height, false, colors) == GIF_OK;
	for (int y = 0; fine && y < height; y++) {
		fine = EGifPutLine(gif, frame->indices + (size_t)y * (size_t)width, width) ==
			GIF_OK;
	}
	return fine;
}

static ColorMapObject *make_map(const struct gif_palette *palette) {
	GifColorType colors[COLORS] = {0};
	for (int i = 0; i < palette->count; i++) {
		const unsigned char *color = palette->colors[i];
		colors[i] = (GifColorType){color[0], color[1], color[2]};
	}
	return GifMakeMapObject(COLORS, colors);
}

static bool write_frame(const struct sequence_settings *settings, const struct frame *frame,
	struct buffer *out, struct error *err) {
	int code = 0, ignored;
	ColorMapObject *colors = make_map(&frame->palette);
	GifFileType *gif = colors ? EGifOpen(out, on_write, &code) : NULL;
	if (gif) {
		EGifSetGifVersion(gif, true);
	}
	const bool fine = gif && put_picture(gif, settings, frame, colors);
	code = gif ? gif->Error : code;
	const bool closed = !gif || EGifCloseFile(gif, fine ? &code : &ignored) == GIF_OK;
	GifFreeMapObject(colors);
	if (fine && closed) {
		return true;
	}
	const char *words = GifErrorString(code);
	const bool memory =
		!colors || code == E_GIF_ERR_NOT_ENOUGH_MEM || code == E_GIF_ERR_WRITE_FAILED;
	return error_set(err, memory ? ERROR_TOO_LARGE : ERROR_INTERNAL, "giflib: %s",
		words ? words : "no memory");
}

bool gif_pack(const struct sequence_settings *settings, const unsigned char *rgba,
	struct buffer *out, struct error *err) {
	struct frame frame;
	if (!begin(&frame, (size_t)settings->width * (size_t)settings->height, err)) {
		return false;
	}
	take_opaque(&frame, rgba);
	bool fine = choose_colors(&frame, err);
	if (fine) {
		spread(&frame, rgba);
		if (!settings->plain_colors) {
			gif_dither(&frame.palette, settings->width, settings->height, rgba,
				frame.indices);
		}
		fine = write_frame(settings, &frame, out, err);
	}
	free(frame.memory);
	return fine;
}
