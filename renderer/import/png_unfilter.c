// Filters of PNGs, a pixel at a time: its four channels are numbers of 16 bits in a register.
#include "import/png_plain.h"

#include <emmintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum filter { NONE, SUB, UP, AVERAGE, PAETH };

#define INLINE __attribute__((always_inline)) static inline

INLINE __m128i load(const unsigned char *bytes) {
	int32_t pixel;
	memcpy(&pixel, bytes, sizeof pixel);
	return _mm_cvtsi32_si128(pixel);
}

INLINE __m128i widen(__m128i bytes) {
	return _mm_unpacklo_epi8(bytes, _mm_setzero_si128());
}

/* Stores the first pixel of two; RGB gets its alpha. */
INLINE void store(__m128i bytes, int channels, unsigned char *out) {
	const int32_t opaque = channels == 3 ? (int32_t)0xff000000 : 0;
	const int32_t pixel = _mm_cvtsi128_si32(bytes) | opaque;
	memcpy(out, &pixel, sizeof pixel);
}

INLINE __m128i magnitude(__m128i a) {
	return _mm_max_epi16(a, _mm_sub_epi16(_mm_setzero_si128(), a));
}

INLINE __m128i choose(__m128i mask, __m128i yes, __m128i no) {
	return _mm_or_si128(_mm_and_si128(mask, yes), _mm_andnot_si128(mask, no));
}

/* The neighbour on the left, above, or above on the left that is nearest to left + above - corner;
 * the first of equals. */
INLINE __m128i paeth(__m128i left, __m128i above, __m128i corner) {
	const __m128i by_left = _mm_sub_epi16(above, corner);
	const __m128i by_above = _mm_sub_epi16(left, corner);
	const __m128i to_left = magnitude(by_left), to_above = magnitude(by_above);
	const __m128i to_corner = magnitude(_mm_add_epi16(by_left, by_above));
	const __m128i least = _mm_min_epi16(_mm_min_epi16(to_left, to_above), to_corner);
	return choose(_mm_cmpeq_epi16(least, to_left), left,
		choose(_mm_cmpeq_epi16(least, to_above), above, corner));
}

INLINE __m128i predict(enum filter filter, __m128i left, __m128i above, __m128i corner) {
	switch (filter) {
	case NONE:
		break;
	case SUB:
		return left;
	case UP:
		return above;
	case AVERAGE:
		return _mm_srli_epi16(_mm_add_epi16(left, above), 1);
	case PAETH:
		return paeth(left, above, corner);
	}
	return _mm_setzero_si128();
}

INLINE __m128i add(__m128i difference, __m128i prediction) {
	return _mm_and_si128(_mm_add_epi16(difference, prediction), _mm_set1_epi16(0xff));
}

INLINE void undo(enum filter filter, int channels, size_t width, const unsigned char *in,
	const unsigned char *above, unsigned char *out) {
	__m128i left = _mm_setzero_si128(), corner = left;
	for (size_t x = 0; x < width; x++) {
		const __m128i up = widen(load(above + 4 * x));
		left = add(
			widen(load(in + (size_t)channels * x)), predict(filter, left, up, corner));
		corner = up;
		store(_mm_packus_epi16(left, left), channels, out + 4 * x);
	}
}

INLINE bool undo_row(int filter, int channels, size_t width, const unsigned char *in,
	const unsigned char *above, unsigned char *out) {
	switch (filter) {
	case NONE:
		undo(NONE, channels, width, in, above, out);
		return true;
	case SUB:
		undo(SUB, channels, width, in, above, out);
		return true;
	case UP:
		undo(UP, channels, width, in, above, out);
		return true;
	case AVERAGE:
		undo(AVERAGE, channels, width, in, above, out);
		return true;
	case PAETH:
		undo(PAETH, channels, width, in, above, out);
		return true;
	default:
		return false;
	}
}

/* Rows at once, as many as fill registers: each row is a pixel behind the one above it, since a
 * pixel waits for the one on its left, and a processor has nothing else to do meanwhile. A pair of
 * rows shares a register, the lower one in its upper half. */
