/* Clips to compressed files, for a bound on the error at the shell, or at the skin itself. */
#pragma once

#include "base/buffer.h"
#include "base/stop.h"
#include "compress/codec.h"
#include "compress/skin_probe.h"
#include "model/rig.h"
#include "pclip_model.h"

struct compress_options {
	double tolerance_m; // > 0, of every point of the shell at every moment that is measured
	const struct skin_metric *skin; // whose error is reported, too; NULL = none is
	bool at_skin;              // the tolerance is that of its vertices, in place of the shell
	double shell_m;            // radius; 0 = error_shell_default_radius()
	double rate;               // samples a second; 0 = the clip's own
	const struct codec *codec; // NULL = the default
	int segment_samples; // decoded together: 0 = all, or a power of two from 2 to 32768; -1 =
			     // as is usual with the codec
	bool is_quick;       // with few trials instead of a search, but for the codec "bspline": a
		       // fraction of the time, for some 5 % more bytes
	int spline_ways;     // of spline_find.h, for the codec "bspline"; 0 = all
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
	double tolerance_m;       // that was kept: as asked, but not below 1e-6 of the rig's size
	size_t bytes;             // of its part of the file
	struct shell_error error; // at what the tolerance is for
	/* With options->skin: at the other of the shell and the skin. */
	struct shell_error other;
};

/* Compresses clips of a rig, by their positions, into one file, and measures what decoding its
 * bytes gives. At a skin, the vertices that stand for all others steer the encoder; as long as any
 * other one is off by more than the tolerance, it is tried again with that one among them, or
 * within less.
 *
 * reports  [clip_count], the caller's
 * Fails with ERROR_INVALID_VALUE where the tolerance cannot be kept, saying what could be,
 * ERROR_TOO_LARGE, the stop's error, or that of the skin. Any thread. */
bool compress_clips(const struct rig *rig, const int *clips, int clip_count,
	const struct compress_options *options, const struct stop *stop,
	struct compress_report *reports, struct buffer *out, struct error *err);

/* The same clip by clip. clips, options and what these point to are borrowed until the end. */
struct compression;
struct compression *compression_create(const struct rig *rig, const int *clips, int clip_count,
	const struct compress_options *options, const struct stop *stop);

/* Encodes the next clip; after an error only compression_destroy() may be called. */
bool compression_encode_next(struct compression *compression, struct error *err);

/* After the last clip: measures, and appends the file. */
bool compression_finish(struct compression *compression, struct compress_report *reports,
	struct buffer *out, struct error *err);

void compression_destroy(struct compression *compression);
