// Samples of .pclip files: what is left of numbers after prediction, to be read or recorded.
#include <stddef.h>

#include "pclip_coder.h"

enum { COUNTED_MAX = 1 << 16 }; // residuals above count as this one in the statistics

int32_t pclip_predict(const struct pclip_state *state, int predictor) {
	static const int8_t quarters[PCLIP_PREDICTORS][3] = {{0, 0, 0}, {4, 0, 0}, {8, -4, 0},
		{2, 0, 0}, {6, -2, 0}, {10, -8, 2}, {5, -1, 0}, {3, 0, 0}};
	const int8_t *share = quarters[predictor];
	const int32_t way = share[0] * state->change[0] + share[1] * state->change[1] +
		share[2] * state->change[2];
	return state->value + ((way + 2) >> 2);
}

/* The size that a residual is expected to have, in 64ths. */
PCLIP_INLINE int32_t expect(const struct pclip_state *state) {
	return (9 * state->energy + 64 * (5 * state->size[0] + 2 * state->size[1])) >> 4;
}

/* Two levels an octave, and the bits below those that symbols tell. */
PCLIP_INLINE int level_of(int32_t expected, int *plain) {
	const int length = pclip_bit_length((uint32_t)expected | 1);
	const int half = (expected << 1) >> (length - 1) & 1;
	*plain = length > 8 ? length - 8 : 0;
	return 2 * (length - 1 - (length > 8 ? length - 9 : 0)) + (length > 1 ? half : 0);
}

/* Residuals of the joint that is under way and of the one before, and what was expected of them. */
struct activity {
	int group;
	int64_t size[2], expected[2];
};

/* Below 0.7 of what was expected, above 1.5, or between. */
PCLIP_INLINE int activity_of(struct activity *activity, int group) {
	if (activity->group != group) {
		activity->group = group;
		activity->size[1] = activity->size[0];
		activity->expected[1] = activity->expected[0];
		activity->size[0] = activity->expected[0] = 0;
	}
	const int64_t size = 2 * activity->size[0] + activity->size[1] + 30;
	const int64_t expected = 2 * activity->expected[0] + activity->expected[1] + 30;
	if (10 * size < 7 * expected) {
		return 0;
	}
	return 2 * size > 3 * expected ? 2 : 1;
}

/* Residuals beyond the symbols: an exponential Golomb code of order 2. */
PCLIP_INLINE uint32_t code_beyond(struct pclip_coder *coder, uint32_t number) {
	const uint32_t more = number - PCLIP_ESCAPE + 4;
	const int length = pclip_code_plain(coder, 5, pclip_bit_length(coder->record ? more : 0));
	if (length < 3 || length > 26) {
		coder->failed = true;
		return 0;
	}
	return pclip_code_below(coder, length - 1, more) - 4 + PCLIP_ESCAPE;
}

PCLIP_INLINE int32_t code_residual(
	struct pclip_coder *coder, int table, int plain, int32_t residual) {
	/* With bits below, -1 - x mirrors x, so that either side of 0 is as wide. */
	const uint32_t whole = (uint32_t)(residual >= 0 ? residual : plain ? ~residual : -residual);
	const uint32_t high = whole >> plain;
	uint32_t read = (uint32_t)pclip_code_symbol(
		coder, table, high < PCLIP_ESCAPE ? (int)high : PCLIP_ESCAPE);
	if (read == PCLIP_ESCAPE) {
		read = code_beyond(coder, high);
	}
	if (plain == 0) {
		const int32_t negative = read ? pclip_code_plain(coder, 1, residual < 0) : 0;
		return ((int32_t)read ^ -negative) + negative;
	}
	const int low = pclip_code_plain(
		coder, plain + 1, (int)((whole & ((1u << plain) - 1)) << 1 | (residual < 0)));
	const int64_t found = (int64_t)read << plain | low >> 1;
	coder->failed |= found > 4 * PCLIP_VALUE_MAX;
	return (int32_t)found ^ -(low & 1);
}

PCLIP_INLINE int32_t code_next(struct pclip_coder *coder, const struct pclip_channel *channel,
	struct pclip_state *state, struct activity *activity, int32_t wanted) {
	const int32_t expected = expect(state),
		      predicted = pclip_predict(state, channel->predictor);
	int plain;
	const int level = level_of(expected, &plain);
	const int context = activity_of(activity, channel->group);
	const int32_t residual = code_residual(
		coder, TABLE_RESIDUAL + context * PCLIP_LEVELS + level, plain, wanted - predicted);
	const int32_t size = residual < 0 ? -residual : residual;
	const int32_t counted = size < COUNTED_MAX ? size : COUNTED_MAX;
	activity->size[0] += 64 * (int64_t)counted;
	activity->expected[0] += expected;
	state->energy += (64 * counted - state->energy) >> 3;
	state->size[1] = state->size[0];
	state->size[0] = counted;
	return predicted + residual;
}

/* The first number of a segment, which nothing predicts. */
PCLIP_INLINE int32_t code_first(struct pclip_coder *coder, const struct pclip_channel *channel,
	struct pclip_state *state, int *length, int32_t wanted) {
	const int context = *length <= 3 ? 0 : *length <= 6 ? 1 : *length <= 9 ? 2 : 3;
	const int32_t size =
		pclip_code_size(coder, TABLE_FIRST + context, wanted < 0 ? -wanted : wanted);
	*length = pclip_bit_length((uint32_t)size);
	const int32_t sized = 1 << channel->magnitude >> 2;
	*state = (struct pclip_state){.energy = 16 << channel->magnitude, .size = {sized, sized}};
	return size && pclip_code_plain(coder, 1, wanted < 0) ? -size : size;
}

/* The second number of a segment sets the way for all three differences: nothing is known of what
 * was before. */
void pclip_remember(struct pclip_state *state, int32_t value, int position) {
	const int32_t change = value - state->value;
	if (position > 0) {
		state->change[2] = position > 1 ? state->change[1] : change;
		state->change[1] = position > 1 ? state->change[0] : change;
		state->change[0] = change;
	}
	state->value = value;
}

PCLIP_INLINE bool is_number(int32_t value) {
	return value <= PCLIP_VALUE_MAX && value >= -PCLIP_VALUE_MAX;
}

PCLIP_INLINE bool code_sample(struct pclip_coder *coder, const struct pclip_channel *channels,
	int count, struct pclip_state *states, const int32_t *values, int position) {
	struct activity activity = {.group = -1};
	int length = 6;
	for (int i = 0; i < count && !coder->failed; i++) {
		const int32_t wanted = values ? values[i] : 0;
		const int32_t value = position == 0
			? code_first(coder, &channels[i], &states[i], &length, wanted)
			: code_next(coder, &channels[i], &states[i], &activity, wanted);
		coder->failed |= !is_number(value);
		pclip_remember(&states[i], value, position);
	}
	return !coder->failed;
}

bool pclip_code_sample(struct pclip_coder *coder, const struct pclip_channel *channels, int count,
	struct pclip_state *states, const int32_t *values, int position) {
	if (coder->record) {
		return code_sample(coder, channels, count, states, values, position);
	}
	/* Compiled once more for reading alone, with a coder that nothing else sees. */
	struct pclip_coder reading = *coder;
	reading.record = NULL;
	const bool sound = position == 0
		? code_sample(&reading, channels, count, states, NULL, 0)
		: code_sample(&reading, channels, count, states, NULL, position);
	*coder = reading;
	return sound;
}
