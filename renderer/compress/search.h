/* The search for the coarsest numbers that keep a tolerance: joints' numbers are rounded together
 * so that the error at the shell stays in bounds with as coarse steps as can be. */
#pragma once

#include "base/stop.h"
#include "compress/measure.h"
#include "compress/pclip_write.h"
#include "compress/rounding.h"

/* Searches for the coarsest steps that keep the tolerance at all moments, with either way to round,
 * and writes the smaller of both.
 *
 * layout  laid out for the tolerance; what tracks and channels say of moving numbers is set here
 * first   tracks of the file's first clip; NULL = it is that
 * out     receives the clip's part of a file
 * False with *err empty when no steps keep the tolerance: what rests or is still takes too much of
 * it. Or with the stop's error. */
bool search_encode(struct layout *layout, const struct pclip_part *part,
	const struct pclip_track *first, const struct stop *stop, struct buffer *out,
	struct error *err);
