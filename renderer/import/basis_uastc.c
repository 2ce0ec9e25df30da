// UASTC: blocks of 4 x 4 texels in one of 19 modes, a subset of ASTC's in an order of its own.
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "import/basis.h"

#define TEXELS (BASIS_SIDE * BASIS_SIDE)

/* Values that endpoints have beside their bits. */
enum digits { BITS_ONLY, TRITS, QUINTS };

enum channels { CHANNELS_LA = 2, CHANNELS_RGB = 3, CHANNELS_RGBA = 4 };

/* The tables of a block's subsets. */
enum patterns { ONE_SUBSET, TWO_SUBSETS, TWO_SUBSETS_OF_MODE_7, THREE_SUBSETS };

/* Modes in the order of their numbers; 8 is that of blocks of one colour, whose bits are different.
 */
struct mode {
	unsigned char code, code_bits; // that a block begins with, lowest bit first
	unsigned char hints;           // bits behind it that only help other formats' transcoders
	enum channels channels;
	enum digits digits;
	unsigned char endpoint_bits; // besides digits
	unsigned char weight_bits;
	enum patterns patterns;
	unsigned char planes;
	unsigned char plane_bits; // of the channel in the second plane; 0 = that is alpha
};

#define SOLID_MODE 8

static const struct mode modes[] = {
	{0x01, 4, 15, CHANNELS_RGB, TRITS, 6, 4, ONE_SUBSET, 1, 0},
	{0x35, 6, 15, CHANNELS_RGB, BITS_ONLY, 8, 2, ONE_SUBSET, 1, 0},
	{0x1d, 5, 15, CHANNELS_RGB, BITS_ONLY, 4, 3, TWO_SUBSETS, 1, 0},
	{0x03, 5, 15, CHANNELS_RGB, TRITS, 2, 2, THREE_SUBSETS, 1, 0},
	{0x13, 5, 15, CHANNELS_RGB, QUINTS, 3, 2, TWO_SUBSETS, 1, 0},
	{0x0b, 5, 15, CHANNELS_RGB, BITS_ONLY, 8, 3, ONE_SUBSET, 1, 0},
	{0x1b, 5, 15, CHANNELS_RGB, QUINTS, 5, 2, ONE_SUBSET, 2, 2},
	{0x07, 5, 15, CHANNELS_RGB, QUINTS, 3, 2, TWO_SUBSETS_OF_MODE_7, 1, 0},
	{0x17, 5, 0, CHANNELS_RGBA, BITS_ONLY, 8, 0, ONE_SUBSET, 0, 0},
	{0x0f, 5, 23, CHANNELS_RGBA, BITS_ONLY, 4, 2, TWO_SUBSETS, 1, 0},
	{0x02, 3, 17, CHANNELS_RGBA, TRITS, 4, 4, ONE_SUBSET, 1, 0},
	{0x00, 2, 17, CHANNELS_RGBA, TRITS, 4, 2, ONE_SUBSET, 2, 2},
	{0x06, 3, 17, CHANNELS_RGBA, TRITS, 6, 3, ONE_SUBSET, 1, 0},
	{0x1f, 5, 23, CHANNELS_RGBA, BITS_ONLY, 8, 1, ONE_SUBSET, 2, 2},
	{0x0d, 5, 23, CHANNELS_RGBA, BITS_ONLY, 8, 2, ONE_SUBSET, 1, 0},
	{0x05, 7, 23, CHANNELS_LA, BITS_ONLY, 8, 4, ONE_SUBSET, 1, 0},
	{0x15, 6, 23, CHANNELS_LA, BITS_ONLY, 8, 2, TWO_SUBSETS, 1, 0},
	{0x25, 6, 23, CHANNELS_LA, BITS_ONLY, 8, 2, ONE_SUBSET, 2, 0},
	{0x09, 4, 15, CHANNELS_RGB, BITS_ONLY, 5, 5, ONE_SUBSET, 1, 0},
};

#define MODE_COUNT (sizeof modes / sizeof modes[0])

/* The subset of each texel, first texel lowest: a bit each, and two with three subsets. */
static const uint16_t two_subsets[] = {0xcccc, 0x8888, 0x1111, 0xecc8, 0x377f, 0xfeec, 0x0137,
	0x137f, 0xc800, 0x0013, 0xfe80, 0x17ff, 0x0017, 0x00ff, 0xfff0, 0x0fff, 0xff71, 0x8eff,
	0x08ce, 0x008c, 0x7310, 0xceff, 0x7331, 0x088c, 0xceef, 0x6666, 0xf00f, 0x5555, 0x0f0f,
	0x36c9};
