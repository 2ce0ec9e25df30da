/* The members of a picture request that say how much a file may lose: quality, lossless. Read like
 * those of picture.h. Who says a quality wants files that may lose something. */
#pragma once

#include "base/settings.h"
#include "base/value.h"

#define CODING_MEMBERS 2

struct coding_members {
	bool lossless;
	const struct value *lossless_place, *quality_place; // NULL = not said
};

void coding_begin(struct coding_members *found, struct picture_settings *out,
	struct member members[static CODING_MEMBERS]);
bool coding_end(
	const struct coding_members *found, struct picture_settings *out, struct error *err);
