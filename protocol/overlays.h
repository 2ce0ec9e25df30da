/* The member "overlays" of a picture: a list of names, or of objects with options. */
#pragma once

#include "base/settings.h"
#include "base/value.h"

/* In the order of enum overlay, ended by NULL. */
extern const char *const overlay_names[OVERLAY_COUNT + 1];

/* The options of an overlay; NULL = it has none. */
const struct member_table *overlay_options(enum overlay overlay);

/* Reads the list into *out, which is the default before. list may be NULL: none. Joints are left
 * for who knows the rig. Fails with ERROR_INVALID_VALUE, ERROR_UNKNOWN_MEMBER or ERROR_TOO_LARGE,
 * and the place; an overlay that is asked for twice is ERROR_INVALID_VALUE. */
bool overlays_read(const struct value *list, struct overlay_settings *out, struct error *err);

/* Refuses them where a request has no use for them; why goes into the sentence: "a crowd". */
bool overlays_refuse(const struct overlay_settings *overlays, const char *what, struct error *err);
