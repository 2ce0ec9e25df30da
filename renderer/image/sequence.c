// The table of sequence formats, and what they share.
#include "image/sequence.h"

#include <math.h>
#include <string.h>

#include "image/encode.h"

#define ROW(name) &sequence_##name
static const struct sequence_format *const formats[] = {SEQUENCE_FORMATS(ROW)};
#undef ROW

#define FORMAT_COUNT (sizeof formats / sizeof *formats)

const struct sequence_format *sequence_format(size_t i) {
	return i < FORMAT_COUNT ? formats[i] : NULL;
}

const struct sequence_format *sequence_format_named(const char *name) {
	size_t i = 0;
	while (i < FORMAT_COUNT && strcmp(formats[i]->name, name) != 0) {
		i++;
	}
	return sequence_format(i);
}

bool sequence_check(const struct sequence_format *format, const struct sequence_settings *settings,
	struct error *err) {
	if (format->needs_background && !settings->has_background) {
		return error_at(err, ERROR_INVALID_VALUE, "/background",
			"%s has no transparency: \"background\" must be an opaque colour",
			format->name);
	}
	return !format->check || format->check(settings, err);
}

/* The convergents of a continued fraction are the nearest fractions of their size. */
struct sequence_delay sequence_delay(double fps) {
	const double most = 65535;
	double numerator[2] = {0, 1}, denominator[2] = {1, 0};
	double rest = 1 / fps;
	for (;;) {
		const double whole = floor(rest);
		const double n = whole * numerator[1] + numerator[0];
		const double d = whole * denominator[1] + denominator[0];
		if (n > most || d > most) {
			break;
		}
		numerator[0] = numerator[1];
		denominator[0] = denominator[1];
		numerator[1] = n;
		denominator[1] = d;
		if (fabs(n * fps - d) <= 1e-10 * d) {
			break;
		}
		rest = 1 / (rest - whole);
	}
	return (struct sequence_delay){(unsigned)numerator[1], (unsigned)denominator[1]};
}

double sequence_begin_s(const struct sequence_settings *settings, size_t frame) {
	return settings->begins_s ? settings->begins_s[frame] : (double)frame / settings->fps;
}

/* The tick that is nearest to a frame's beginning. */
static double tick_of(const struct sequence_settings *settings, size_t frame, double per_second) {
	return round(settings->begins_s ? settings->begins_s[frame] * per_second
					: per_second / settings->fps * (double)frame);
}

unsigned sequence_ticks(
	const struct sequence_settings *settings, size_t frame, unsigned ticks_per_second) {
	return (unsigned)(tick_of(settings, frame + 1, ticks_per_second) -
		tick_of(settings, frame, ticks_per_second));
}

bool sequence_pack_picture(const struct sequence_settings *settings,
	const struct picture_format *format, const unsigned char *rgba, struct buffer *packed,
	struct error *err) {
	const struct picture picture = {
		.width = settings->width,
		.height = settings->height,
		.rgba = rgba,
		.grey16 = settings->grey16 ? (const uint16_t *)rgba : NULL,
		.near = settings->near,
		.far = settings->far,
	};
	const struct picture_coding coding = {settings->quality, settings->lossy};
	return format->encode(&picture, &coding, packed, err);
}
