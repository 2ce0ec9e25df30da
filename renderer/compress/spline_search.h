/* The search for the coarsest splines that keep a tolerance. */
#pragma once

#include "base/stop.h"
#include "compress/pclip_write.h"

/* Searches for the greatest tolerances of all tracks with which the poses keep the layout's at all
 * moments, and writes the splines, or with search_encode() in bits where that is smaller.
 * The same promise as search_encode(). */
bool spline_search_encode(struct layout *layout, const struct pclip_part *part,
	const struct pclip_track *first, const struct stop *stop, struct buffer *out,
	struct error *err);
