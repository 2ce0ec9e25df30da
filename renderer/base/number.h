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

/* A whole number as digits without leading zeros, so that each has one spelling; -1 if the text is
 * not that, or has more than nine. */
int number_read_index(const char *text);

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
