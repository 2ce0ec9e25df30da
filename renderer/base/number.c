// Numbers as text: the shortest decimal that reads back as the same number.
//
// A float32 is scaled by a power of ten in double precision to an integer of 6, 7, 8 or 9 digits;
// the first that maps back to the float is taken. Six digits are always told apart by float32
// (FLT_DIG), so that a shorter decimal shows as trailing zeros of the six. A fifth of the time that
// JSON of vertices takes is saved against std::to_chars, which has other forms of exponents
// besides.
#include "base/number.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIN_DIGITS FLT_DIG
#define MAX_DIGITS FLT_DECIMAL_DIG

/* Beyond this decimal exponent a scale would need more than two exact powers of ten. */
#define MAX_EXPONENT 30

#define EXACT_POWERS 23

/* All of these are exact as doubles. */
static const double powers_of_ten[EXACT_POWERS] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
	1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* x * 10^exponent for |exponent| <= 44, within two roundings. */
static double scale(double x, int exponent) {
	const int size = abs(exponent), most = EXACT_POWERS - 1;
	const double first = powers_of_ten[size < most ? size : most];
	const double second = powers_of_ten[size < most ? 0 : size - most];
	return exponent < 0 ? x / first / second : x * first * second;
}

/* True when every reader takes the decimal that is near back for x: it must stay x when moved by
 * more than the roundings of scale(), so that no halfway case depends on them. */
static bool reads_back(double near, float x) {
	const double slack = 4 * DBL_EPSILON * near;
	return (float)(near - slack) == x && (float)(near + slack) == x;
}

/* Room for digits that are copied as a whole: copies of a fixed length take no loop. */
#define DIGITS_BYTES 16

/* A number of count digits with the decimal point after the first one moved by exponent, 0 to 8. */
static size_t lay_out_large(const char *digits, int count, int exponent, char *out) {
	const int whole = exponent + 1;
	if (count <= whole) {
		memcpy(out, digits, DIGITS_BYTES);
		memset(out + count, '0', (size_t)(whole - count));
		return (size_t)whole;
	}
	memcpy(out, digits, DIGITS_BYTES);
	out[whole] = '.';
	memmove(out + whole + 1, digits + whole, (size_t)(count - whole));
	return (size_t)count + 1;
}

/* Writes digits [DIGITS_BYTES] (no trailing zeros but for "0") with the decimal point after the
 * first one moved by exponent: plain up to nine places to the left and five to the right, else as
 * 1.5e-17. */
static size_t lay_out(const char *digits, int count, int exponent, char *out) {
	if (exponent >= 0 && exponent < 9) {
		return lay_out_large(digits, count, exponent, out);
	}
	if (exponent < 0 && exponent >= -5) {
		const size_t lead = (size_t)(1 - exponent);
		memcpy(out, "0.000000", 8);
		memcpy(out + lead, digits, DIGITS_BYTES);
		return lead + (size_t)count;
	}
	const size_t length = lay_out_large(digits, count, 0, out);
	return length + (size_t)snprintf(out + length, 8, "e%d", exponent);
}

/* For what the fast way does not reach. Nine significant digits always read back. */
static size_t write_by_printf(float x, char *out) {
	for (int digits = 1; digits < MAX_DIGITS; digits++) {
		snprintf(out, NUMBER_TEXT_BYTES, "%.*g", digits, (double)x);
		if (strtof(out, NULL) == x) {
			return strlen(out);
		}
	}
	return (size_t)snprintf(out, NUMBER_TEXT_BYTES, "%.*g", MAX_DIGITS, (double)x);
}

