/* Poses of the numbers that a search is trying, before they are bytes. */
#pragma once

#include "compress/layout.h"
#include "compress/measure.h"

struct trial {
	const struct layout *layout;
	const int32_t *values; // [sample_count][channel_count] multiples of the channels' steps
	const double *numbers; // the same as numbers, if there are no such values
	double *from, *to;     // [channel_count] scratch
	/* Poses of the last even and the last odd sample: around a sample there are seven moments.
	 */
	struct trial_sample {
		int sample;                     // -1 = none
		struct source_transform *local; // [joint_count]
	} kept[2];
};

/* One without values or numbers yet, in the arena. */
struct trial trial_make(const struct layout *layout, struct arena *arena);

/* To be called when values or numbers, the channels' steps or still tracks have changed. */
void trial_changed(struct trial *trial);

/* The morph weights at a moment, [weight_count]. */
void trial_weights_at(const struct trial *trial, int moment, double *weights);

/* The pose at a moment: a measure_local of a struct trial. */
bool trial_local_at(void *trial, int moment, struct source_transform *local, double *weights);
