// The model of .pclip files: what their symbols mean, to be read or recorded.
#include "pclip_model.h"

#include <math.h>
#include <string.h>

enum {
	PROBABILITY = 1 << PCLIP_PROBABILITY_BITS,
	STATE_MIN = 1 << 16, // where the coder's state begins
	ESCAPE = PCLIP_SYMBOLS - 1,
	COUNTED_MAX = 1 << 16, // residuals above count as this one in the statistics
	LEVELS = 18,
	KINDS = PCLIP_KINDS + 1, // and morph weights
	BASE_UNIT = 32,
};

/* The tables of symbols. */
enum {
	TABLE_RESIDUAL = 0, // by activity and level
	TABLE_FIRST = TABLE_RESIDUAL + 3 * LEVELS,
	TABLE_CLASS = TABLE_FIRST + 4, // by kind and the class before
	TABLE_CLASS_AGAIN = TABLE_CLASS + 3 * KINDS,
	TABLE_BASE = TABLE_CLASS_AGAIN + 3 * KINDS, // of the first clip, and of others
	TABLE_MOVES = TABLE_BASE + 2, // by kind: of the first, then after still and moving
	TABLE_UNIT = TABLE_MOVES + 3 * PCLIP_KINDS,
	TABLE_STILL = TABLE_UNIT + 2, // rotations, translations, others, and all again
	TABLE_STEP = TABLE_STILL + 4,
	TABLE_PREDICTOR = TABLE_STEP + 2,
	TABLE_MAGNITUDE = TABLE_PREDICTOR + 2,
	TABLES = TABLE_MAGNITUDE + 2,
};
_Static_assert((int)TABLES == (int)PCLIP_TABLES, "the header says how many there are");

/* Occurrences of each symbol in 4096, measured over public clips. */
static const uint16_t frequencies[TABLES][PCLIP_SYMBOLS] = {
#include "pclip_frequencies.inc"
};

/* ---- Symbols: Duda's asymmetric numeral systems with ranges, 16 bits at a time ---- */

void pclip_fill_tables(struct pclip_tables *tables) {
	for (int i = 0; i < TABLES; i++) {
		uint16_t *first = tables->first[i];
		int symbol = 0;
		first[0] = 0;
		for (int k = 0; k < PCLIP_SYMBOLS; k++) {
			first[k + 1] = (uint16_t)(first[k] + frequencies[i][k]);
		}
		for (int part = 0; part < 64; part++) {
			while (first[symbol + 1] <= part * (PROBABILITY / 64)) {
				symbol++;
			}
			tables->start[i][part] = (uint8_t)symbol;
		}
	}
}

static void refill(struct pclip_coder *coder) {
	if (coder->state < STATE_MIN) {
		if (coder->end - coder->at < 2) {
			coder->failed = true;
			coder->state = STATE_MIN;
			return;
		}
		coder->state = coder->state << 16 | (uint32_t)(coder->at[0] | coder->at[1] << 8);
		coder->at += 2;
	}
}

void pclip_start_reading(
	struct pclip_coder *coder, const unsigned char *bytes, const unsigned char *end) {
	coder->failed = end - bytes < 4;
	coder->state = STATE_MIN;
	coder->at = bytes;
	coder->end = end;
	if (!coder->failed) {
		coder->state = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
			(uint32_t)bytes[3] << 24;
		coder->at += 4;
		coder->failed = coder->state < STATE_MIN;
	}
}

/* The encoder began with the least state, so that the decoder ends with it. */
bool pclip_ended(const struct pclip_coder *coder) {
	return !coder->failed && coder->state == STATE_MIN && coder->at == coder->end;
}

