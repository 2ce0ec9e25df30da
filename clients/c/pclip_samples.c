// Samples of .pclip files: what is left of numbers after prediction, to be read or recorded.
#include <stddef.h>

#include "pclip_coder.h"

enum {
	COUNTED_MAX = 1 << 16, // residuals above count as this one in the statistics
	RESIDUAL_BYTES = 10,   // that one takes at most
};

int32_t pclip_predict(const struct pclip_state *state, int predictor) {
	static const int32_t quarters[PCLIP_PREDICTORS][4] = {
		{0}, {4}, {8, -4}, {2}, {6, -2}, {10, -8, 2}, {5, -1}, {3}};
	const int32_t *share = quarters[predictor];
	const int32_t way = share[0] * state->change[0] + share[1] * state->change[1] +
		share[2] * state->change[2];
	return state->value + ((way + 2) >> 2);
}

/* The size that a residual is expected to have, in 64ths. */
PCLIP_INLINE int32_t expect(const struct pclip_state *state) {
	return (9 * state->energy + 64 * (5 * state->size[0] + 2 * state->size[1])) >> 4;
}

/* The expectations of a number before it is coded. */
struct foreseen {
	int32_t predicted, expected;
	int32_t table; // of its symbol, where the joint is the least active
	int32_t plain; // bits below those that symbols tell
};

/* Two levels an octave. */
PCLIP_INLINE struct foreseen foresee(const struct pclip_state *state, int predictor) {
	const int32_t expected = expect(state);
	const int octave = pclip_bit_length((uint32_t)expected | 1) - 1;
	const int half = ((uint32_t)expected << 1) >> octave & 1;
	return (struct foreseen){
		.predicted = pclip_predict(state, predictor),
		.expected = expected,
		.table = TABLE_RESIDUAL + 2 * (octave < 8 ? octave : 8) + half,
		.plain = octave > 7 ? octave - 7 : 0,
	};
}

/* How residuals of the joint that is under way, and of the one before, compare with what was
 * expected of them: ten times the former less seven times the latter, and two less three times. */
struct activity {
	int group;
	int64_t low, high; // of this joint twice and the one before, and what both begin with
	int64_t own_low, own_high; // of this joint
};

enum { ACTIVITY_ROOM = 30 };
static const struct activity no_activity = {.group = -1};

/* Below 0.7 of what was expected, between, or above 1.5: 0 to 2. */
PCLIP_INLINE unsigned activity_of(struct activity *activity, int group) {
	if (activity->group != group) {
		activity->group = group;
		activity->low = activity->own_low + (10 - 7) * ACTIVITY_ROOM;
		activity->high = activity->own_high + (2 - 3) * ACTIVITY_ROOM;
		activity->own_low = activity->own_high = 0;
	}
	return (activity->low >= 0) + (unsigned)(activity->high > 0);
}

