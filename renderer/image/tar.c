// A tar of pictures, by libarchive: PNG, or JPEG where something may be lost.
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "image/encode.h"
#include "image/sequence.h"

struct tar {
	const struct sequence_settings *settings;
	struct archive *archive;
	struct buffer *out; // of the call under way
	size_t frames;      // added so far
	int digits;         // of their numbers
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

static la_ssize_t on_write(
	struct archive *archive, void *context, const void *bytes, size_t count) {
	struct tar *tar = context;
	if (!buffer_try_append(tar->out, bytes, count, "tar", NULL)) {
		archive_set_error(archive, ENOMEM, "no memory");
		return -1;
	}
	return (la_ssize_t)count;
}

static bool settle(struct tar *tar, int result, struct error *err) {
	return result == ARCHIVE_OK ||
		error_set(
			err, ERROR_TOO_LARGE, "libarchive: %s", archive_error_string(tar->archive));
}

static void close_tar(void *sequence) {
	struct tar *tar = sequence;
	if (tar) {
		archive_write_fail(tar->archive); // nothing more is to be written
		archive_write_free(tar->archive);
		free(tar);
	}
}

/* Without blocks of its own to fill libarchive hands everything on at once. */
static bool begin(struct tar *tar, struct error *err) {
	return settle(tar, archive_write_set_format_ustar(tar->archive), err) &&
		settle(tar, archive_write_set_bytes_per_block(tar->archive, 0), err) &&
		settle(tar, archive_write_open(tar->archive, tar, NULL, on_write, NULL), err);
}

static void *open_tar(
	const struct sequence_settings *settings, struct buffer *out, struct error *err) {
	struct tar *tar = xcalloc(1, sizeof *tar);
	tar->settings = settings;
	tar->out = out;
	tar->digits = snprintf(NULL, 0, "%zu", settings->count - 1);
	tar->digits = tar->digits > 4 ? tar->digits : 4;
	tar->archive = archive_write_new();
	if (!tar->archive || !begin(tar, err)) {
		error_set(err, ERROR_TOO_LARGE, "libarchive: no memory");
		close_tar(tar);
		return NULL;
	}
	return tar;
}

/* No date and nobody's: the same frames are the same bytes. */
static bool put_entry(struct tar *tar, size_t bytes, struct error *err) {
	struct archive_entry *entry = archive_entry_new();
	if (!entry) {
		return error_set(err, ERROR_TOO_LARGE, "libarchive: no memory");
	}
	char name[64];
	snprintf(name, sizeof name, "frame_%0*zu.%s", tar->digits, tar->frames++,
		format_of(tar->settings)->name);
	archive_entry_set_pathname(entry, name);
	archive_entry_set_size(entry, (la_int64_t)bytes);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_mtime(entry, 0, 0);
	const bool fine = settle(tar, archive_write_header(tar->archive, entry), err);
	archive_entry_free(entry);
	return fine;
}

static bool add(
	void *sequence, const struct buffer *packed, struct buffer *out, struct error *err) {
	struct tar *tar = sequence;
	tar->out = out;
	if (!put_entry(tar, packed->size, err)) {
		return false;
	}
	const la_ssize_t written = archive_write_data(tar->archive, packed->data, packed->size);
	return settle(tar, written == (la_ssize_t)packed->size ? ARCHIVE_OK : ARCHIVE_FATAL, err) &&
		settle(tar, archive_write_finish_entry(tar->archive), err);
}

static bool end(void *sequence, struct buffer *out, struct error *err) {
	struct tar *tar = sequence;
	tar->out = out;
	return settle(tar, archive_write_close(tar->archive), err);
}

const struct sequence_format sequence_tar = {
	.name = "tar",
	.title = "a tar of frame_0000.png and so on; of JPEG with \"lossless\": false",
	.media_type = "application/x-tar",
	.ending = "tar",
	.check = check,
	.pack = pack,
	.open = open_tar,
	.add = add,
	.end = end,
	.close = close_tar,
};
