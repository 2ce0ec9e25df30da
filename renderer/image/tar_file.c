// A tar, by libarchive.
#include "image/tar_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>

#include "base/delayed.h"
#include "base/memory.h"

struct tar_file {
	struct archive *archive;
	struct buffer *out; // of the call under way; NULL = what comes is dropped
};

static la_ssize_t on_write(
	struct archive *archive, void *context, const void *bytes, size_t count) {
	struct tar_file *tar = context;
	if (tar->out && !buffer_try_append(tar->out, bytes, count, "tar", NULL)) {
		archive_set_error(archive, ENOMEM, "no memory");
		return -1;
	}
	return (la_ssize_t)count;
}

static bool settle(struct tar_file *tar, int result, struct error *err) {
	return result == ARCHIVE_OK ||
		error_set(
			err, ERROR_TOO_LARGE, "libarchive: %s", archive_error_string(tar->archive));
}

void tar_file_destroy(struct tar_file *tar) {
	if (tar) {
		tar->out = NULL; // the library ends the file to free it
		archive_write_free(tar->archive);
		free(tar);
	}
}

/* Without blocks of its own to fill libarchive hands everything on at once. */
static bool begin(struct tar_file *tar, bool compressed, struct error *err) {
	return settle(tar, archive_write_set_format_ustar(tar->archive), err) &&
		(!compressed ||
			(settle(tar, archive_write_add_filter_gzip(tar->archive), err) &&
				settle(tar,
					archive_write_set_filter_option(
						tar->archive, "gzip", "timestamp", NULL),
					err))) &&
		settle(tar, archive_write_set_bytes_per_block(tar->archive, 0), err) &&
		settle(tar, archive_write_open(tar->archive, tar, NULL, on_write, NULL), err);
}

static struct tar_file *create(bool compressed, struct error *err) {
	if (!delayed_load(&delayed_archive, err)) {
		return NULL;
	}
	struct tar_file *tar = xcalloc(1, sizeof *tar);
	tar->archive = archive_write_new();
	if (!tar->archive || !begin(tar, compressed, err)) {
		error_set(err, ERROR_TOO_LARGE, "libarchive: no memory");
		tar_file_destroy(tar);
		return NULL;
	}
	return tar;
}

struct tar_file *tar_file_create(struct error *err) {
	return create(false, err);
}

struct tar_file *tar_file_create_gzip(struct error *err) {
	return create(true, err);
}

static bool put_entry(struct tar_file *tar, const char *name, size_t bytes, struct error *err) {
	struct archive_entry *entry = archive_entry_new();
	if (!entry) {
		return error_set(err, ERROR_TOO_LARGE, "libarchive: no memory");
	}
	archive_entry_set_pathname(entry, name);
	archive_entry_set_size(entry, (la_int64_t)bytes);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_mtime(entry, 0, 0);
	const bool ok = settle(tar, archive_write_header(tar->archive, entry), err);
	archive_entry_free(entry);
	return ok;
}

bool tar_file_put(struct tar_file *tar, const char *name, const void *bytes, size_t size,
	struct buffer *out, struct error *err) {
	tar->out = out;
	if (!put_entry(tar, name, size, err)) {
		return false;
	}
	const la_ssize_t written = archive_write_data(tar->archive, bytes, size);
	return settle(tar, written == (la_ssize_t)size ? ARCHIVE_OK : ARCHIVE_FATAL, err) &&
		settle(tar, archive_write_finish_entry(tar->archive), err);
}

bool tar_file_end(struct tar_file *tar, struct buffer *out, struct error *err) {
	tar->out = out;
	return settle(tar, archive_write_close(tar->archive), err);
}
