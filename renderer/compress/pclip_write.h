/* Writes .pclip files; docs/clips.md has the format, clients/c/pclip.h reads it. */
#pragma once

#include "base/buffer.h"
#include "compress/layout.h"
#include "compress/symbols.h"

/* What a file says of one of its clips besides its tracks. */
struct pclip_part {
	int segment_samples; // 0 = one segment; else a power of two from 2 to 32768
	const char *name;    // NULL = files without names
	uint64_t (
		*counts)[PCLIP_SYMBOLS]; // [PCLIP_TABLES] how often symbols came is added; or NULL
};

/* Appends a clip's part of a file, coded with "best".
 *
 * first   tracks of the file's first clip; NULL = it is that
 * values  [sample_count][layout->channel_count] */
void pclip_write_part(const struct layout *layout, const struct pclip_part *part,
	const struct pclip_track *first, const int32_t *values, struct buffer *out);

/* Appends a file: header, the rig's skeleton if it is to be self-contained, and the clips' parts.
 * skeleton is pclip_skeleton_hash(). */
void pclip_write_file(const struct rig *rig, bool self_contained, bool names,
	const struct buffer *parts, int part_count, struct buffer *out);

/* The hash by which files refer to a rest pose: FNV-1a, 64 bits, of parents and rest transforms. */
uint64_t pclip_skeleton_hash(const struct rig *rig);
