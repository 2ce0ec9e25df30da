// Numbers on trial to poses.
#include "compress/trial.h"

#include "base/quat.h"

struct trial trial_make(const struct layout *layout, struct arena *arena) {
	const size_t count = (size_t)layout->channel_count + 1;
	const size_t joints = (size_t)layout->source->joint_count + 1;
	return (struct trial){.layout = layout,
		.from = arena_alloc(arena, count, sizeof(double)),
		.to = arena_alloc(arena, count, sizeof(double)),
		.next = arena_alloc(arena, joints, sizeof(struct source_transform))};
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

bool trial_local_at(void *context, int moment, struct source_transform *local, double *weights) {
	const struct trial *trial = context;
	const int sample = moment / SOURCE_MOMENTS, quarter = moment % SOURCE_MOMENTS;
	const double share = (double)quarter / SOURCE_MOMENTS;
	sample_numbers(trial, sample, trial->from);
	layout_local(trial->layout, trial->from, local);
	if (quarter > 0) {
		sample_numbers(trial, sample + 1, trial->to);
		layout_local(trial->layout, trial->to, trial->next);
		blend(trial->layout, share, trial->next, local);
	}
	blend_weights(
		trial->layout, trial->from, quarter > 0 ? trial->to : trial->from, share, weights);
	return true;
}
