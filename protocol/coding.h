/* The members of a picture request that say how much a file may lose: quality, lossless. Read like
 * those of picture.h. */
#pragma once

#include "base/settings.h"
#include "base/value.h"

#define CODING_MEMBERS 2

struct coding_members {
	bool lossless;
};

void coding_begin(struct coding_members *found, struct picture_settings *out,
	struct member members[static CODING_MEMBERS]);
void coding_end(const struct coding_members *found, struct picture_settings *out);
