// Sixels, through libsixel.
#include <sixel/sixel.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/delayed.h"
#include "show_ways.h"

/* The library reads and writes files: ours are in memory only. */
static bool encode(int from, int to) {
	char path[32];
	sixel_encoder_t *encoder = NULL;
	SIXELSTATUS status = sixel_encoder_new(&encoder, NULL);
	if (SIXEL_SUCCEEDED(status)) {
		snprintf(path, sizeof path, "/proc/self/fd/%d", to);
		status = sixel_encoder_setopt(encoder, SIXEL_OPTFLAG_OUTFILE, path);
	}
	if (SIXEL_SUCCEEDED(status)) {
		// A terminal has no place for a picture that moves: the first of its frames.
		status = sixel_encoder_setopt(encoder, SIXEL_OPTFLAG_STATIC, NULL);
	}
	if (SIXEL_SUCCEEDED(status)) {
		snprintf(path, sizeof path, "/proc/self/fd/%d", from);
		status = sixel_encoder_encode(encoder, path);
	}
	sixel_encoder_unref(encoder);
	if (SIXEL_FAILED(status)) {
		fprintf(stderr, "pose: libsixel: %s\n", sixel_helper_format_error(status));
	}
	return SIXEL_SUCCEEDED(status);
}

static bool read_back(int file, struct buffer *out) {
	const off_t size = lseek(file, 0, SEEK_END);
	if (size <= 0 || pread(file, buffer_reserve(out, (size_t)size), (size_t)size, 0) != size) {
		return false;
	}
	out->size += (size_t)size;
	return true;
}

bool show_sixel(const struct buffer *picture, struct buffer *out) {
	struct error err = {0};
	if (!delayed_load(&delayed_sixel, &err)) {
		fprintf(stderr, "pose: %s\n", err.text);
		return false;
	}
	const int from = memfd_create("picture", MFD_CLOEXEC);
	const int to = memfd_create("sixels", MFD_CLOEXEC);
	const bool written = from >= 0 && to >= 0 &&
		write(from, picture->data, picture->size) == (ssize_t)picture->size;
	if (!written) {
		perror("pose: a file in memory");
	}
	const bool ok = written && encode(from, to) && read_back(to, out);
	if (from >= 0) {
		close(from);
	}
	if (to >= 0) {
		close(to);
	}
	return ok;
}
