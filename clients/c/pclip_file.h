/* The reader of clips' bytes; internal to the decoder. */
#pragma once

#include "pclip.h"

/* Bytes being read. failed is set when there are too few. */
struct pclip_reader {
	const unsigned char *at, *end;
	bool failed;
};

const unsigned char *pclip_take(struct pclip_reader *reader, size_t count);
uint64_t pclip_take_number(struct pclip_reader *reader, int bytes); // little-endian, at most 8

/* Seven bits a byte, the lowest first; the highest bit says that more follow. */
uint32_t pclip_take_varint(struct pclip_reader *reader);

enum { PCLIP_LONG_INDEX = 1 }; // of a clip's flags: lengths of segments have four bytes

/* The parts of a clip, still to be read. */
struct pclip_parts {
	struct pclip_info info;
	int flags;
	struct pclip_reader ticks, head, index, segments;
	int segment_count;
	size_t spline_numbers; // knots and control points of splines
};

/* Finds those of the i-th clip. False for damage, or past the end. */
bool pclip_find_parts(const struct pclip_file *file, int i, struct pclip_parts *parts);

/* Knots and control points of the clip that has most of them. */
size_t pclip_most_spline_numbers(const struct pclip_file *file);

/* Samples of the clip that has most of them among those with times of their own. */
size_t pclip_most_ticks(const struct pclip_file *file);