/* The MAX_DIGITS digits of an integer below 10^MAX_DIGITS. */
static void to_digits(uint32_t integer, char digits[static DIGITS_BYTES]) {
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";
	for (int at = MAX_DIGITS - 2; at > 0; at -= 2) {
		memcpy(digits + at, pairs + 2 * (integer % 100), 2);
		integer /= 100;
	}
	digits[0] = (char)('0' + integer);
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

/* A number whose digits are looked for. */
struct wanted {
	float x;
	double half;  // of the way to the next float32; 0 = those above and below are not as far
	int exponent; // decimal
};

static struct wanted wanted_make(float x) {
	uint32_t bits;
	memcpy(&bits, &x, sizeof bits);
	const uint64_t half_bits = ((uint64_t)(bits >> 23) - 127 - 24 + 1023) << 52;
	struct wanted wanted = {.x = x, .exponent = decimal_exponent(x)};
	if (bits << 9) {
		memcpy(&wanted.half, &half_bits, sizeof half_bits);
	}
	return wanted;
}

/* A decimal of some number of digits for x. */
struct decimal {
	double integer;
	int count; // digits
	bool reads_back;
};

static struct decimal round_slowly(const struct wanted *wanted, int count) {
	const int power = count - 1 - wanted->exponent;
	const double integer = round_even(scale(wanted->x, power));
	const bool reads = reads_back(scale(integer, -power), wanted->x);
	return (struct decimal){integer, count, reads};
}

/* The scaled distance from x nearly always decides whether the integer reads back, beyond the
 * rounding error on either side; only values close to halfway need a division. */
static inline struct decimal round_to(const struct wanted *wanted, int count) {
	const int power = count - 1 - wanted->exponent;
	const bool quick = power >= 0 && power < EXACT_POWERS;
	const double unit = quick ? powers_of_ten[power] : 0;
	const double exact = wanted->x * unit, integer = round_even(exact);
	const double room = wanted->half * unit - fabs(integer - exact);
	const double slack = 16 * DBL_EPSILON * integer;
	if (wanted->half * unit > 0 && fabs(room) > slack) {
		return (struct decimal){integer, count, room > 0};
	}
	return round_slowly(wanted, count);
}

/* If some number of digits reads back, more digits do, too. The number cannot be predicted, and
 * generating all digits is faster than growing them step by step. */
static struct decimal shortest(const struct wanted *wanted) {
	const struct decimal seven = round_to(wanted, MAX_DIGITS - 2);
	const struct decimal eight = round_to(wanted, MAX_DIGITS - 1);
	const struct decimal nine = round_to(wanted, MAX_DIGITS);
	const bool is_seven = eight.reads_back & seven.reads_back;
	if (is_seven) {
		const struct decimal six = round_to(wanted, MIN_DIGITS);
		return six.reads_back ? six : seven;
	}
	return (struct decimal){
		.integer = eight.reads_back ? eight.integer : nine.integer,
		.count = eight.reads_back ? eight.count : nine.count,
		.reads_back = eight.reads_back | nine.reads_back,
	};
}

/* Small whole numbers: matrices and scales are full of them. */
static size_t write_whole(float x, char *out) {
	char digits[MIN_DIGITS + 1];
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
	struct wanted wanted = wanted_make(x);
	if (x < FLT_MIN || abs(wanted.exponent) > MAX_EXPONENT) {
		return write_by_printf(x, out);
	}
	wanted.exponent += scale(x, -wanted.exponent) >= 10;
	const struct decimal best = shortest(&wanted);
	if (!best.reads_back) {
		return write_by_printf(x, out);
	}
	// 9.999996 rounds up to one digit more.
	double integer = best.integer * powers_of_ten[MAX_DIGITS - best.count];
	if (integer >= powers_of_ten[MAX_DIGITS]) {
		integer /= 10;
		wanted.exponent++;
	}
	char digits[DIGITS_BYTES] = {0};
	to_digits((uint32_t)integer, digits);
	int used = best.count;
	while (used > 1 && digits[used - 1] == '0') {
		used--;
	}
	return lay_out(digits, used, wanted.exponent, out);
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

int number_read_index(const char *text) {
	const size_t length = strlen(text);
	const bool decimal = length > 0 && length < 10 && strspn(text, "0123456789") == length;
	return decimal && (text[0] != '0' || length == 1) ? atoi(text) : -1;
}

void number_write_significant(double x, int digits, char out[static NUMBER_TEXT_BYTES]) {
	assert(isfinite(x) && digits > 0 && digits < 10);
	snprintf(out, NUMBER_TEXT_BYTES, "%.*e", digits - 1, x);
	const int exponent = atoi(strchr(out, 'e') + 1);
	if (exponent < -9 || exponent > 15) {
		snprintf(out, NUMBER_TEXT_BYTES, "%.*g", digits, x);
		return;
	}
	const int decimals = digits - 1 - exponent;
	snprintf(out, NUMBER_TEXT_BYTES, "%.*f", decimals > 0 ? decimals : 0, x == 0 ? 0 : x);
	size_t length = strlen(out);
	while (strchr(out, '.') && (out[length - 1] == '0' || out[length - 1] == '.')) {
		out[--length] = '\0';
	}
}
