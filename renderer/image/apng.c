// Animated PNG: PNG (Third Edition), W3C 2025, sections 11.3.6 and 4.9. Readers that know nothing
// of animations show the first frame.
#include <stdlib.h>

#include "base/memory.h"
#include "image/encode.h"
#include "image/png_file.h"
#include "image/sequence.h"

struct apng {
	const struct sequence_settings *settings;
	struct png_file *file;
	size_t frames;     // added so far
	unsigned sequence; // number of the next chunk that is about a frame
};

static void put_16(unsigned char *out, unsigned number) {
	out[0] = (unsigned char)(number >> 8);
	out[1] = (unsigned char)number;
}

static void put_32(unsigned char *out, size_t number) {
	put_16(out, (unsigned)(number >> 16));
	put_16(out + 2, (unsigned)number);
}

static bool pack(const struct sequence_settings *settings, const unsigned char *rgba,
	struct buffer *packed, struct error *err) {
	const struct picture picture = {
		.width = settings->width, .height = settings->height, .rgba = rgba};
	return png_pack_rows(&picture, packed, err);
}

/* Number of frames and of plays. */
static bool put_control(struct apng *apng, struct buffer *out, struct error *err) {
	unsigned char numbers[8];
	put_32(numbers, apng->settings->count);
	put_32(numbers + 4, (size_t)apng->settings->loops);
	const struct png_chunk chunk = {
		.type = "acTL", .data = numbers, .data_bytes = sizeof numbers};
	return png_file_chunk(apng->file, &chunk, out, err);
}

static void close(void *sequence) {
	struct apng *apng = sequence;
	if (apng) {
		png_file_destroy(apng->file);
		free(apng);
	}
}

static void *open(const struct sequence_settings *settings, struct buffer *out, struct error *err) {
	struct apng *apng = xcalloc(1, sizeof *apng);
	apng->settings = settings;
	apng->file = png_file_create(err);
	const struct picture like = {.width = settings->width, .height = settings->height};
	if (!apng->file || !png_file_begin(apng->file, &like, NULL, out, err) ||
		!put_control(apng, out, err)) {
		close(apng);
		return NULL;
	}
	return apng;
}

/* Size, place and time of a frame, which takes the place of all that was there before. */
static bool put_frame_control(struct apng *apng, struct buffer *out, struct error *err) {
	const struct sequence_settings *settings = apng->settings;
	const double *begin_s = settings->begins_s ? &settings->begins_s[apng->frames] : NULL;
	const struct sequence_delay delay =
		sequence_delay(begin_s ? 1 / (begin_s[1] - begin_s[0]) : settings->fps);
	unsigned char numbers[26] = {0};
	put_32(numbers, apng->sequence++);
	put_32(numbers + 4, (size_t)settings->width);
	put_32(numbers + 8, (size_t)settings->height);
	put_16(numbers + 20, delay.numerator);
	put_16(numbers + 22, delay.denominator);
	const struct png_chunk chunk = {
		.type = "fcTL", .data = numbers, .data_bytes = sizeof numbers};
	return png_file_chunk(apng->file, &chunk, out, err);
}

static bool add(
	void *sequence, const struct buffer *packed, struct buffer *out, struct error *err) {
	struct apng *apng = sequence;
	if (!put_frame_control(apng, out, err)) {
		return false;
	}
	const bool first = apng->frames++ == 0;
	unsigned char number[4];
	struct png_chunk chunk = {.type = "IDAT", .data = packed->data, .data_bytes = packed->size};
	if (!first) {
		put_32(number, apng->sequence++);
		chunk.type = "fdAT";
		chunk.front = number;
		chunk.front_bytes = sizeof number;
	}
	return png_file_chunk(apng->file, &chunk, out, err);
}

static bool end(void *sequence, struct buffer *out, struct error *err) {
	struct apng *apng = sequence;
	return png_file_end(apng->file, out, err);
}

const struct sequence_format sequence_apng = {
	.name = "apng",
	.title = "animated PNG: every colour as it is, straight alpha",
	.media_type = "image/apng",
	.ending = "apng",
	.pack = pack,
	.open = open,
	.add = add,
	.end = end,
	.close = close,
};
