// The head of a clip in .pclip files: its tracks, to be read or recorded.
#include "pclip_model.h"

#include <math.h>
#include <string.h>

#include "pclip_coder.h"

enum {
	KINDS = PCLIP_TRACK_KINDS,
	BASE_UNIT = 32,
};

/* Occurrences of each symbol in 4096, measured over public clips. */
static const uint16_t frequencies[TABLES][PCLIP_SYMBOLS] = {
#include "pclip_frequencies.inc"
};

void pclip_fill_tables(struct pclip_tables *tables) {
	for (int i = 0; i < TABLES; i++) {
		uint16_t *first = tables->first[i];
		first[0] = 0;
		for (int k = 0; k < PCLIP_SYMBOLS; k++) {
			first[k + 1] = (uint16_t)(first[k] + frequencies[i][k]);
		}
	}
}

void pclip_start_reading(
	struct pclip_coder *coder, const unsigned char *bytes, const unsigned char *end) {
	coder->failed = end - bytes < 4;
	coder->state = PCLIP_STATE_MIN;
	coder->at = bytes;
	coder->end = end;
	if (!coder->failed) {
		coder->state = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
			(uint32_t)bytes[3] << 24;
		coder->at += 4;
		coder->failed = coder->state < PCLIP_STATE_MIN;
	}
}

/* The encoder began with the least state, so that the decoder ends with it. */
bool pclip_ended(const struct pclip_coder *coder) {
	return !coder->failed && coder->state == PCLIP_STATE_MIN && coder->at == coder->end;
}

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
	const int unit =
		from + pclip_code_signed(head->coder, TABLE_UNIT + again, track->unit - from);
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
		(int64_t)from + pclip_code_signed(head->coder, table, track->still[axis] - from);
	head->coder->failed |= number > PCLIP_VALUE_MAX || number < -PCLIP_VALUE_MAX;
	track->still[axis] = head->coder->failed ? 0 : (int32_t)number;
}

static void code_moving(struct head *head, int kind, int axis, struct pclip_track *track,
	const struct pclip_track *first) {
	struct pclip_coder *coder = head->coder;
	const bool again = first && first->moving >> axis & 1;
	const int from = again ? first->step[axis] : head->steps[kind];
	const int step =
		from + pclip_code_signed(coder, TABLE_STEP + again, track->step[axis] - from);
	coder->failed |= step < 0 || step > 255;
	track->step[axis] = (uint8_t)step;
	head->steps[kind] = step & 255;
	const int known = again ? first->predictor[axis] : 0;
	track->predictor[axis] = (uint8_t)((pclip_code_symbol(coder, TABLE_PREDICTOR + again,
						    (track->predictor[axis] - known) & 7) +
						   known) &
		7);
	const int size = again ? first->magnitude[axis] : 0;
	track->magnitude[axis] = (uint8_t)((pclip_code_symbol(coder, TABLE_MAGNITUDE + again,
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
	choice = pclip_code_symbol(head->coder, TABLE_BASE + again, choice);
	head->coder->failed |= choice > 2 || (choice == 1 && !again);
	for (int i = 0; i < 4; i++) {
		const int plain = choice == 2
			? pclip_code_plain(head->coder, 7, track->base[i] + BASE_UNIT) - BASE_UNIT
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
			const int moves = pclip_code_symbol(head->coder, table, moving >> axis & 1);
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
	track->class = (uint8_t)pclip_code_symbol(head->coder, table, track->class);
	head->coder->failed |= track->class > PCLIP_MOVING;
	track->class = head->coder->failed ? PCLIP_REST : track->class;
	head->before[kind] = track->class;
	if (track->class == PCLIP_REST) {
		return;
	}
	track->hold = head->holds ? (uint8_t)pclip_code_plain(head->coder, 1, track->hold) : 0;
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
	head.holds = pclip_code_plain(coder, 1, head.holds);
	head.scales = pclip_code_plain(coder, 1, head.scales);
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
				.step = pclip_step(&tracks[i], axis),
			};
		}
	}
	return count;
}

double pclip_still(const struct pclip_track *track, int axis) {
	return ldexp(track->still[axis], track->unit);
}

double pclip_step(const struct pclip_track *track, int axis) {
	return exp2(track->step[axis] / 6.0 - 32);
}