#define PAIRS 2

struct pair {
	const unsigned char *in; // of the upper row, without the filter's number
	unsigned char *out;
	__m128i left, corner;
};

INLINE bool is_inside(ptrdiff_t x, size_t width) {
	return x >= 0 && x < (ptrdiff_t)width;
}

/* Undoes pixel x of a pair's upper row, and the one before it of its lower row. */
INLINE void undo_step(int channels, size_t width, ptrdiff_t x, __m128i up, struct pair *pair) {
	const size_t stride = 1 + (size_t)channels * width;
	const bool upper = is_inside(x, width), lower = is_inside(x - 1, width);
	const __m128i none = _mm_setzero_si128();
	const __m128i pixel = upper ? load(pair->in + channels * x) : none;
	const __m128i below = lower ? load(pair->in + stride + channels * (x - 1)) : none;
	const __m128i change = widen(_mm_unpacklo_epi32(pixel, below));
	pair->left = add(change, paeth(pair->left, up, pair->corner));
	pair->corner = up;
	const __m128i bytes = _mm_packus_epi16(pair->left, pair->left);
	if (upper) {
		store(bytes, channels, pair->out + 4 * x);
	}
	if (lower) {
		store(_mm_srli_epi64(bytes, 32), channels, pair->out + 4 * (width + (size_t)x - 1));
	}
}

INLINE void undo_pairs(int pairs, int channels, size_t width, const unsigned char *in,
	const unsigned char *above, unsigned char *out) {
	const size_t stride = 1 + (size_t)channels * width;
	struct pair rows[PAIRS];
	for (int i = 0; i < pairs; i++) {
		rows[i].in = in + 2 * (size_t)i * stride;
		rows[i].out = out + 8 * (size_t)i * width;
		rows[i].left = rows[i].corner = _mm_setzero_si128();
	}
	const ptrdiff_t end = (ptrdiff_t)width + 2 * pairs - 1;
	for (ptrdiff_t x = 0; x < end; x++) {
		// Those above are from the step before: from below to above.
		for (int i = pairs - 1; i > 0; i--) {
			const __m128i up = _mm_unpacklo_epi64(
				_mm_srli_si128(rows[i - 1].left, 8), rows[i].left);
			undo_step(channels, width, x - 2 * i, up, &rows[i]);
		}
		const __m128i top = is_inside(x, width) ? load(above + 4 * x) : _mm_setzero_si128();
		undo_step(
			channels, width, x, _mm_unpacklo_epi64(widen(top), rows[0].left), &rows[0]);
	}
}

/* Undoes Paeth's filter of as many rows as have it and fit; -> their number. */
INLINE size_t undo_paeth(int channels, size_t width, size_t count, const unsigned char *in,
	const unsigned char *above, unsigned char *out) {
	const size_t stride = 1 + (size_t)channels * width;
	size_t same = 0;
	while (same < count && same < 2 * PAIRS && in[same * stride] == PAETH) {
		same++;
	}
	if (same == 2 * PAIRS) {
		undo_pairs(PAIRS, channels, width, in + 1, above, out);
	} else if (same >= 2) {
		undo_pairs(1, channels, width, in + 1, above, out);
	}
	return same == 2 * PAIRS ? same : same & 2;
}

INLINE bool undo_rows(const struct png_rows *rows, int channels) {
	const size_t stride = 1 + (size_t)channels * rows->width;
	const unsigned char *in = rows->filtered, *above = rows->above;
	unsigned char *out = rows->rgba;
	for (size_t y = 0; y < rows->count;) {
		size_t done = undo_paeth(channels, rows->width, rows->count - y, in, above, out);
		if (done == 0 && undo_row(in[0], channels, rows->width, in + 1, above, out)) {
			done = 1;
		}
		if (done == 0) {
			return false;
		}
		y += done;
		in += done * stride;
		out += done * 4 * rows->width;
		above = out - 4 * rows->width;
	}
	return true;
}

bool png_unfilter(const struct png_rows *rows) {
	return rows->channels == 3 ? undo_rows(rows, 3) : undo_rows(rows, 4);
}
