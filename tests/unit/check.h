/* cmocka with what it needs before it, and numbers checked against numbers. */
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Each test file's; the Makefile renames it, see program.h. */
int main(void);

/* |actual - expected| <= tolerance, with all three in the message. */
#define assert_near(actual, expected, tolerance) \
	do { \
		const double actual_ = (actual), expected_ = (expected); \
		if (!(fabs(actual_ - expected_) <= (tolerance))) { \
			fail_msg("%s is %.12g, expected %.12g within %g", #actual, actual_, \
				expected_, (double)(tolerance)); \
		} \
	} while (0)