PCLIP_INLINE void add_activity(struct activity *activity, uint32_t counted, uint32_t expected) {
	const int64_t low = 10 * 64 * (int64_t)counted - 7 * (int64_t)expected,
		      high = 2 * 64 * (int64_t)counted - 3 * (int64_t)expected;
	activity->own_low += low;
	activity->own_high += high;
	activity->low += 2 * low;
	activity->high += 2 * high;
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

PCLIP_INLINE void record_residual(
	struct pclip_coder *coder, int table, int plain, int32_t residual) {
	/* With bits below, -1 - x mirrors x, so that either side of 0 is as wide. */
	const uint32_t whole = (uint32_t)(residual >= 0 ? residual : plain ? ~residual : -residual);
	const uint32_t high = whole >> plain;
	pclip_code_symbol(coder, table, high < PCLIP_ESCAPE ? (int)high : PCLIP_ESCAPE);
	if (high >= PCLIP_ESCAPE) {
		code_beyond(coder, high);
	}
	if (plain > 0 || high > 0) {
		pclip_code_plain(coder, plain > 0 ? plain + 1 : 1,
			(int)((whole & ((1u << plain) - 1)) << 1 | (residual < 0)));
	}
}

PCLIP_INLINE int32_t read_residual(
	struct pclip_coder *coder, int table, unsigned active, int plain, bool sure) {
	const uint16_t *first = coder->tables->first[table];
	size_t read = pclip_find_symbol_of(
		first, PCLIP_LEVELS, active, coder->state & ((1u << PCLIP_PROBABILITY_BITS) - 1));
	pclip_leave_symbol(coder, first + active * PCLIP_LEVELS * PCLIP_ROW, read, sure);
	if (read == PCLIP_ESCAPE) {
		read = code_beyond(coder, 0);
	}
	const unsigned low =
		(unsigned)pclip_read_plain(coder, plain + ((read | (unsigned)plain) > 0), sure);
	const uint64_t found = (uint64_t)read << plain | low >> 1;
	const uint32_t negative = low & 1;
	if (found > 4 * PCLIP_VALUE_MAX) {
		coder->failed = true;
		return 0;
	}
	return (int32_t)(((uint32_t)found ^ -negative) + (negative & (plain == 0)));
}

PCLIP_INLINE int32_t counted(int32_t residual) {
	const int32_t size = residual < 0 ? -residual : residual;
	return size < COUNTED_MAX ? size : COUNTED_MAX;
}

PCLIP_INLINE int32_t code_residual(struct pclip_coder *coder, const struct foreseen *foreseen,
	int group, struct activity *activity, int32_t residual) {
	const unsigned active = activity_of(activity, group);
	const int table = foreseen->table;
	if (coder->record) {
		record_residual(
			coder, table + PCLIP_LEVELS * (int)active, foreseen->plain, residual);
	} else {
		residual = coder->end - coder->at >= RESIDUAL_BYTES
			? read_residual(coder, table, active, foreseen->plain, true)
			: read_residual(coder, table, active, foreseen->plain, false);
	}
	add_activity(activity, (uint32_t)counted(residual), (uint32_t)foreseen->expected);
	return residual;
}

PCLIP_INLINE void learn(struct pclip_state *state, int32_t residual) {
	const int32_t size = counted(residual);
	state->energy += (64 * size - state->energy) >> 3;
	state->size[1] = state->size[0];
	state->size[0] = size;
}

/* What is usual of pclip_code_size(), without a branch that cannot be foreseen; else that. */
PCLIP_INLINE int32_t read_size(struct pclip_coder *coder, int table) {
	const struct pclip_coder before = *coder;
	const int length = pclip_read_symbol(coder, table, false), bits = length - (length > 0);
	if (length > 13) {
		*coder = before;
		return pclip_code_size(coder, table, 0);
	}
	return (length > 0) << bits | pclip_read_plain(coder, bits, false);
}

/* The first number of a segment, which nothing predicts. */
PCLIP_INLINE int32_t code_first(struct pclip_coder *coder, const struct pclip_channel *channel,
	struct pclip_state *state, int *length, int32_t wanted) {
	const int table = TABLE_FIRST + (*length > 3) + (*length > 6) + (*length > 9);
	const int32_t size = coder->record
		? pclip_code_size(coder, table, wanted < 0 ? -wanted : wanted)
		: read_size(coder, table);
	*length = pclip_bit_length((uint32_t)size);
	const int32_t sized = 1 << channel->magnitude >> 2;
	*state = (struct pclip_state){.energy = 16 << channel->magnitude, .size = {sized, sized}};
	int32_t negative = 0;
	if (!coder->record) {
		negative = pclip_read_plain(coder, size != 0, false);
	} else if (size) {
		negative = pclip_code_plain(coder, 1, wanted < 0);
	}
	return (size ^ -negative) + negative;
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

PCLIP_INLINE bool code_first_sample(struct pclip_coder *coder, const struct pclip_channel *channels,
	int count, struct pclip_state *states, const int32_t *values) {
	int length = 6;
	for (int i = 0; i < count && !coder->failed; i++) {
		const int32_t value = code_first(
			coder, &channels[i], &states[i], &length, values ? values[i] : 0);
		coder->failed |= !is_number(value);
		pclip_remember(&states[i], value, 0);
	}
	return !coder->failed;
}

PCLIP_INLINE bool code_next_sample(struct pclip_coder *coder, const struct pclip_channel *channels,
	int count, struct pclip_state *states, const int32_t *values, int position) {
	struct activity activity = no_activity;
	for (int i = 0; i < count; i++) {
		const struct foreseen foreseen = foresee(&states[i], channels[i].predictor);
		const int32_t residual = code_residual(coder, &foreseen, channels[i].group,
			&activity, values ? values[i] - foreseen.predicted : 0);
		const int32_t value = foreseen.predicted + residual;
		if (coder->failed || !is_number(value)) {
			coder->failed = true;
			return false;
		}
		learn(&states[i], residual);
		pclip_remember(&states[i], value, position);
	}
	return true;
}

PCLIP_INLINE bool code_sample(struct pclip_coder *coder, const struct pclip_channel *channels,
	int count, struct pclip_state *states, const int32_t *values, int position) {
	return position == 0    ? code_first_sample(coder, channels, count, states, values)
		: position == 1 ? code_next_sample(coder, channels, count, states, values, 1)
				: code_next_sample(coder, channels, count, states, values, 2);
}

bool pclip_code_sample(struct pclip_coder *coder, const struct pclip_channel *channels, int count,
	struct pclip_state *states, const int32_t *values, int position) {
	if (coder->record) {
		return code_sample(coder, channels, count, states, values, position);
	}
	/* Compiled once more for reading alone, with a coder that nothing else sees. */
	struct pclip_coder reading = *coder;
	reading.record = NULL;
	const bool sound = code_sample(&reading, channels, count, states, NULL, position);
	*coder = reading;
	return sound;
}
