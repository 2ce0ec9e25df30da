/* The members of a picture that say how it is lit, and what is on the ground: environment,
 * exposure, tone_mapping, lights, shadow, grid. They stand beside others in one object, so reading
 * begins before that is read, and ends behind. */
#pragma once

#include "base/settings.h"
#include "base/value.h"

#define LOOK_MEMBERS 6

/* What was there and is to be looked at further. */
struct look_members {
	int environment, tone_mapping; // of their enums
	bool lights;
};

/* Makes *out the defaults and lists the members, for value_read_members() to fill *out and
 * *found. */
void look_members_begin(struct look_members *found, struct look_settings *out,
	struct member members[static LOOK_MEMBERS]);

/* Fills in what is still missing of *out. */
void look_members_end(const struct look_members *found, struct look_settings *out);
