/* Functions of one number to a lane, by polynomials of our own: the C library's last bits differ
 * from machine to machine. */
#pragma once

#include "base/lanes.h"

KERNEL lanes lanes_clamp(lanes a, float low, float high) {
	const lanes lifted = lanes_greater(a, low + (lanes){0});
	return lanes_less(lifted, high + (lanes){0});
}

KERNEL lanes lanes_mix(lanes a, lanes b, lanes share) {
	return a * (1 - share) + b * share;
}

/* The greatest whole number that is not above a, whose size is below 2^31. */
KERNEL lanes lanes_floor(lanes a) {
	const lanes whole = __builtin_convertvector(__builtin_convertvector(a, lane_mask), lanes);
	return whole - lanes_select(whole > a, 1 + (lanes){0}, (lanes){0});
}

typedef uint32_t lane_words __attribute__((vector_size(4 * LANE_COUNT)));

/* Of a positive number that is not denormal; error below 2.4e-7 of the result where that is less
 * than 1 in size, else of half a unit of its last place more. 0 counts as 2^-127, what is
 * negative as some number. */
KERNEL lanes lanes_log2(lanes a) {
	// The mantissa from the square root of a half to that of 2, so that 1 is in its middle.
	const lane_mask above = (lane_mask)((lane_words)a - 0x3f3504f3);
	const lanes exponent = __builtin_convertvector(above >> 23, lanes);
	const lanes mantissa = (lanes)((above & 0x7fffff) + 0x3f3504f3);
	const lanes s = (mantissa - 1) / (mantissa + 1), t = s * s;
	const lanes sum =
		2.885390043F + t * (0.9617988467F + t * (0.5767151713F + t * 0.4317176938F));
	return exponent + s * sum;
}

/* 2^a; error below 2e-7 of the result. Below 2^-126 it is that, above 2^127 that. */
KERNEL lanes lanes_exp2(lanes a) {
	const lanes bounded = lanes_clamp(a, -126, 127);
	const lanes whole = lanes_floor(bounded + 0.5F);
	const lanes x = bounded - whole;
	const lanes sum = 0.6931471825F +
		x *
			(0.2402265072F +
				x *
					(0.05550356954F +
						x *
							(0.009618083015F +
								x *
									(0.001339086331F +
										x * 0.0001545316336F))));
	const lane_mask power = (__builtin_convertvector(whole, lane_mask) + 127) << 23;
	return (1 + x * sum) * (lanes)power;
}

/* a^b with a > 0; error below 4e-7 of the result, times 1 + the size of its logarithm to base 2. */
KERNEL lanes lanes_power(lanes a, lanes b) {
	return lanes_exp2(b * lanes_log2(a));
}

/* Of so many turns, less than 2^31. */
KERNEL void lanes_turn(lanes turns, lanes *sine, lanes *cosine) {
	// Half the angle is within a quarter turn, where the series end at x^11.
	const lanes half = (turns - lanes_floor(turns + 0.5F)) * 3.14159265F;
	const lanes t = half * half;
	const lanes s = half *
		(1 +
			t *
				(-0.166666667F +
					t *
						(0.00833333333F +
							t *
								(-0.000198412698F +
									t *
										(2.75573192e-6F -
											t * 2.50521084e-8F)))));
	const lanes c = 1 +
		t *
			(-0.5F +
				t *
					(0.0416666667F +
						t *
							(-0.00138888889F +
								t *
									(2.48015873e-5F -
										t * 2.75573192e-7F))));
	*sine = 2 * (s * c);
	*cosine = 1 - 2 * (s * s);
}

/* Light in [0, 1] as sRGB; its power is a polynomial in the fourth root, within 5e-5 of it. */
KERNEL lanes lanes_encode(lanes light) {
	const lanes s = lanes_sqrt(light), q = lanes_sqrt(s);
	const lanes power = ((q * 0.1999536F) - 0.0650813F) +
		s * ((1.1120896F + q * -0.3234317F) + s * 0.0764925F);
	return lanes_select(light > 0.0031308F, power, light * 12.92F);
}

/* The light of a number in [0, 1] that is sRGB; error below 3e-6 of the result. */
KERNEL lanes lanes_decode(lanes encoded) {
	const lanes power = lanes_power((encoded + 0.055F) / 1.055F, 2.4F + (lanes){0});
	return lanes_select(encoded > 0.04045F, power, encoded / 12.92F);
}

/* The byte of a number in [0, 1], as a whole number. */
KERNEL lane_mask lanes_byte(lanes a) {
	return __builtin_convertvector(lanes_clamp(a, 0, 1) * 255 + 0.5F, lane_mask);
}

/* The shortest vector with a direction, squared; a shorter one stays short. */
#define LANES_LEAST_SQUARE 1e-20F

KERNEL struct lanes3 lanes3_unit(struct lanes3 a) {
	const lanes square = lanes_greater(lanes3_dot(a, a), LANES_LEAST_SQUARE + (lanes){0});
	return lanes3_scale(a, 1 / lanes_sqrt(square));
}

/* --- Pairs of 16-bit numbers in a lane --- */

/* The sums of both products of pairs of 16-bit numbers. */
#if LANE_COUNT == 16
#define PAIR_PRODUCTS(a, b) ((lane_mask)_mm512_madd_epi16((__m512i)(a), (__m512i)(b)))
#elif LANE_COUNT == 8
#define PAIR_PRODUCTS(a, b) ((lane_mask)_mm256_madd_epi16((__m256i)(a), (__m256i)(b)))
#elif defined(__SSE2__)
#define PAIR_PRODUCTS(a, b) ((lane_mask)_mm_madd_epi16((__m128i)(a), (__m128i)(b)))
#else
#define LOWER(a) (((a) << 16) >> 16)
#define PAIR_PRODUCTS(a, b) (LOWER(a) * LOWER(b) + ((a) >> 16) * ((b) >> 16))
#endif

KERNEL lane_mask pair(lane_mask low, lane_mask high) {
	return (low & 0xffff) | high << 16;
}
