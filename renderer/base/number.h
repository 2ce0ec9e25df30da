/* Numbers as text: the shortest decimal that reads back as the same number. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Longest text that the functions below write, with its NUL. */
#define NUMBER_TEXT_BYTES 32

/* Write a finite number and return the length of the text. Minus zero is written as 0: the two are
 * equal, and many readers cannot tell "-0" from an integer. */
size_t number_write_float(float x, char out[NUMBER_TEXT_BYTES]);
size_t number_write_double(double x, char out[NUMBER_TEXT_BYTES]);
size_t number_write_integer(int64_t x, char out[NUMBER_TEXT_BYTES]);

/* A finite number with so many significant digits (1 to 9), as people write it: without an exponent
 * unless it is very large or small, and without zeros at the end. */
void number_write_significant(double x, int digits, char out[NUMBER_TEXT_BYTES]);

/* A whole number as digits without leading zeros, so that each has one spelling; -1 if the text is
 * not that, or has more than nine. */
int number_read_index(const char *text);

/* Reads the decimal at the front of a text, in any notation of C but hexadecimal and whatever the
 * locale, and no further than end. What float64 cannot hold is not finite, or 0. Returns the byte
 * behind it; text, with *x as it was, where there is none. */
const char *number_read_decimal(const char *text, const char *end, double *x);

#ifdef __cplusplus
}
#endif

/* --- Hexadecimal digits --- */

/* 0 to 15 for a digit of either case, -1 for anything else. */
static inline int hex_digit_value(char c) {
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	const char lower = (char)(c | 0x20);
	return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}
