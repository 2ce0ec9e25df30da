// Key times that tracks have together, where that is fewer bytes.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compress/keys.h"

#define WORK_MAX 400000000.0 // steps, above which all tracks have the same times
#define TIME_BYTES 4

/* Tracks with the same times. */
struct set {
	unsigned char *marks; // [sample_count] of its first track
	int count;            // keys
	double value_bytes;   // of all its tracks, a key
};

static int count_union(const struct set *a, const struct set *b, int samples) {
	int count = 0;
	for (int i = 0; i < samples; i++) {
		count += a->marks[i] | b->marks[i];
	}
	return count;
}

/* Bytes that are saved where two sets become one. */
static double gain(const struct set *a, const struct set *b, int samples, int accessor_bytes) {
	const int both = count_union(a, b, samples);
	const double saved = accessor_bytes + TIME_BYTES * (a->count + b->count - both);
	return saved - (both - a->count) * a->value_bytes - (both - b->count) * b->value_bytes;
}

static void join(struct keys *keys, struct set *to, const struct set *from) {
	const int samples = keys->source->sample_count;
	to->count = count_union(to, from, samples);
	to->value_bytes += from->value_bytes;
	for (int i = 0; i < samples; i++) {
		to->marks[i] |= from->marks[i];
	}
	for (int i = 0; i < keys->track_count; i++) {
		struct key_track *track = &keys->tracks[i];
		track->from = -1;
		track->marks = track->marks == from->marks ? to->marks : track->marks;
	}
}

/* Each moving track by itself. */
static int list_sets(const struct keys *keys, struct set *sets) {
	int count = 0;
	for (int i = 0; i < keys->track_count; i++) {
		const struct key_track *track = &keys->tracks[i];
		if (track->class == KEYS_MOVING) {
			sets[count] = (struct set){track->marks, 0, keys_value_bytes(keys, track)};
			for (int s = 0; s < keys->source->sample_count; s++) {
				sets[count].count += track->marks[s];
			}
			count++;
		}
	}
	return count;
}

/* The set that one gains most with; its own position where none gains. */
static int find_partner(
	const struct set *sets, int count, int of, int samples, int accessor_bytes, double *most) {
	int best = of;
	*most = 0;
	for (int i = 0; i < count; i++) {
		const double saved =
			i == of ? 0 : gain(&sets[of], &sets[i], samples, accessor_bytes);
		if (saved > *most) {
			*most = saved;
			best = i;
		}
	}
	return best;
}

/* Each track joins the set that it saves most with: those that are there, one after the other. */
static void join_one_by_one(struct keys *keys, struct set *sets, int count, int accessor_bytes) {
	const int samples = keys->source->sample_count;
	bool changed = true;
	while (changed && count > 1) {
		changed = false;
		for (int i = 0; i < count && count > 1 && !source_is_stopped(keys->source);) {
			double most;
			const int partner =
				find_partner(sets, count, i, samples, accessor_bytes, &most);
			if (partner == i) {
				i++;
				continue;
			}
			join(keys, &sets[partner], &sets[i]);
			sets[i] = sets[--count];
			changed = true;
		}
	}
}

void keys_share_times(struct keys *keys, int accessor_bytes) {
	struct set *sets = xcalloc((size_t)keys->track_count + 1, sizeof *sets);
	int count = list_sets(keys, sets);
	const double work = (double)count * count * 2 * keys->source->sample_count;
	if (work <= WORK_MAX) {
		join_one_by_one(keys, sets, count, accessor_bytes);
	} else {
		for (; count > 1; count--) {
			join(keys, &sets[0], &sets[count - 1]);
		}
	}
	free(sets);
}