static const uint16_t two_subsets_of_mode_7[] = {0x00f0, 0x4444, 0x0133, 0xcc80, 0xf0ff, 0x2222,
	0xffc8, 0xccce, 0x3c03, 0x00ee, 0x7700, 0x3003, 0x00ce, 0xff80, 0x6fff, 0x1333, 0x11ff,
	0x136c, 0x00ef};
static const uint32_t three_subsets[] = {0xa5a50000, 0xaa005555, 0xaa000055, 0x0000aa55, 0x25252525,
	0x94949494, 0x58585858, 0x56560202, 0x92929292, 0x55aa0055, 0xa05050a0};

/* A block, from its lowest bit on. */
struct block {
	uint64_t low, high;
};

static unsigned take(struct block *block, int count) {
	const unsigned value = (unsigned)(block->low & ((1U << count) - 1));
	if (count > 0) {
		block->low = block->low >> count | block->high << (64 - count);
		block->high >>= count;
	}
	return value;
}

static uint64_t read_u64(const unsigned char bytes[static 8]) {
	uint64_t value = 0;
	for (int i = 7; i >= 0; i--) {
		value = value << 8 | bytes[i];
	}
	return value;
}

/* The subset of each texel, by the pattern that the block names; false if there is no such one. */
static bool take_pattern(
	struct block *block, enum patterns patterns, unsigned char subsets[static TEXELS]) {
	memset(subsets, 0, TEXELS);
	if (patterns == ONE_SUBSET) {
		return true;
	}
	const unsigned pattern = take(block, patterns == THREE_SUBSETS ? 4 : 5);
	const size_t count = patterns == THREE_SUBSETS ? sizeof three_subsets / sizeof(uint32_t)
		: patterns == TWO_SUBSETS              ? sizeof two_subsets / sizeof(uint16_t)
					  : sizeof two_subsets_of_mode_7 / sizeof(uint16_t);
	if (pattern >= count) {
		return false;
	}
	for (int i = 0; i < TEXELS; i++) {
		subsets[i] = patterns == THREE_SUBSETS ? three_subsets[pattern] >> 2 * i & 3
			: patterns == TWO_SUBSETS      ? two_subsets[pattern] >> i & 1
						       : two_subsets_of_mode_7[pattern] >> i & 1;
	}
	return true;
}

/* Trits five to a byte, or quints three to seven bits, for so many endpoints. */
static void take_digits(struct block *block, enum digits digits, int count, unsigned char *values) {
	static const int bits_of_trits[] = {0, 2, 4, 5, 7, 8};
	const int group = digits == TRITS ? 5 : 3;
	const unsigned base = digits == TRITS ? 3 : 5;
	for (int i = 0; digits != BITS_ONLY && i < count; i += group) {
		const int here = count - i < group ? count - i : group;
		unsigned packed = take(block, digits == TRITS ? bits_of_trits[here] : 7);
		for (int k = 0; k < here; k++, packed /= base) {
			values[i + k] = (unsigned char)(packed % base);
		}
	}
}

/* ASTC's colour unquantisation: a digit and bits to 0..255. */
static unsigned unquantise(enum digits digits, unsigned digit, unsigned value, int bits) {
	static const unsigned char steps[][7] = {
		[TRITS] = {[2] = 93, [4] = 22, [6] = 5},
		[QUINTS] = {[3] = 26, [5] = 6},
	};
	const unsigned all = value & 1 ? 0x1ff : 0, high = value >> 1;
	if (digits == BITS_ONLY) {
		const unsigned twice = value << bits | value;
		return bits == 8 ? value : bits == 5 ? twice >> 2 : twice;
	}
	// The bits above the lowest once at the top of nine, and what fits of them at the bottom.
	const unsigned spread = digits == TRITS && bits == 2 ? high * 0x116
		: digits == TRITS && bits == 6               ? high << 4 | high >> 4
		: digits == QUINTS && bits == 3              ? high << 7 | high << 1 | high >> 1
		: digits == QUINTS                           ? high << 5 | high >> 3
							     : high << 6 | high;
	const unsigned sum = (digit * steps[digits][bits] + spread) ^ all;
	return (all & 0x80) | sum >> 2;
}

/* Endpoints as RGBA, the low ones before the high ones: [subset][low or high][channel]. */
static void take_endpoints(struct block *block, const struct mode *mode, int subset_count,
	unsigned char endpoints[static 3][2][4]) {
	unsigned char digits[18] = {0};
	const int channels = (int)mode->channels, count = subset_count * channels * 2;
	assert(count <= (int)sizeof digits);
	take_digits(block, mode->digits, count, digits);
	for (int i = 0; i < count; i++) {
		const unsigned value = take(block, mode->endpoint_bits);
		const unsigned whole =
			unquantise(mode->digits, digits[i], value, mode->endpoint_bits);
		unsigned char *out = endpoints[i / (2 * channels)][i % 2];
		const int channel = i / 2 % channels;
		if (mode->channels != CHANNELS_LA) {
			out[channel] = (unsigned char)whole;
		} else if (channel == 0) {
			memset(out, (int)whole, 3);
		} else {
			out[3] = (unsigned char)whole;
		}
		if (mode->channels == CHANNELS_RGB) {
			out[3] = 255;
		}
	}
}

