/* Reads symbols, or has them recorded: Duda's asymmetric numeral systems with ranges, 16 bits at a
 * time. Internal to the decoder. Inline, so that a sample is read with the coder in registers. */
#pragma once

#include "pclip_model.h"
#include "pclip_wide.h"

/* PCLIP_NO_SSE2 is for tests of the plain code. */
#if defined(__SSE2__) && defined(__GNUC__) && !defined(PCLIP_NO_SSE2)
#define PCLIP_SSE2
#include <emmintrin.h>
#endif

#define PCLIP_STATE_MIN (1u << 16) // where the coder's state begins

enum {
	PCLIP_ESCAPE = PCLIP_SYMBOLS - 1, // the symbol before a greater number
	PCLIP_LEVELS = 18,
	PCLIP_TRACK_KINDS = PCLIP_KINDS + 1, // and morph weights
};

/* The tables of symbols. */
enum {
	TABLE_RESIDUAL = 0, // by activity and level
	TABLE_FIRST = TABLE_RESIDUAL + 3 * PCLIP_LEVELS,
	TABLE_CLASS = TABLE_FIRST + 4, // by kind and the class before
	TABLE_CLASS_AGAIN = TABLE_CLASS + 3 * PCLIP_TRACK_KINDS,
	TABLE_BASE = TABLE_CLASS_AGAIN + 3 * PCLIP_TRACK_KINDS, // of the first clip, and of others
	TABLE_MOVES = TABLE_BASE + 2, // by kind: of the first, then after still and moving
	TABLE_UNIT = TABLE_MOVES + 3 * PCLIP_KINDS,
	TABLE_STILL = TABLE_UNIT + 2, // rotations, translations, others, and all again
	TABLE_STEP = TABLE_STILL + 4,
	TABLE_PREDICTOR = TABLE_STEP + 2,
	TABLE_MAGNITUDE = TABLE_PREDICTOR + 2,
	TABLE_SHAPE = TABLE_MAGNITUDE + 2, // of splines; their knots, and what is between those by
	TABLE_KNOTS,                       // the length of the one before
	TABLE_GAP,
	TABLES = TABLE_GAP + 4,
};
_Static_assert((int)TABLES == (int)PCLIP_TABLES, "the header says how many there are");

/* sure: two bytes are left. That they are wanted cannot be foreseen, so that no branch depends on
 * it. */
PCLIP_INLINE void pclip_refill(struct pclip_coder *coder, bool sure) {
	const int64_t low = ((int64_t)coder->state - (int64_t)PCLIP_STATE_MIN) >> 63;
	if (!sure && coder->end - coder->at < 2) {
		coder->failed |= low != 0;
		coder->state = low ? PCLIP_STATE_MIN : coder->state;
		return;
	}
	const uint32_t next = (uint32_t)(coder->at[0] | coder->at[1] << 8);
	const uint32_t refilled = coder->state << 16 | next;
	coder->state += (refilled - coder->state) & (uint32_t)low;
	coder->at -= 2 * low;
}

#ifdef PCLIP_SSE2
/* A bit for each symbol that begins above a number, or ends there. */
PCLIP_INLINE uint64_t pclip_above(const uint16_t first[PCLIP_ROW], uint32_t number) {
	const __m128i sought = _mm_set1_epi16((short)number);
	const __m128i lower = _mm_loadu_si128((const __m128i *)(const void *)(first + 1));
	const __m128i upper = _mm_loadu_si128((const __m128i *)(const void *)(first + 9));
	return (unsigned)_mm_movemask_epi8(
		_mm_packs_epi16(_mm_cmpgt_epi16(lower, sought), _mm_cmpgt_epi16(upper, sought)));
}
#endif

/* The symbol of a table, of which first has where each begins, that a number below 4096 is of. */
PCLIP_INLINE unsigned pclip_find_symbol(const uint16_t first[PCLIP_ROW], uint32_t number) {
#ifdef PCLIP_SSE2
	return (unsigned)__builtin_ctzll(pclip_above(first, number));
#else
	unsigned found = 0;
	while (first[found + 1] <= number) {
		found++;
	}
	return found;
#endif
}

/* The same in one of three tables, so many rows from one to the next. All are searched, since it
 * takes longer to find out which one it is. */
