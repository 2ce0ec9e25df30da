/* The pixels of a PNG, filtered and deflated. */
#pragma once

#include "base/buffer.h"
#include "base/error.h"

struct picture;

/* Appends a picture's rows as the zlib stream that its IDAT chunks hold. Fails with ERROR_TOO_LARGE
 * when memory is out, or with ERROR_INTERNAL. Any thread. */
bool png_pack_rows(const struct picture *picture, struct buffer *out, struct error *err);
