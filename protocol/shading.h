/* The member "shading" of a picture: the mode that colours its surfaces. */
#pragma once

#include "base/settings.h"
#include "base/value.h"

/* The members of a shading that is an object. Its variants are bits of enum shading. */
extern const struct member_table shading_members;

/* Reads the name of a mode, or an object of it as "mode" and its options; value may be NULL: the
 * materials. Fails with ERROR_INVALID_VALUE or ERROR_UNKNOWN_MEMBER, and the place. */
bool shading_read(const struct value *value, struct shading_settings *out, struct error *err);
