// Numbers on trial to poses.
#include "compress/trial.h"

#include <string.h>

#include "base/quat.h"

struct trial trial_make(const struct layout *layout, struct arena *arena) {
	const size_t count = (size_t)layout->channel_count + 1;
	const size_t joints = (size_t)layout->source->joint_count + 1;
	struct trial trial = {.layout = layout,
		.from = arena_alloc(arena, count, sizeof(double)),
		.to = arena_alloc(arena, count, sizeof(double))};
	for (int i = 0; i < 2; i++) {
		trial.kept[i].local = arena_alloc(arena, joints, sizeof(struct source_transform));
	}
	trial_changed(&trial);
	return trial;
}

void trial_changed(struct trial *trial) {
	trial->kept[0].sample = trial->kept[1].sample = -1;
}

static void sample_numbers(const struct trial *trial, int sample, double *out) {
	const struct layout *layout = trial->layout;
	const size_t first = (size_t)sample * (size_t)layout->channel_count;
	for (int i = 0; i < layout->channel_count; i++) {
		out[i] = trial->values ? trial->values[first + (size_t)i] * layout->channels[i].step
				       : trial->numbers[first + (size_t)i];
	}
}

static void blend(const struct layout *layout, double share, const struct source_transform *to,
	struct source_transform *from) {
	for (int i = 0; i < layout->source->joint_count; i++) {
		const struct pclip_track *tracks = &layout->tracks[SOURCE_KINDS * i];
		if (tracks[SOURCE_ROTATION].moving && !tracks[SOURCE_ROTATION].hold) {
			quat_slerp(from[i].rotation, to[i].rotation, share, from[i].rotation);
		}
		for (int k = 0; k < 3; k++) {
			from[i].translation[k] += tracks[SOURCE_TRANSLATION].hold
				? 0
				: share * (to[i].translation[k] - from[i].translation[k]);
			from[i].scale[k] += tracks[SOURCE_SCALE].hold
				? 0
				: share * (to[i].scale[k] - from[i].scale[k]);
		}
	}
}

/* Morph weights: those after the joints' numbers. */
static void blend_weights(const struct layout *layout, const double *from, const double *to,
	double share, double *weights) {
	const struct source *source = layout->source;
	int channel = layout->joint_channel_count;
	for (int i = 0; i < source->weight_count; i++) {
		const struct pclip_track *track =
			&layout->tracks[SOURCE_KINDS * source->joint_count + i];
		weights[i] = track->class == PCLIP_REST ? (double)source->rig->rest_weights[i]
							: pclip_still(track, 0);
		if (track->moving) {
			weights[i] = from[channel] +
				(track->hold ? 0 : share * (to[channel] - from[channel]));
			channel++;
		}
	}
}

void trial_weights_at(const struct trial *trial, int moment, double *weights) {
	const int sample = moment / SOURCE_MOMENTS, quarter = moment % SOURCE_MOMENTS;
	sample_numbers(trial, sample, trial->from);
	sample_numbers(trial, quarter > 0 ? sample + 1 : sample, trial->to);
	blend_weights(
		trial->layout, trial->from, trial->to, (double)quarter / SOURCE_MOMENTS, weights);
}

/* numbers are those of the sample. */
static const struct source_transform *local_of(
	struct trial *trial, int sample, const double *numbers) {
	struct trial_sample *kept = &trial->kept[sample & 1];
	if (kept->sample != sample) {
		layout_local(trial->layout, numbers, kept->local);
		kept->sample = sample;
	}
	return kept->local;
}

bool trial_local_at(void *context, int moment, struct source_transform *local, double *weights) {
	struct trial *trial = context;
	const size_t joints = (size_t)trial->layout->source->joint_count;
	const int sample = moment / SOURCE_MOMENTS, quarter = moment % SOURCE_MOMENTS;
	const double share = (double)quarter / SOURCE_MOMENTS;
	sample_numbers(trial, sample, trial->from);
	memcpy(local, local_of(trial, sample, trial->from), joints * sizeof *local);
	if (quarter > 0) {
		sample_numbers(trial, sample + 1, trial->to);
		blend(trial->layout, share, local_of(trial, sample + 1, trial->to), local);
	}
	blend_weights(
		trial->layout, trial->from, quarter > 0 ? trial->to : trial->from, share, weights);
	return true;
}
