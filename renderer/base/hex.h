/* Hexadecimal digits. */
#pragma once

/* 0 to 15 for a digit of either case, -1 for anything else. */
static inline int hex_digit_value(char c) {
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	const char lower = (char)(c | 0x20);
	return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}
