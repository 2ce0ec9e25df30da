/* Strong entity tags: a function of everything that an answer depends on. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "store/hash.h"

/* A quoted tag over the parts, in the arena. */
char *etag_make(struct arena *arena, const struct hash_part *parts, size_t count);

/* Whether an If-None-Match header (NULL = none) names the tag: a list of tags, compared weakly as
 * RFC 9110, 13.1.2 wants, or "*". */
bool etag_matches(const char *if_none_match, const char *etag);

/* Whether an If-Match header names the tag, compared strongly: W/"..." never does; or "*". */
bool etag_matches_strongly(const char *if_match, const char *etag);

/* Whether either header (NULL = none) has "*". */
bool etag_is_any(const char *list);
