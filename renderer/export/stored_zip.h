/* ZIP archives of files as they are, without compression, dates and owners: the same files in the
 * same order are the same bytes. Source: PKWARE, APPNOTE 6.3.10. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/* Zero it before use. */
struct stored_zip {
	struct buffer directory; // of what was added so far
	uint64_t bytes;          // of the archive so far
	unsigned count;          // files
};

/* Appends what comes before a file's bytes to *head. The file follows as it is. False where the
 * archive would reach 4 GiB, or 65,535 files, or the path 64 KiB, which its fields do not hold. */
bool stored_zip_add(struct stored_zip *zip, const char *path, const void *bytes, size_t size,
	struct buffer *head);

/* Appends the end of the archive. */
void stored_zip_end(struct stored_zip *zip, struct buffer *tail);

void stored_zip_finish(struct stored_zip *zip);
