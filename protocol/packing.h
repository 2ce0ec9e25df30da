/* The members of a request for vertices that say in how few bytes they are wanted: what
 * "attributes" says of packed ones, "bits" and "compression". */
#pragma once

#include <stddef.h>

#include "base/settings.h"
#include "base/value.h"

/* The packed attributes. */
#define PACKED_POSITIONS "position:u16x3"
#define PACKED_NORMALS "normal:oct8x2"

/* "bits" and "compression", read into a struct packing_settings; and those of "compression". */
extern const struct member_table packing_members, compression_members;

/* True when a list of attributes names a packed one: then the list is packing_read()'s alone. */
bool packing_is_wanted(const struct value *attributes);

/* Fills in the settings from a request that was read by packing_members; many_frames tells whether
 * the answer has more than one, for which other defaults are best. */
bool packing_read(const struct value *request, bool many_frames, struct packing_settings *out,
	struct error *err);

/* Writes what Posed-Layout says of packed vertices of so many bytes each. Cut at size. */
void packing_layout(
	const struct packing_settings *settings, size_t stride, char *text, size_t size);

/* --- Attributes --- */

#define ATTRIBUTE_COUNT 3

/* The i-th attribute, i < ATTRIBUTE_COUNT. */
enum attribute_bits attribute_at(size_t i);

/* Name, and numbers per vertex. */
const char *attribute_name(enum attribute_bits attribute);
size_t attribute_width(enum attribute_bits attribute);
