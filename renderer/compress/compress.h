/* Clips to compressed files, for a bound on the error at the shell. */
#pragma once

#include "base/buffer.h"
#include "base/stop.h"
#include "compress/codec.h"
#include "compress/error_shell.h"
#include "model/rig.h"
#include "pclip_model.h"

struct compress_options {
	double tolerance_m; // > 0, of every point of the shell at every moment that is measured
	double shell_m;     // radius; 0 = error_shell_default_radius()
	double rate;        // samples a second; 0 = the clip's own
	const struct codec *codec; // NULL = the default
	int segment_samples; // decoded together: 0 = all, or a power of two from 2 to 32768; -1 =
			     // as is usual with the codec
	bool self_contained; // the file has the skeleton
	bool names;          // and the clips' names
	/* Counts of each symbol of the model are added here, for measuring its frequencies; or
	 * NULL.
	 */
	uint64_t (*counts)[PCLIP_SYMBOLS]; // [PCLIP_TABLES]
};

/* One compressed clip. */
struct compress_report {
	int sample_count;
	double rate, duration_s;
	double tolerance_m; // that was kept: as asked, but not below 1e-6 of the rig's size
	size_t bytes;       // of its part of the file
	struct shell_error error;
};

/* Compresses clips of a rig, by their positions, into one file, and measures what decoding its
 * bytes gives.
 *
 * reports  [clip_count], the caller's
 * Fails with ERROR_INVALID_VALUE where the tolerance cannot be kept, saying what could be,
 * ERROR_TOO_LARGE, or the stop's error. Any thread. */
bool compress_clips(const struct rig *rig, const int *clips, int clip_count,
	const struct compress_options *options, const struct stop *stop,
	struct compress_report *reports, struct buffer *out, struct error *err);
