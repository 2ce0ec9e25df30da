// Means of pixels: of light where RGB are sRGB, of the numbers where they are not.
#include <stdlib.h>

#include "check.h"
#include "model/material.h"

/* Half black, half white; alpha 0 and 200. */
static const unsigned char halves[] = {
	0, 0, 0, 0, 255, 255, 255, 200, 0, 0, 0, 0, 255, 255, 255, 200};

static void light_and_numbers_have_other_means(void **state) {
	(void)state;
	for (int encoded = 0; encoded < 2; encoded++) {
		int width = 2, height = 2;
		unsigned char *half = mipmap_halve(halves, encoded, &width, &height);
		assert_int_equal(width, 1);
		assert_int_equal(height, 1);
		for (int k = 0; k < 3; k++) {
			// IEC 61966-2-1: light of 0.5 is 187.5 of 255.
			assert_int_equal(half[k], encoded ? 188 : 128);
		}
		assert_int_equal(half[3], 100);
		free(half);
	}
}

static void one_row_stays_one_row(void **state) {
	(void)state;
	static const unsigned char row[] = {10, 20, 30, 40, 20, 40, 60, 80, 1, 2, 3, 4};
	int width = 3, height = 1;
	unsigned char *half = mipmap_halve(row, false, &width, &height);
	assert_int_equal(width, 1);
	assert_int_equal(height, 1);
	assert_memory_equal(half, ((unsigned char[]){15, 30, 45, 60}), 4);
	free(half);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(light_and_numbers_have_other_means),
		cmocka_unit_test(one_row_stays_one_row),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