PCLIP_INLINE unsigned pclip_find_symbol_of(
	const uint16_t *first, size_t rows, unsigned which, uint32_t number) {
#ifdef PCLIP_SSE2
	const uint64_t above = pclip_above(first, number) |
		pclip_above(first + rows * PCLIP_ROW, number) << 16 |
		pclip_above(first + 2 * rows * PCLIP_ROW, number) << 32;
	return (unsigned)__builtin_ctzll(above >> (16 * which));
#else
	return pclip_find_symbol(first + which * rows * PCLIP_ROW, number);
#endif
}

/* Goes on behind a symbol that was found in a table. */
PCLIP_INLINE void pclip_leave_symbol(
	struct pclip_coder *coder, const uint16_t *first, size_t found, bool sure) {
	const uint32_t at = coder->state & ((1u << PCLIP_PROBABILITY_BITS) - 1);
	coder->state = (uint32_t)(first[found + 1] - first[found]) *
			(coder->state >> PCLIP_PROBABILITY_BITS) +
		at - first[found];
	pclip_refill(coder, sure);
}

PCLIP_INLINE int pclip_read_symbol(struct pclip_coder *coder, int table, bool sure) {
	const uint16_t *first = coder->tables->first[table];
	const uint32_t at = coder->state & ((1u << PCLIP_PROBABILITY_BITS) - 1);
	const int found = (int)pclip_find_symbol(first, at);
	pclip_leave_symbol(coder, first, (size_t)found, sure);
	return found;
}

PCLIP_INLINE int pclip_code_symbol(struct pclip_coder *coder, int table, int symbol) {
	if (coder->record) {
		coder->record(coder->recorder, table, symbol, 0);
		return symbol;
	}
	return pclip_read_symbol(coder, table, false);
}

PCLIP_INLINE int pclip_read_plain(struct pclip_coder *coder, int bits, bool sure) {
	const uint32_t number = coder->state & ((1u << bits) - 1);
	coder->state >>= bits;
	pclip_refill(coder, sure);
	return (int)number;
}

/* So many bits, at most 16, all numbers equally likely. */
PCLIP_INLINE int pclip_code_plain(struct pclip_coder *coder, int bits, int number) {
	if (coder->record) {
		coder->record(coder->recorder, -1, number, bits);
		return number;
	}
	return pclip_read_plain(coder, bits, false);
}

PCLIP_INLINE int pclip_bit_length(uint32_t number) {
#ifdef __GNUC__
	return number ? 32 - __builtin_clz(number) : 0;
#else
	int length = 0;
	for (; number > 0; number >>= 1) {
		length++;
	}
	return length;
#endif
}

/* The bits below the highest one of a number of so many + 1; those above the twelfth come first. */
PCLIP_INLINE uint32_t pclip_code_below(struct pclip_coder *coder, int bits, uint32_t number) {
	const int high = bits > 12 ? bits - 12 : 0, low = bits - high;
	const uint32_t upper = high
		? (uint32_t)pclip_code_plain(coder, high, (int)(number >> 12 & ((1u << high) - 1)))
		: 0;
	const uint32_t lower =
		low ? (uint32_t)pclip_code_plain(coder, low, (int)(number & ((1u << low) - 1))) : 0;
	return 1u << bits | upper << 12 | lower;
}

/* A number >= 0: the symbol is its length in bits, or PCLIP_ESCAPE before a greater one. */
static inline int32_t pclip_code_size(struct pclip_coder *coder, int table, int32_t number) {
	int length = pclip_bit_length((uint32_t)number);
	const int symbol =
		pclip_code_symbol(coder, table, length < PCLIP_ESCAPE ? length : PCLIP_ESCAPE);
	length = symbol < PCLIP_ESCAPE ? symbol : pclip_code_plain(coder, 5, length);
	if (length > 30) {
		coder->failed = true;
		return 0;
	}
	return length ? (int32_t)pclip_code_below(coder, length - 1, (uint32_t)number) : 0;
}

static inline int32_t pclip_code_signed(struct pclip_coder *coder, int table, int32_t number) {
	const int32_t size =
		pclip_code_size(coder, table, number < 0 ? -2 * number - 1 : 2 * number);
	return size & 1 ? -(size >> 1) - 1 : size >> 1;
}