static int code_symbol(struct pclip_coder *coder, int table, int symbol) {
	if (coder->record) {
		coder->record(coder->recorder, table, symbol, 0);
		return symbol;
	}
	const uint16_t *first = coder->tables->first[table];
	const uint32_t at = coder->state & (PROBABILITY - 1);
	int found = coder->tables->start[table][at / (PROBABILITY / 64)];
	while (at >= first[found + 1]) {
		found++;
	}
	coder->state = (uint32_t)(first[found + 1] - first[found]) *
			(coder->state >> PCLIP_PROBABILITY_BITS) +
		at - first[found];
	refill(coder);
	return found;
}

/* So many bits, at most 16, all numbers equally likely. */
static int code_plain(struct pclip_coder *coder, int bits, int number) {
	if (coder->record) {
		coder->record(coder->recorder, -1, number, bits);
		return number;
	}
	number = (int)(coder->state & ((1u << bits) - 1));
	coder->state >>= bits;
	refill(coder);
	return number;
}

static inline int bit_length(uint32_t number) {
#ifdef __GNUC__
	return number ? 32 - __builtin_clz(number) : 0;
#else
	int length = 0;
	for (; number > 0; number >>= 1) {
		length++;
	}
	return length;
#endif
}

/* A number >= 0: the symbol is its length in bits, or ESCAPE before a greater one. */
static int32_t code_size(struct pclip_coder *coder, int table, int32_t number) {
	int length = bit_length((uint32_t)number);
	const int symbol = code_symbol(coder, table, length < ESCAPE ? length : ESCAPE);
	length = symbol < ESCAPE ? symbol : code_plain(coder, 5, length);
	if (length > 30) {
		coder->failed = true;
		return 0;
	}
	const int low = length > 1 ? length - 1 : 0, high = low > 12 ? low - 12 : 0;
	int32_t bits = high ? code_plain(coder, high, number >> 12 & ((1 << high) - 1)) << 12 : 0;
	bits |= low ? code_plain(coder, low - high, number & ((1 << (low - high)) - 1)) : 0;
	return length ? bits | 1 << (length - 1) : 0;
}

static int32_t code_signed(struct pclip_coder *coder, int table, int32_t number) {
	const int32_t size = code_size(coder, table, number < 0 ? -2 * number - 1 : 2 * number);
	return size & 1 ? -(size >> 1) - 1 : size >> 1;
}

/* ---- The head of a clip: its tracks ---- */

struct head {
	struct pclip_coder *coder;
	bool scales, holds;
	int before[KINDS];              // class of the track before, by kind
	int units[KINDS], steps[KINDS]; // of the one before that has them
};

static int8_t code_unit(struct head *head, int kind, const struct pclip_track *track,
	const struct pclip_track *first) {
	const bool again = first && (first->class != PCLIP_REST);
	const int from = again ? first->unit : head->units[kind];
	const int unit = from + code_signed(head->coder, TABLE_UNIT + again, track->unit - from);
	head->coder->failed |= unit < -100 || unit > 27;
	return (int8_t)unit;
}

/* The number of the first clip's track in the units of another. */
static int32_t in_units(const struct pclip_track *first, int axis, int unit) {
	const int shift = first->unit - unit;
	if (shift >= 0) {
		return shift < 6 ? (int32_t)((uint32_t)first->still[axis] << shift) : 0;
	}
	return shift > -24 ? (first->still[axis] + (1 << (-shift - 1))) >> -shift : 0;
}

static void code_still(struct head *head, int kind, int axis, struct pclip_track *track,
	const struct pclip_track *first) {
	const bool again = first && first->class != PCLIP_REST && !(first->moving >> axis & 1);
	const int table = TABLE_STILL + (again ? 3 : kind < 2 ? kind : 2);
	const int32_t from = again ? in_units(first, axis, track->unit) : 0;
	const int64_t number =
		(int64_t)from + code_signed(head->coder, table, track->still[axis] - from);
	head->coder->failed |= number > PCLIP_VALUE_MAX || number < -PCLIP_VALUE_MAX;
	track->still[axis] = head->coder->failed ? 0 : (int32_t)number;
}

