// The weight policy W of METHODS 0.3, one vertex at a time.
#include "model/weights.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "model/rig.h"

/* Below this sum there is nothing to divide by. */
#define WEIGHT_SUM_MIN 1e-6

/* The rounding of each weight that the specification allows; 3.7.3.3. */
#define WEIGHT_SUM_ROUNDING 2e-7

/* Files that quantise or print few digits stay within this; METHODS 0.3 item 7. */
#define WEIGHT_SUM_TOLERANCE 1e-3

/* Keeps what has a weight and a joint; returns how many. */
static int keep_sound(
	struct influence *influences, int count, uint32_t slot_count, struct weight_flaws *flaws) {
	bool bad = false, negative = false, outside = false;
	int kept = 0;
	for (int i = 0; i < count; i++) {
		const struct influence one = influences[i];
		const bool sound = isfinite(one.weight) && one.weight >= 0;
		bad |= !isfinite(one.weight);
		negative |= isfinite(one.weight) && !sound;
		outside |= one.slot >= slot_count;
		if (sound && one.weight > 0 && one.slot < slot_count) {
			influences[kept++] = one;
		}
	}
	flaws->bad += bad;
	flaws->negative += negative;
	flaws->index += outside;
	return kept;
}

static int merge_duplicates(struct influence *influences, int count, struct weight_flaws *flaws) {
	int kept = 0;
	for (int i = 0; i < count; i++) {
		int same = 0;
		while (same < kept && influences[same].slot != influences[i].slot) {
			same++;
		}
		if (same < kept) {
			influences[same].weight += influences[i].weight;
		} else {
			influences[kept++] = influences[i];
		}
	}
	flaws->dup += kept < count;
	return kept;
}

static bool goes_before(struct influence a, struct influence b) {
	return a.weight > b.weight || (a.weight == b.weight && a.slot < b.slot);
}

/* Insertion sort: there are few, and most files list them in order. */
static void sort(struct influence *influences, int count) {
	for (int i = 1; i < count; i++) {
		const struct influence moved = influences[i];
		int to = i;
		while (to > 0 && goes_before(moved, influences[to - 1])) {
			influences[to] = influences[to - 1];
			to--;
		}
		influences[to] = moved;
	}
}

static double sum_of(const struct influence *influences, int count) {
	double sum = 0;
	for (int i = 0; i < count; i++) {
		sum += influences[i].weight;
	}
	return sum;
}

static uint32_t first_listed(const struct influence *influences, int count, uint32_t slot_count) {
	for (int i = 0; i < count; i++) {
		if (influences[i].slot < slot_count) {
			return influences[i].slot;
		}
	}
	return 0;
}

int weights_apply(
	struct influence *influences, int count, uint32_t slot_count, struct weight_flaws *flaws) {
	assert(count >= 1 && slot_count >= 1);
	const uint32_t fallback = first_listed(influences, count, slot_count);
	int used = keep_sound(influences, count, slot_count, flaws);
	used = merge_duplicates(influences, used, flaws);
	sort(influences, used);
	const double sum = sum_of(influences, used);
	if (!(sum >= WEIGHT_SUM_MIN)) {
		flaws->zero++;
		influences[0] = (struct influence){.slot = fallback, .weight = 1};
		return 1;
	}
	const double off = fabs(sum - 1);
	flaws->sum += off > WEIGHT_SUM_TOLERANCE;
	flaws->loose += off <= WEIGHT_SUM_TOLERANCE && off > WEIGHT_SUM_ROUNDING * used;
	for (int i = 0; i < used; i++) {
		influences[i].weight /= sum;
	}
	// A weight that float cannot represent is no influence.
	while (used > 1 && (float)influences[used - 1].weight == 0) {
		used--;
	}
	return used;
}

void weights_warn(struct rig *rig, const char *place, const struct weight_flaws *flaws) {
	const struct {
		size_t vertices;
		const char *flag, *what;
	} rows[] = {
		{flaws->bad, "ACCESSOR_INVALID_FLOAT: W_BAD", "weights not finite; taken as 0"},
		{flaws->negative, "ACCESSOR_WEIGHTS_NEGATIVE: W_BAD",
			"weights negative; taken as 0"},
		{flaws->index, "ACCESSOR_JOINTS_INDEX_OOB: W_INDEX",
			"joints that the skin does not have; left out"},
		{flaws->dup, "ACCESSOR_JOINTS_INDEX_DUPLICATE: W_DUP",
			"joints named twice; their weights were added"},
		{flaws->zero, "ACCESSOR_WEIGHTS_NON_NORMALIZED: W_ZERO",
			"no weights; bound to the first joint listed"},
		{flaws->sum, "ACCESSOR_WEIGHTS_NON_NORMALIZED: W_SUM",
			"weights do not sum to 1; divided by their sum"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (rows[i].vertices > 0) {
			rig_warn(rig, "%s: %s on %zu %s (%s)", place, rows[i].flag,
				rows[i].vertices, rows[i].vertices == 1 ? "vertex" : "vertices",
				rows[i].what);
		}
	}
}
