/* Basis Universal's two formats of texture data -> RGBA: ETC1S, supercompressed by BasisLZ, and
 * UASTC. Sources: Khronos' KTX File Format Specification 2.0, appendices BasisLZ Global Data and
 * BasisLZ/ETC1S Bitstream; Khronos' Data Format Specification 1.4, chapters ETC1S and UASTC. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/material.h"

/* Texels of a block's side, in both formats. */
#define BASIS_SIDE 4

/* Bytes of a UASTC block. */
#define BASIS_UASTC_BYTES 16

/* A part of a file; borrowed. */
struct basis_bytes {
	const unsigned char *data;
	size_t size;
};

/* The parts of an image in ETC1S. */
struct basis_etc1s {
	unsigned endpoint_count, selector_count;         // of the codebooks
	struct basis_bytes endpoints, selectors, tables; // global data of the file
	struct basis_bytes slice, second_slice;          // second_slice.size 0: there is none
	int second_channel;                              // of RGBA, which the second slice fills
};

/* Decodes the blocks into image->rgba, which is allocated for its size. Alpha is 255 unless the
 * second slice is alpha. Fails with ERROR_BROKEN_ASSET, or ERROR_TOO_LARGE if memory is out. */
bool basis_etc1s_decode(
	const struct basis_etc1s *etc1s, const struct image *image, struct error *err);

/* The same for UASTC; the caller promises BASIS_UASTC_BYTES of blocks for each 4 x 4 texels, row by
 * row. */
bool basis_uastc_decode(const unsigned char *blocks, const struct image *image, struct error *err);

/* Blocks that cover so many texels. */
static inline size_t basis_block_count(int texels) {
	return ((size_t)texels + BASIS_SIDE - 1) / BASIS_SIDE;
}
