/* One response as a file that tells whether it is whole.
 *
 *   head    magic with the version of the format, CRC-64 of all that follows, key, lengths
 *   text    the content type, then name and value of each header, each ended by a NUL
 *   body
 *
 * Numbers lie as this machine has them: on another the magic does, too, and nothing else is read.
 */
#pragma once

#include <stdint.h>

#include "cache/etag.h"

struct cached;

/* Bytes of the longest file. It is read whole, and what is larger is hardly made faster by it. */
#define CACHE_FILE_MAX_BYTES ((uint64_t)64 << 20)

/* Bytes of a response's file. */
uint64_t cache_file_bytes(const struct cached *response);

/* Writes a response to an empty file, whose descriptor is closed either way. False with errno. */
bool cache_file_write(int take_file, const struct cache_key *key, const struct cached *response);

/* The response in a file, whose descriptor is closed either way; NULL with *damaged = true when it
 * is not the whole file that was written for this key, or false with errno when it cannot be read.
 */
struct cached *cache_file_read(int take_file, const struct cache_key *key, bool *damaged);
