/* The members of a request for vertices that say in how few bytes they are wanted: what
 * "attributes" says of packed ones, "bits" and "compression". */
#pragma once

#include <stddef.h>

#include "base/settings.h"
#include "base/value.h"

/* What these members hold while a request is read. */
struct packing_members {
	int bits;
	const struct value *bits_place, *compression;
};

#define PACKING_MEMBERS 2

/* Fills in rows for the members, [PACKING_MEMBERS]. */
void packing_begin(struct packing_members *packing, struct member *members);

/* Whether a list of attributes names a packed one: then the list is packing_end()'s alone. */
bool packing_is_wanted(const struct value *attributes);

/* Fills in the settings; of many frames tells whether the answer has more than one, for which
 * other defaults are best. */
bool packing_end(const struct packing_members *packing, const struct value *attributes,
	bool many_frames, struct packing_settings *out, struct error *err);

/* Writes what Posed-Layout says of packed vertices of so many bytes each. Cut at size. */
void packing_layout(
	const struct packing_settings *settings, size_t stride, char *text, size_t size);
