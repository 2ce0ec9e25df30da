// The table of picture formats, and pixels made ready for them.
#include "image/encode.h"

#include <math.h>
#include <string.h>

#include "base/srgb.h"

#define ROW(name) &picture_##name
static const struct picture_format *const formats[] = {PICTURE_FORMATS(ROW)};
#undef ROW

#define FORMAT_COUNT (sizeof formats / sizeof *formats)

const struct picture_format *picture_format(size_t i) {
	return i < FORMAT_COUNT ? formats[i] : NULL;
}

const struct picture_format *picture_format_named(const char *name) {
	size_t i = 0;
	while (i < FORMAT_COUNT && strcmp(formats[i]->name, name) != 0) {
		i++;
	}
	return picture_format(i);
}

bool picture_format_check(
	const struct picture_format *format, bool has_background, struct error *err) {
	return !format->needs_background || has_background ||
		error_at(err, ERROR_INVALID_VALUE, "/background",
			"%s has no transparency: \"background\" must be an opaque colour, "
			"\"#rrggbb\"",
			format->media_type);
}

void srgb_tables_init(struct srgb_tables *tables) {
	for (int i = 0; i < 256; i++) {
		tables->linear[i] = srgb_to_linear(i / 255.0);
		tables->next[i] = i < 255 ? srgb_to_linear((i + 0.5) / 255) : INFINITY;
	}
	unsigned char byte = 0;
	for (int i = 0; i <= ENCODE_CELLS; i++) {
		while ((double)i / ENCODE_CELLS >= tables->next[byte]) {
			byte++;
		}
		tables->encoded[i] = byte;
	}
}

/* The nearest byte of light in [0, 1]. */
static unsigned char encode(const struct srgb_tables *tables, double light) {
	unsigned char byte = tables->encoded[(int)(light * ENCODE_CELLS)];
	while (light >= tables->next[byte]) {
		byte++;
	}
	return byte;
}

void picture_unpremultiply(
	const struct srgb_tables *tables, unsigned char *rgba, size_t pixel_count) {
	for (size_t i = 0; i < pixel_count; i++) {
		unsigned char *pixel = rgba + i * 4;
		if (pixel[3] == 0 || pixel[3] == 255) {
			continue;
		}
		for (int k = 0; k < 3; k++) {
			const double straight = tables->linear[pixel[k]] * 255 / pixel[3];
			pixel[k] = encode(tables, straight < 1 ? straight : 1);
		}
	}
}