static void code_moving(struct head *head, int kind, int axis, struct pclip_track *track,
	const struct pclip_track *first) {
	struct pclip_coder *coder = head->coder;
	const bool again = first && first->moving >> axis & 1;
	const int from = again ? first->step[axis] : head->steps[kind];
	const int step = from + code_signed(coder, TABLE_STEP + again, track->step[axis] - from);
	coder->failed |= step < 0 || step > 255;
	track->step[axis] = (uint8_t)step;
	head->steps[kind] = step & 255;
	const int known = again ? first->predictor[axis] : 0;
	track->predictor[axis] = (uint8_t)((code_symbol(coder, TABLE_PREDICTOR + again,
						    (track->predictor[axis] - known) & 7) +
						   known) &
		7);
	const int size = again ? first->magnitude[axis] : 0;
	track->magnitude[axis] = (uint8_t)((code_symbol(coder, TABLE_MAGNITUDE + again,
						    (track->magnitude[axis] - size) & 15) +
						   size) &
		15);
}

static void code_base(
	struct head *head, struct pclip_track *track, const struct pclip_track *first) {
	static const int8_t rest[4];
	const bool again = first && memcmp(first->base, rest, sizeof rest) != 0;
	int choice = memcmp(track->base, rest, sizeof rest) == 0              ? 0
		: again && memcmp(track->base, first->base, sizeof rest) == 0 ? 1
									      : 2;
	choice = code_symbol(head->coder, TABLE_BASE + again, choice);
	head->coder->failed |= choice > 2 || (choice == 1 && !again);
	for (int i = 0; i < 4; i++) {
		const int plain = choice == 2
			? code_plain(head->coder, 7, track->base[i] + BASE_UNIT) - BASE_UNIT
			: 0;
		head->coder->failed |= plain > BASE_UNIT;
		track->base[i] = (int8_t)(choice == 1 && again ? first->base[i] : plain);
	}
}

static int all_axes(int kind) {
	return kind < PCLIP_KINDS ? 3 : 1;
}

static void code_axes(
	struct head *head, int kind, struct pclip_track *track, const struct pclip_track *first) {
	int moving = track->moving;
	for (int axis = 0; axis < all_axes(kind); axis++) {
		if (track->class == PCLIP_MOVING && kind < PCLIP_KINDS) {
			const int table = TABLE_MOVES + 3 * kind +
				(first ? 1 + (first->moving >> axis & 1) : 0);
			const int moves = code_symbol(head->coder, table, moving >> axis & 1);
			head->coder->failed |= moves > 1;
			moving = (moving & ~(1 << axis)) | (moves & 1) << axis;
		}
	}
	track->moving = (uint8_t)(track->class != PCLIP_MOVING ? 0
			: kind < PCLIP_KINDS                   ? moving
							       : 1);
	if (track->moving != (1 << all_axes(kind)) - 1) {
		track->unit = code_unit(head, kind, track, first);
		head->units[kind] = track->unit;
	}
	for (int axis = 0; axis < all_axes(kind); axis++) {
		if (track->moving >> axis & 1) {
			code_moving(head, kind, axis, track, first);
		} else {
			code_still(head, kind, axis, track, first);
		}
	}
}

static void code_track(
	struct head *head, int kind, struct pclip_track *track, const struct pclip_track *first) {
	const int table = first ? TABLE_CLASS_AGAIN + 3 * kind + first->class
				: TABLE_CLASS + 3 * kind + head->before[kind];
	track->class = (uint8_t)code_symbol(head->coder, table, track->class);
	head->coder->failed |= track->class > PCLIP_MOVING;
	track->class = head->coder->failed ? PCLIP_REST : track->class;
	head->before[kind] = track->class;
	if (track->class == PCLIP_REST) {
		return;
	}
	track->hold = head->holds ? (uint8_t)code_plain(head->coder, 1, track->hold) : 0;
	if (kind == 0) {
		code_base(head, track, first);
	}
	code_axes(head, kind, track, first);
}

