/* Writes .pclip files; docs/clips.md has the format, clients/c/pclip.h reads it. */
#pragma once

#include "base/buffer.h"
#include "compress/layout.h"
#include "compress/symbols.h"
#include "pclip.h"

struct codec;

/* Everything that a file says of one of its clips besides its tracks. */
struct pclip_part {
	const struct codec *codec;
	int segment_samples; // 0 = one segment; else a power of two from 2 to 32768
	bool is_quick;       // see compress_options
	int spline_ways;     // of spline_find.h, for the codec "bspline"; 0 = all
	const char *name;    // NULL = files without names
	uint64_t (
		*counts)[PCLIP_SYMBOLS]; // [PCLIP_TABLES] how often symbols came is added; or NULL
};

/* Appends a clip's part of a file.
 *
 * layout  its tracks and channels are completed by what the codec says of them
 * first   tracks of the file's first clip; NULL = it is that
 * values  [sample_count][layout->channel_count] */
void pclip_write_part(struct layout *layout, const struct pclip_part *part,
	const struct pclip_track *first, const int32_t *values, struct buffer *out);

/* Appends a file: header, the rig's skeleton if it is to be self-contained, and the clips' parts.
 * skeleton is pclip_skeleton_hash(). */
void pclip_write_file(const struct rig *rig, bool self_contained, bool names,
	const struct buffer *parts, int part_count, struct buffer *out);

/* Appends a file of one clip at even times with another rate and duration, and without its
 * skeleton, which whoever decodes it then has to know. */
void pclip_write_as(
	const struct pclip_file *file, double rate, double duration_s, struct buffer *out);

/* The hash by which files refer to a rest pose: FNV-1a, 64 bits, of parents and rest transforms. */
uint64_t pclip_skeleton_hash(const struct rig *rig);

/* Appends a number of so many bytes, little-endian; and one of seven bits a byte. */
void pclip_put(struct buffer *out, uint64_t number, int bytes);
void pclip_put_varint(struct buffer *out, size_t number);
