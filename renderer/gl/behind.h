/* A copy of what lies behind surfaces with transmission: a picture of opaque surfaces in linear
 * light, drawn beside that which is wanted, as a texture with levels. */
#pragma once

#include "draw/back_end.h"

struct behind;

struct behind *behind_create(void);
void behind_destroy(struct behind *behind); // takes NULL

/* Begins that of a picture of this kind, cleared to its background. Fails with ERROR_INTERNAL, also
 * where the driver draws no floats of 16 bits. */
bool behind_begin(struct behind *behind, const struct target_kind *kind,
	const float color[static 4], struct error *err);

/* Has what follows drawn into the copy, and into what was drawn into before. */
void behind_draw_into(struct behind *behind);
void behind_draw_back(struct behind *behind);

/* Makes the texture of what was drawn so far, and binds it to TEXTURE_UNIT_BEHIND. */
void behind_use(struct behind *behind);