static int kind_of(int track, int joint_count) {
	return track < PCLIP_KINDS * joint_count ? track % PCLIP_KINDS : PCLIP_KINDS;
}

bool pclip_code_head(struct pclip_coder *coder, struct pclip_track *tracks, int track_count,
	int joint_count, const struct pclip_track *first) {
	struct head head = {
		.coder = coder, .units = {-16, -16, -16, -16}, .steps = {96, 96, 96, 96}};
	for (int i = 0; coder->record && i < track_count; i++) {
		head.holds |= tracks[i].hold != 0;
		head.scales |= kind_of(i, joint_count) == 2 && tracks[i].class != PCLIP_REST;
	}
	head.holds = code_plain(coder, 1, head.holds);
	head.scales = code_plain(coder, 1, head.scales);
	for (int i = 0; i < track_count && !coder->failed; i++) {
		const int kind = kind_of(i, joint_count);
		if (kind != 2 || head.scales) {
			code_track(&head, kind, &tracks[i], first ? &first[i] : NULL);
		}
	}
	return !coder->failed;
}

int pclip_list_channels(const struct pclip_track *tracks, int track_count, int joint_count,
	struct pclip_channel *channels) {
	int count = 0;
	for (int i = 0; i < track_count; i++) {
		for (int axis = 0; axis < all_axes(kind_of(i, joint_count)); axis++) {
			if (!(tracks[i].moving >> axis & 1)) {
				continue;
			}
			channels[count++] = (struct pclip_channel){
				.track = i,
				.axis = axis,
				.group = i < PCLIP_KINDS * joint_count ? i / PCLIP_KINDS
								       : joint_count,
				.predictor = tracks[i].predictor[axis],
				.magnitude = tracks[i].magnitude[axis],
				.step = exp2(tracks[i].step[axis] / 6.0 - 32),
			};
		}
	}
	return count;
}

/* ---- Samples: what is left after prediction ---- */

int32_t pclip_predict(const struct pclip_state *state, int predictor) {
	static const int8_t quarters[PCLIP_PREDICTORS][3] = {{0, 0, 0}, {4, 0, 0}, {8, -4, 0},
		{2, 0, 0}, {6, -2, 0}, {10, -8, 2}, {5, -1, 0}, {3, 0, 0}};
	const int8_t *share = quarters[predictor];
	const int32_t way = share[0] * state->change[0] + share[1] * state->change[1] +
		share[2] * state->change[2];
	return state->value + ((way + 2) >> 2);
}

/* The size that a residual is expected to have, in 64ths. */
static int32_t expect(const struct pclip_state *state) {
	return (9 * state->energy + 64 * (5 * state->size[0] + 2 * state->size[1])) >> 4;
}

/* Two levels an octave, and the bits below those that symbols tell. */
static int level_of(int32_t expected, int *plain) {
	const int length = bit_length((uint32_t)expected);
	const int half = length > 1 ? expected >> (length - 2) & 1 : 0;
	*plain = length > 8 ? length - 8 : 0;
	return length > 8 ? 16 + half : length == 0 ? 0 : 2 * (length - 1) + half;
}

/* Residuals of the joint that is under way and of the one before, and what was expected of them. */
struct activity {
	int group;
	int64_t size[2], expected[2];
};

static int activity_of(struct activity *activity, int group) {
	if (activity->group != group) {
		activity->group = group;
		activity->size[1] = activity->size[0];
		activity->expected[1] = activity->expected[0];
		activity->size[0] = activity->expected[0] = 0;
	}
	const int64_t size = 2 * activity->size[0] + activity->size[1] + 30;
	const int64_t expected = 2 * activity->expected[0] + activity->expected[1] + 30;
	return 10 * size < 7 * expected ? 0 : 2 * size > 3 * expected ? 2 : 1;
}

