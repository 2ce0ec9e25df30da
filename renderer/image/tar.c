// A tar of pictures: PNG, or JPEG where something may be lost.
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "image/encode.h"
#include "image/sequence.h"
#include "image/tar_file.h"

struct tar {
	const struct sequence_settings *settings;
	struct tar_file *file;
	size_t frames; // added so far
	int digits;    // of their numbers
};

static const struct picture_format *format_of(const struct sequence_settings *settings) {
	return settings->lossy ? &picture_jpeg : &picture_png;
}

static bool check(const struct sequence_settings *settings, struct error *err) {
	return picture_format_check(format_of(settings), settings->has_background, err);
}

static bool pack(const struct sequence_settings *settings, const unsigned char *rgba,
	struct buffer *packed, struct error *err) {
	return sequence_pack_picture(settings, format_of(settings), rgba, packed, err);
}

static void close_tar(void *sequence) {
	struct tar *tar = sequence;
	if (tar) {
		tar_file_destroy(tar->file);
		free(tar);
	}
}

static void *open_tar(
	const struct sequence_settings *settings, struct buffer *out, struct error *err) {
	(void)out;
	struct tar *tar = xcalloc(1, sizeof *tar);
	tar->settings = settings;
	tar->digits = snprintf(NULL, 0, "%zu", settings->count - 1);
	tar->digits = tar->digits > 4 ? tar->digits : 4;
	tar->file = tar_file_create(err);
	if (!tar->file) {
		close_tar(tar);
		return NULL;
	}
	return tar;
}

static bool add(
	void *sequence, const struct buffer *packed, struct buffer *out, struct error *err) {
	struct tar *tar = sequence;
	char name[64];
	snprintf(name, sizeof name, "frame_%0*zu.%s", tar->digits, tar->frames++,
		format_of(tar->settings)->name);
	return tar_file_put(tar->file, name, packed->data, packed->size, out, err);
}

static bool end(void *sequence, struct buffer *out, struct error *err) {
	struct tar *tar = sequence;
	return tar_file_end(tar->file, out, err);
}

const struct sequence_format sequence_tar = {
	.name = "tar",
	.title = "a tar of frame_0000.png and so on; of JPEG with \"lossless\": false",
	.media_type = "application/x-tar",
	.ending = "tar",
	.lossy_on_request = true,
	.supports_grey16 = true,
	.check = check,
	.pack = pack,
	.open = open_tar,
	.add = add,
	.end = end,
	.close = close_tar,
};
