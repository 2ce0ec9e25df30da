/* The member "shading" of a picture: what its surfaces are coloured by. It stands beside others in
 * one object, so reading begins before that is read, and ends behind. */
#pragma once

#include "base/settings.h"
#include "base/value.h"

#define SHADING_MEMBERS 1

/* What was there and is to be looked at further. */
struct shading_members {
	const struct value *shading; // NULL = absent
};

/* Makes *out the defaults and lists the member, for value_read_members() to fill *found. */
void shading_begin(struct shading_members *found, struct shading_settings *out,
	struct member members[static SHADING_MEMBERS]);

/* Fills in *out: the name of a mode, or an object of it as "mode" and its options. Fails with
 * ERROR_INVALID_VALUE or ERROR_UNKNOWN_MEMBER, and the place. */
bool shading_end(
	const struct shading_members *found, struct shading_settings *out, struct error *err);
