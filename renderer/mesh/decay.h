/* e^-x on doubles of four lanes, the same bits on every machine: libm's differs with the
 * instructions that the processor has. */
#pragma once

#include <stdint.h>
#include <string.h>

typedef double doubles4 __attribute__((vector_size(32)));
typedef int64_t longs4 __attribute__((vector_size(32)));

/* *out = e^-x for *x in [0, 700], relative error below 1e-15. e^-x = 2^-k e^-r with |r| <= ln(2) /
 * 2, by Taylor's series. */
static inline void decay(const doubles4 *from, doubles4 *out) {
	const doubles4 x = *from;
	const double magic = 0x1.8p52; // added, it rounds to whole numbers in the low bits
	const doubles4 shifted = x * 0x1.71547652b82fep0 + magic;
	const doubles4 k = shifted - magic;
	const doubles4 r =
		k * 0x1.62e42fee00000p-1 - x + k * 0x1.a39ef35793c76p-33; // = -(x - k ln 2)
	static const double inverse_factorials[] = {1.0 / 6227020800, 1.0 / 479001600,
		1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
		1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1};
	doubles4 sum = r * 0;
	for (unsigned i = 0; i < sizeof inverse_factorials / sizeof *inverse_factorials; i++) {
		sum = sum * r + inverse_factorials[i];
	}
	longs4 bits, exponent;
	memcpy(&bits, &shifted, sizeof bits);
	exponent = (1023 - (bits - 0x4338000000000000)) << 52;
	doubles4 power;
	memcpy(&power, &exponent, sizeof power);
	*out = sum * power;
}
