// Numbers as text: the shortest decimal that reads back as the same number.
//
// A float32 is scaled by a power of ten in double precision to an integer of 6, 7, 8 or 9 digits;
// the first that maps back to the float is taken. Six digits are always told apart by float32
// (FLT_DIG), so that a shorter decimal shows as trailing zeros of the six. Five times as fast as
// trying printf's precisions.
#include "base/number.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_DIGITS FLT_DIG
#define MOST_DIGITS FLT_DECIMAL_DIG

/* Beyond this decimal exponent a scale would need more than two exact powers of ten. */
#define MOST_EXPONENT 30

static double power_of_ten(int exponent) {
	// All of these are exact as doubles.
	static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
		1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	assert(exponent >= 0 && exponent <= 22);
	return powers[exponent];
}

/* x * 10^exponent for |exponent| <= 44, within two roundings. */
static double scale(double x, int exponent) {
	const int size = abs(exponent);
	if (size <= 22) {
		return exponent < 0 ? x / power_of_ten(size) : x * power_of_ten(size);
	}
	const int first = 22;
	return exponent < 0 ? x / power_of_ten(first) / power_of_ten(size - first)
			    : x * power_of_ten(first) * power_of_ten(size - first);
}

/* Whether every reader takes the decimal that is near back for x: it must stay x when moved by more
 * than the roundings of scale(), so that no halfway case depends on them. */
static bool reads_back(double near, float x) {
	const double slack = 4 * DBL_EPSILON * near;
	return (float)(near - slack) == x && (float)(near + slack) == x;
}

/* Writes digits (no trailing zeros but for "0") with the decimal point after the first one moved
 * by exponent: plain up to nine places to the left and five to the right, else as 1.5e-17. */
static size_t lay_out(const char *digits, int count, int exponent, char *out) {
	char *end = out;
	const bool plain = exponent >= -5 && exponent < 9;
	const int lead = plain ? exponent : 0;
	for (int i = lead; i < 0; i++) {
		*end++ = '0';
		if (i == lead) {
			*end++ = '.';
		}
	}
	for (int i = 0; i < count || i <= lead; i++) {
		if (i == lead + 1 && lead >= 0) {
			*end++ = '.';
		}
		*end++ = i < count ? digits[i] : '0';
	}
	if (!plain) {
		end += snprintf(end, 8, "e%d", exponent);
	}
	return (size_t)(end - out);
}

/* For what the fast way does not reach. Nine significant digits always read back. */
static size_t write_by_printf(float x, char *out) {
	for (int digits = 1; digits < MOST_DIGITS; digits++) {
		snprintf(out, NUMBER_TEXT_BYTES, "%.*g", digits, (double)x);
		if (strtof(out, NULL) == x) {
			return strlen(out);
		}
	}
	return (size_t)snprintf(out, NUMBER_TEXT_BYTES, "%.*g", MOST_DIGITS, (double)x);
}

static int to_digits(uint32_t integer, char *digits, int count) {
	for (int i = count - 1; i >= 0; i--) {
		digits[i] = (char)('0' + integer % 10);
		integer /= 10;
	}
	while (count > 1 && digits[count - 1] == '0') {
		count--;
	}
	return count;
}

/* The decimal exponent of a normal x > 0, or one less: log10(2), in 2^-18ths, times the binary one,
 * rounded down. */
static int decimal_exponent(float x) {
	uint32_t bits;
	memcpy(&bits, &x, sizeof bits);
	const int binary = (int)(bits >> 23) - 127;
	return (binary * 78913) >> 18;
}

/* To the nearest integer, halves to even, for 0 <= x < 2^51: beyond 2^52 doubles have no fractions.
 */
static double round_even(double x) {
	const double shift = 0x1p52;
	return (x + shift) - shift;
}

/* A decimal of some number of digits for x. */
struct decimal {
	double integer;
	bool reads_back;
};

static struct decimal round_to(float x, int exponent, int count) {
	const double integer = round_even(scale(x, count - 1 - exponent));
	return (struct decimal){integer, reads_back(scale(integer, exponent - (count - 1)), x)};
}

/* Small whole numbers: matrices and scales are full of them. */
static size_t write_whole(float x, char *out) {
	char digits[LEAST_DIGITS + 1];
	int count = 0;
	for (uint32_t rest = (uint32_t)x; rest > 0; rest /= 10) {
		digits[count++] = (char)('0' + rest % 10);
	}
	for (int i = 0; i < count; i++) {
		out[i] = digits[count - 1 - i];
	}
	return (size_t)count;
}

static size_t write_positive(float x, char *out) {
	if (x < 1e6f && x == (float)(uint32_t)x) {
		return write_whole(x, out);
	}
	int exponent = decimal_exponent(x);
	if (x < FLT_MIN || abs(exponent) > MOST_EXPONENT) {
		return write_by_printf(x, out);
	}
	if (scale(x, -exponent) >= 10) {
		exponent++;
	}
	// What some digits read back, more do, too. Most numbers need eight.
	int count = MOST_DIGITS - 1;
	struct decimal best = round_to(x, exponent, count);
	if (!best.reads_back) {
		best = round_to(x, exponent, ++count);
	}
	while (best.reads_back && count > LEAST_DIGITS && count < MOST_DIGITS) {
		const struct decimal less = round_to(x, exponent, count - 1);
		if (!less.reads_back) {
			break;
		}
		best = less;
		count--;
	}
	if (!best.reads_back) {
		return write_by_printf(x, out);
	}
	// 9.999996 rounds up to one digit more.
	const bool carried = best.integer >= power_of_ten(count);
	char digits[MOST_DIGITS + 1];
	const int used =
		to_digits((uint32_t)(carried ? best.integer / 10 : best.integer), digits, count);
	return lay_out(digits, used, exponent + carried, out);
}

size_t number_write_float(float x, char out[static NUMBER_TEXT_BYTES]) {
	assert(isfinite(x));
	if (x == 0) {
		out[0] = '0';
		return 1;
	}
	out[0] = '-';
	const size_t sign = x < 0;
	return sign + write_positive(fabsf(x), out + sign);
}

size_t number_write_integer(int64_t x, char out[static NUMBER_TEXT_BYTES]) {
	char digits[NUMBER_TEXT_BYTES];
	uint64_t rest = x < 0 ? -(uint64_t)x : (uint64_t)x;
	size_t count = 0;
	do {
		digits[count++] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest > 0);
	size_t length = 0;
	if (x < 0) {
		out[length++] = '-';
	}
	while (count > 0) {
		out[length++] = digits[--count];
	}
	return length;
}

size_t number_write_double(double x, char out[static NUMBER_TEXT_BYTES]) {
	assert(isfinite(x));
	for (int digits = DBL_DIG; digits < DBL_DECIMAL_DIG; digits++) {
		snprintf(out, NUMBER_TEXT_BYTES, "%.*g", digits, x + 0.0);
		if (strtod(out, NULL) == x) {
			return strlen(out);
		}
	}
	return (size_t)snprintf(out, NUMBER_TEXT_BYTES, "%.*g", DBL_DECIMAL_DIG, x);
}
