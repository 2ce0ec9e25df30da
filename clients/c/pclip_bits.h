/* The codec "bits": every number of a segment in as many bits as their range there takes, so that
 * any sample is as near as any other. Internal to the decoder. */
#pragma once

#include "pclip_file.h"
#include "pclip_model.h"

enum {
	PCLIP_BITS_LENGTH = 5, // bits that say how many a channel's numbers have in a segment
	PCLIP_BITS_MAX = 26,   // of a number
};

/* A channel's numbers: in all samples, and in the segment that was read last. */
struct pclip_range {
	int32_t least, segment_least;
	uint32_t mask;         // of the bits that are added to the latter
	uint8_t width, length; // bits of what is added to either
};

struct pclip_bits {
	struct pclip_range *ranges; // [count]
	int segment;                // that was read last; -1 = none
	uint64_t at, stride;        // bits before its samples, and of each sample
};

/* Reads what a clip's body begins with, the range of each channel over all samples;
 * parts->segments is what follows. False for damage. */
bool pclip_open_bits(struct pclip_parts *parts, struct pclip_bits *bits, int count);

/* Reads a sample's numbers. False for damage. */
bool pclip_read_bits(const struct pclip_parts *parts, struct pclip_bits *bits, double *numbers,
	int count, int sample);
