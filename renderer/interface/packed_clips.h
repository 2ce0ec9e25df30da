/* Clips as the store keeps them: compressed within a tolerance, or with all their keys. Any thread.
 */
#pragma once

#include "base/buffer.h"
#include "interface/clips.h"

/* Joints times samples that are compressed where nobody has asked for it by a tolerance of their
 * own, and the most for which the encoder then searches: either is some ten seconds' work. */
#define PACK_UNASKED_MAX (1 << 20)
#define PACK_SEARCHED_MAX (1 << 18)

/* Kinds of tolerances. */
enum pack_tolerance {
	PACK_RAW,    // all keys are kept
	PACK_METRES, // at the shell
	PACK_SHARE,  // of the rig's diagonal at rest
	PACK_FIGURE, // metres for a figure of a human's size, in proportion for others; unasked
};

struct pack_job {
	const struct rig *rig;
	const struct clip *clip; // of the rig, but not among its clips
	const char *name;        // that it is to have
	double rate;             // that it was baked at
	enum pack_tolerance kind;
	double tolerance;        // > 0
	const struct stop *stop; // NULL = never
};

struct packed_clip {
	bool is_compressed;
	size_t bytes;                         // of the packed form
	double tolerance_m, error_m, shell_m; // if compressed: the greatest error at the shell
	const char
		*why_raw; // why it is not, though it should be; in the arena. NULL = it should not
};

/* Appends the packed form of a clip (model/clip_pack.h), compressed if it can be kept within the
 * tolerance and takes less room. Fails with ERROR_TOO_LARGE, and with the stop's error. */
bool renderer_pack_clip(const struct pack_job *job, struct arena *arena, struct buffer *out,
	struct packed_clip *report, struct error *err);

/* Appends the compressed file that renderer_compress_clips() made of a stored clip, with its name,
 * and sets the greatest error. False where it was made in another way or for other joints, or is
 * not compressed. */
bool renderer_stored_file(const struct rig *rig, const struct clip *clip, double tolerance_m,
	int segment_samples, struct buffer *out, double *error_m);

/* Describes a compressed clip; false for others. */
bool renderer_describe_packed(const struct clip *clip, struct packed_clip *out);

/* The clip with values in all its channels: itself, or a copy in the arena. */
const struct clip *renderer_expand_clip(
	const struct rig *rig, const struct clip *clip, struct arena *arena);
