// The model of .pclip: predictors on squares, and symbols that come back as they were written.
#include <stdlib.h>

#include "base/buffer.h"
#include "check.h"
#include "compress/symbols.h"
#include "pclip_model.h"

#define SAMPLES 64

/* Numbers 0 1 4 9 16: what k1 + 2 d1 - d2 leaves from the fourth on is 0, what k1 + d1 leaves 2. */
static void predictors_follow_squares(void **state) {
	(void)state;
	struct pclip_state past = {0};
	for (int i = 0; i < 20; i++) {
		if (i >= 3) {
			assert_int_equal(i * i - pclip_predict(&past, 2), 0);
			assert_int_equal(i * i - pclip_predict(&past, 1), 2);
		}
		pclip_remember(&past, i * i, i);
	}
}

static int32_t number_of(int kind, unsigned *seed) {
	*seed = *seed * 1664525 + 1013904223;
	const int32_t any = (int32_t)(*seed >> 7) - (1 << 24);
	return kind == 0 ? 0 : kind == 1 ? PCLIP_VALUE_MAX : kind == 2 ? any % 50 : any % (1 << 20);
}

/* All zeros, all at the limit, small and any numbers, by every predictor. */
static void samples_come_back(void **state) {
	(void)state;
	static struct pclip_tables tables;
	pclip_fill_tables(&tables);
	for (int kind = 0; kind < 4; kind++) {
		struct pclip_channel channels[PCLIP_PREDICTORS] = {0};
		struct pclip_state states[PCLIP_PREDICTORS] = {0};
		int32_t values[SAMPLES][PCLIP_PREDICTORS];
		unsigned seed = 1;
		struct symbols *symbols = symbols_create();
		struct pclip_coder coder = symbols_coder(symbols);
		for (int s = 0; s < SAMPLES; s++) {
			for (int i = 0; i < PCLIP_PREDICTORS; i++) {
				channels[i].predictor = i;
				channels[i].group = i / 3;
				values[s][i] = number_of(kind, &seed);
			}
			pclip_code_sample(&coder, channels, PCLIP_PREDICTORS, states, values[s], s);
		}
		struct buffer bytes = {0};
		symbols_write(symbols, &bytes);
		coder = (struct pclip_coder){.tables = &tables};
		pclip_start_reading(&coder, bytes.data, bytes.data + bytes.size);
		for (int s = 0; s < SAMPLES; s++) {
			assert_true(pclip_code_sample(
				&coder, channels, PCLIP_PREDICTORS, states, NULL, s));
			for (int i = 0; i < PCLIP_PREDICTORS; i++) {
				assert_int_equal(states[i].value, values[s][i]);
			}
		}
		assert_true(pclip_ended(&coder));
		buffer_finish(&bytes);
		symbols_destroy(symbols);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(predictors_follow_squares),
		cmocka_unit_test(samples_come_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
