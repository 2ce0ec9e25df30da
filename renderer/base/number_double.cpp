// Doubles as text, and back: std::to_chars and std::from_chars, for which C has no counterpart.
#include "base/number.h"

#include <assert.h>
#include <charconv>
#include <cmath>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Between these the library's plain decimals are the shortest. */
#define PLAIN_MIN 1e-4
#define PLAIN_END 1e15

static size_t write(double x, std::chars_format format, char *out) {
	const auto end = std::to_chars(out, out + NUMBER_TEXT_BYTES - 2, x, format);
	assert(end.ec == std::errc());
	*end.ptr = '\0';
	return (size_t)(end.ptr - out);
}

static size_t write_by_printf(double x, char *out) {
	int digits = DBL_DIG;
	do {
		snprintf(out, NUMBER_TEXT_BYTES, "%.*g", digits, x);
	} while (digits++ < DBL_DECIMAL_DIG && strtod(out, NULL) != x);
	return strlen(out);
}

/* With an exponent from as many digits on as a double always holds, and as the number has. Powers
 * of two are nearer to the number below than to that above: there the shortest decimal may not be
 * the nearest of its length. */
static size_t write_far(double x, char *out) {
	int binary;
	if (x < DBL_MIN || std::frexp(x, &binary) == 0.5) {
		return write_by_printf(x, out);
	}
	const size_t length = write(x, std::chars_format::scientific, out);
	const size_t mark = strcspn(out, "e");
	const int digits = mark > 1 ? (int)mark - 1 : 1, exponent = atoi(out + mark + 1);
	return exponent > 0 && exponent < digits ? write(x, std::chars_format::fixed, out) : length;
}

/* The library takes several times as long for whole numbers as doubles. */
static size_t write_plain(double x, char *out) {
	const int64_t whole = (int64_t)x;
	return (double)whole == x ? number_write_integer(whole, out)
				  : write(x, std::chars_format::fixed, out);
}

size_t number_write_double(double x, char *out) {
	assert(std::isfinite(x));
	*out = '-';
	const size_t sign = x < 0;
	const double size = std::fabs(x);
	const bool plain = size == 0 || (size >= PLAIN_MIN && size < PLAIN_END);
	return sign + (plain ? write_plain(size, out + sign) : write_far(size, out + sign));
}

const char *number_read_decimal(const char *text, const char *end, double *x) {
	const char *start = text < end && *text == '+' ? text + 1 : text;
	double read = 0;
	const auto found = std::from_chars(start, end, read);
	if (found.ec == std::errc::invalid_argument) {
		return text;
	}
	if (found.ec == std::errc::result_out_of_range) {
		// It does not say which way.
		char copy[512];
		const size_t length = (size_t)(found.ptr - start);
		const size_t kept = length < sizeof copy ? length : sizeof copy - 1;
		memcpy(copy, start, kept);
		copy[kept] = '\0';
		read = strtod(copy, NULL);
	}
	*x = read;
	return found.ptr;
}
