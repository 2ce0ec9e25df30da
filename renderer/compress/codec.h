/* The ways in which a clip's numbers are stored: one file and one row of the table each. */
#pragma once

#include "base/settings.h"
#include "base/stop.h"
#include "compress/layout.h"
#include "compress/symbols.h"
#include "pclip.h"

struct pclip_part;

struct codec {
	enum pclip_codec number;
	int segment_samples; // by default
	bool is_quick;       // in any case; see compress_options
	/* Finds the coarsest numbers that keep the tolerance and writes the clip's part of a file:
	 * search_encode(), or with the same promise. */
	bool (*encode)(struct layout *layout, const struct pclip_part *part,
		const struct pclip_track *first, const struct stop *stop, struct buffer *out,
		struct error *err);
	/* Sets what tracks and channels say of the codec's way to store values: [sample_count]
	 * [layout->channel_count]. segment_samples: 0 = one segment. */
	void (*prepare)(struct layout *layout, const int32_t *values, int segment_samples);
	/* Appends everything behind the clip's head; returns the clip's flags. */
	int (*write)(const struct layout *layout, const int32_t *values, int segment_samples,
		struct symbols *symbols, struct buffer *out);
};

#define CODEC_DECLARATION(id, name) extern const struct codec codec_##name;
PCLIP_CODECS(CODEC_DECLARATION)
#undef CODEC_DECLARATION

/* The codec of an enum motion_codec; NULL past those of .pclip files. The first one is the default.
 */
const struct codec *codec_at(int i);

/* By its name; NULL if there is none. */
const struct codec *codec_find(const char *name);