static int32_t code_residual(struct pclip_coder *coder, int table, int plain, int32_t residual) {
	const uint32_t size = (uint32_t)(residual < 0 ? -residual : residual);
	/* With bits below, -1 - x mirrors x, so that either side of 0 is as wide. */
	const uint32_t whole = plain && residual < 0 ? (uint32_t)~residual : size;
	const uint32_t high = whole >> plain;
	uint32_t read = (uint32_t)code_symbol(coder, table, high < ESCAPE ? (int)high : ESCAPE);
	if (read == ESCAPE) {
		/* Exponential Golomb of order 2. */
		const uint32_t more = high - ESCAPE + 4;
		int length = bit_length(coder->record ? more : 0);
		length = code_plain(coder, 5, length);
		if (length < 3 || length > 26) {
			coder->failed = true;
			return 0;
		}
		const int low = length - 1, upper = low > 12 ? low - 12 : 0;
		uint32_t bits = 1u << low;
		bits |= upper ? (uint32_t)code_plain(
					coder, upper, (int)(more >> 12 & ((1u << upper) - 1)))
				<< 12
			      : 0;
		bits |= (uint32_t)code_plain(
			coder, low - upper, (int)(more & ((1u << (low - upper)) - 1)));
		read = bits - 4 + ESCAPE;
	}
	if (!plain) {
		return read == 0                             ? 0
			: code_plain(coder, 1, residual < 0) ? -(int32_t)read
							     : (int32_t)read;
	}
	const int low = code_plain(
		coder, plain + 1, (int)((whole & ((1u << plain) - 1)) << 1 | (residual < 0)));
	const int64_t found = (int64_t)read << plain | low >> 1;
	if (found > 4 * PCLIP_VALUE_MAX) {
		coder->failed = true;
		return 0;
	}
	return low & 1 ? ~(int32_t)found : (int32_t)found;
}

static int32_t code_next(struct pclip_coder *coder, const struct pclip_channel *channel,
	struct pclip_state *state, struct activity *activity, int32_t wanted) {
	const int32_t expected = expect(state),
		      predicted = pclip_predict(state, channel->predictor);
	int plain;
	const int level = level_of(expected, &plain);
	const int context = activity_of(activity, channel->group);
	const int32_t residual = code_residual(
		coder, TABLE_RESIDUAL + context * LEVELS + level, plain, wanted - predicted);
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
static int32_t code_first(struct pclip_coder *coder, const struct pclip_channel *channel,
	struct pclip_state *state, int *length, int32_t wanted) {
	const int context = *length <= 3 ? 0 : *length <= 6 ? 1 : *length <= 9 ? 2 : 3;
	const int32_t size = code_size(coder, TABLE_FIRST + context, wanted < 0 ? -wanted : wanted);
	*length = bit_length((uint32_t)size);
	const int32_t sized = 1 << channel->magnitude >> 2;
	*state = (struct pclip_state){.energy = 16 << channel->magnitude, .size = {sized, sized}};
	return size && code_plain(coder, 1, wanted < 0) ? -size : size;
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

bool pclip_code_sample(struct pclip_coder *coder, const struct pclip_channel *channels, int count,
	struct pclip_state *states, const int32_t *values, int position) {
	struct activity activity = {.group = -1};
	int length = 6;
	for (int i = 0; i < count; i++) {
		const int32_t wanted = values ? values[i] : 0;
		const int32_t value = position == 0
			? code_first(coder, &channels[i], &states[i], &length, wanted)
			: code_next(coder, &channels[i], &states[i], &activity, wanted);
		if (coder->failed || value > PCLIP_VALUE_MAX || value < -PCLIP_VALUE_MAX) {
			coder->failed = true;
			return false;
		}
		pclip_remember(&states[i], value, position);
	}
	return true;
}

double pclip_still(const struct pclip_track *track, int axis) {
	return ldexp(track->still[axis], track->unit);
}
