/* Many pictures of one size -> the bytes of one file, or of a stream that need not end: one file
 * and one table row per format. Each frame is packed by itself, by any thread and many at once;
 * what is packed is then put in order by one thread:
 *
 *     open, add for each frame, end, close
 *
 * What these append may be sent at once. The same frames give the same bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"

/* Frames a second that a sequence can have: each is shown for two hours at most, which leaves room
 * in the fields of all formats but GIF, and for a millisecond at least, the tick of WebP. */
#define SEQUENCE_FPS_MIN (1.0 / 7200)
#define SEQUENCE_FPS_MAX 1000.0

struct sequence_settings {
	int width, height; // pixels of a frame
	size_t count;      // frames; at least 1
	double fps;        // frames a second, SEQUENCE_FPS_MIN to SEQUENCE_FPS_MAX
	/* [count + 1] seconds when each frame begins to be shown, from 0, and when the last one
	 * ends, of which fps is the mean; NULL = evenly at fps. Borrowed until close. */
	const double *begins_s;
	const char *rate_pointer; // to what in the request they follow from; NULL = nothing
	int loops;                // times that it is played; 0 = for ever; at most 65535
	bool has_background;      // every pixel of every frame is opaque
	int quality;              // as in struct picture_coding
	bool lossy;
	bool grey16;       // frames are distances, as in struct picture: of formats that take them
	double near, far;  // then
	bool plain_colors; // where there are few of them: each pixel has the nearest, undithered
	int columns;       // of a sheet; 0 = so many that it is about square
	size_t max_bytes;  // of a file that is made in memory as a whole; 0 = of any size
	const char *map; // of a sheet: JSON that is put into it; NULL = none. Borrowed until close
};

struct sequence_format {
	const char *name;       // "apng"
	const char *title;      // one line for people
	const char *media_type; // "image/apng"
	const char *ending;     // of file names, without the dot
	bool needs_background;  // it cannot store transparency
	bool is_lossy;          // frames that are read from it are nearly what was stored
	bool lossy_on_request;  // likewise, with settings->lossy
	bool supports_grey16;   // it can store 16 bits of grey where it is lossless
	bool is_live; // frames take one another's place as they come: at the pace of the clock
	const char *content_type; // media_type with parameters; NULL = there are none

	/* Refuses, with the place in the request, what this format cannot store; NULL = it stores
	 * all. sequence_check() asks it. */
	bool (*check)(const struct sequence_settings *settings, struct error *err);

	/* Appends a frame as this format has it: the greater part of the work, which needs no other
	 * frame. rgba is [height][width][4], sRGB with straight alpha; with settings->grey16 its
	 * first half is uint16_t [height][width]. Any thread. False with ERROR_TOO_LARGE when
	 * memory is out, ERROR_INTERNAL with the library's own words. */
	bool (*pack)(const struct sequence_settings *settings, const unsigned char *rgba,
		struct buffer *packed, struct error *err);

	/* Begins a file of settings that sequence_check() let through. settings stay the caller's,
	 * and there until close. NULL fails as pack does. */
	void *(*open)(
		const struct sequence_settings *settings, struct buffer *out, struct error *err);
	/* The next frame. packed is what pack made of it, as a whole. Also false with
	 * ERROR_TOO_LARGE when the file comes to more than settings->max_bytes. */
	bool (*add)(
		void *sequence, const struct buffer *packed, struct buffer *out, struct error *err);
	/* Ends the file, after settings->count frames. */
	bool (*end)(void *sequence, struct buffer *out, struct error *err);
	void (*close)(void *sequence); // at any time; takes NULL
};

/* The i-th format of the table, NULL past the end; and the one of a name, NULL = there is none. */
const struct sequence_format *sequence_format(size_t i);
const struct sequence_format *sequence_format_named(const char *name);

/* Refuses what a format cannot store: ERROR_INVALID_VALUE with the place in the request. */
bool sequence_check(const struct sequence_format *format, const struct sequence_settings *settings,
	struct error *err);

/* The time of one frame, in seconds, as a fraction of whole numbers up to 65535: of all that can be
 * told from the frame rate the one with the smallest denominator, so that 30000 / 1001 a second
 * are 1001 / 30000. */
struct sequence_delay {
	unsigned numerator, denominator;
};

struct sequence_delay sequence_delay(double fps);

/* Seconds from the beginning until a frame is shown; of the one past the last, until all were. */
double sequence_begin_s(const struct sequence_settings *settings, size_t frame);

/* Ticks that a frame is shown where times are whole ticks: so many that no frame begins more than
 * half a tick too early or late. */
unsigned sequence_ticks(
	const struct sequence_settings *settings, size_t frame, unsigned ticks_per_second);

/* A frame as a picture file by itself, with the settings' coding: for formats that are made of
 * such.
 */
struct picture_format;
bool sequence_pack_picture(const struct sequence_settings *settings,
	const struct picture_format *format, const unsigned char *rgba, struct buffer *packed,
	struct error *err);

/* Positions of the frames of a sheet: row after row from the top, without gaps. */
struct sheet_layout {
	size_t columns, rows;
	size_t width, height; // pixels of the whole
};

struct sheet_layout sequence_sheet_layout(const struct sequence_settings *settings);

/* Every format, by the name of its struct: sequence_NAME. */
#define SEQUENCE_FORMATS(X) \
	X(apng), X(webp), X(gif), X(sheet), X(tar), X(mp4), X(webm), X(multipart)

#define SEQUENCE_FORMAT_NAME(name) sequence_##name
extern const struct sequence_format SEQUENCE_FORMATS(SEQUENCE_FORMAT_NAME);
#undef SEQUENCE_FORMAT_NAME