/* A weight of so many bits as 0..64. */
static unsigned unquantise_weight(unsigned weight, int bits) {
	const unsigned six = bits == 1 ? weight * 63
		: bits == 2            ? weight * 21
		: bits == 3            ? weight * 9
		: bits == 4            ? weight << 2 | weight >> 2
				       : weight << 1 | weight >> 4;
	return six > 32 ? six + 1 : six;
}

/* The weights of each texel in both planes. A subset's first texel has a bit less. */
static void take_weights(struct block *block, const struct mode *mode,
	const unsigned char subsets[static TEXELS], unsigned char weights[static TEXELS][2]) {
	bool seen[3] = {false};
	for (int i = 0; i < TEXELS; i++) {
		const int bits = mode->weight_bits - (seen[subsets[i]] ? 0 : 1);
		seen[subsets[i]] = true;
		for (int plane = 0; plane < mode->planes; plane++) {
			weights[i][plane] = (unsigned char)unquantise_weight(
				take(block, bits), mode->weight_bits);
		}
	}
}

/* As ASTC's decode_unorm8 does: in 16 bits, of which the upper eight count. */
static unsigned char between(unsigned low, unsigned high, unsigned weight) {
	return (unsigned char)((low * 257 * (64 - weight) + high * 257 * weight + 32) >> 14);
}

static bool decode_interpolated(
	struct block *block, const struct mode *mode, unsigned char texels[static TEXELS][4]) {
	static const int subset_counts[] = {1, 2, 2, 3};
	unsigned char subsets[TEXELS], endpoints[3][2][4], weights[TEXELS][2];
	if (!take_pattern(block, mode->patterns, subsets)) {
		return false;
	}
	const unsigned second = mode->plane_bits > 0 ? take(block, mode->plane_bits) : 3;
	take_endpoints(block, mode, subset_counts[mode->patterns], endpoints);
	take_weights(block, mode, subsets, weights);
	for (int i = 0; i < TEXELS; i++) {
		unsigned char(*ends)[4] = endpoints[subsets[i]];
		for (unsigned k = 0; k < 4; k++) {
			const int plane = mode->planes == 2 && k == second;
			texels[i][k] = between(ends[0][k], ends[1][k], weights[i][plane]);
		}
	}
	return true;
}

static bool decode_block(const unsigned char bytes[static BASIS_UASTC_BYTES],
	unsigned char texels[static TEXELS][4]) {
	struct block block = {read_u64(bytes), read_u64(bytes + 8)};
	size_t i = 0;
	while (i < MODE_COUNT && (block.low & ((1U << modes[i].code_bits) - 1)) != modes[i].code) {
		i++;
	}
	if (i == MODE_COUNT) {
		return false;
	}
	take(&block, modes[i].code_bits);
	take(&block, modes[i].hints);
	if (i != SOLID_MODE) {
		return decode_interpolated(&block, &modes[i], texels);
	}
	for (int k = 0; k < 4; k++) {
		texels[0][k] = (unsigned char)take(&block, 8);
	}
	for (int texel = 1; texel < TEXELS; texel++) {
		memcpy(texels[texel], texels[0], 4);
	}
	return true;
}

/* The part of a block that lies in the image. */
static void put_block(
	const struct image *image, size_t x, size_t y, unsigned char texels[static TEXELS][4]) {
	const size_t width = (size_t)image->width, height = (size_t)image->height;
	const size_t left = width - BASIS_SIDE * x;
	for (size_t row = 0; row < BASIS_SIDE && BASIS_SIDE * y + row < height; row++) {
		memcpy(image->rgba + ((BASIS_SIDE * y + row) * width + BASIS_SIDE * x) * 4,
			texels[BASIS_SIDE * row], (left < BASIS_SIDE ? left : BASIS_SIDE) * 4);
	}
}

bool basis_uastc_decode(const unsigned char *blocks, const struct image *image, struct error *err) {
	const size_t blocks_x = basis_block_count(image->width);
	const size_t blocks_y = basis_block_count(image->height);
	unsigned char texels[TEXELS][4];
	for (size_t i = 0; i < blocks_x * blocks_y; i++) {
		if (!decode_block(blocks + BASIS_UASTC_BYTES * i, texels)) {
			return error_set(err, ERROR_BROKEN_ASSET,
				"KTX 2: UASTC block %zu is of a reserved mode or pattern", i);
		}
		put_block(image, i % blocks_x, i / blocks_x, texels);
	}
	return true;
}
