// Sampling clips.
#include "pose/sample/sampler.h"

#include <assert.h>
#include <string.h>

#include "base/lanes.h"
#include "base/quat.h"
#include "model/clip_motion.h"
#include "pose/sample/interpolate.h"

/* The last key at or before the time, found by halving. -1 before the first key. */
static int find_key(const float *times, int key_count, double time_s) {
	int low = -1, high = key_count;
	while (high - low > 1) {
		const int middle = low + (high - low) / 2;
		if (times[middle] <= time_s) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

/* The value part of a key; cubic-spline keys hold in-tangent, value, out-tangent. */
static const float *key_value(const struct channel *channel, int key) {
	const size_t width = (size_t)channel->width;
	if (channel->interpolation == INTERPOLATION_CUBIC_SPLINE) {
		return channel->values + ((size_t)key * 3 + 1) * width;
	}
	return channel->values + (size_t)key * width;
}

static void to_doubles(const float *from, double out[static 4]) {
	for (int i = 0; i < 4; i++) {
		out[i] = from[i];
	}
}

static void write_unit(double q[static 4], float *out) {
	quat_normalize(q);
	for (int i = 0; i < 4; i++) {
		out[i] = (float)q[i];
	}
}

static void sample_linear(const struct channel *channel, int key, double u, float *out) {
	const float *from = key_value(channel, key), *to = key_value(channel, key + 1);
	if (channel->path == CHANNEL_ROTATION) {
		double a[4], b[4], q[4];
		to_doubles(from, a);
		to_doubles(to, b);
		quat_slerp(a, b, u, q);
		write_unit(q, out);
		return;
	}
	for (int i = 0; i < channel->width; i++) {
		out[i] = (float)((1 - u) * from[i] + u * to[i]);
	}
}

static void sample_cubic(
	const struct channel *channel, int key, double u, double step_s, float *out) {
	const int width = channel->width;
	const float *from = key_value(channel, key), *to = key_value(channel, key + 1);
	const float *out_tangent = from + width, *in_tangent = to - width;
	const double uu = u * u, uuu = uu * u;
	const double h00 = 2 * uuu - 3 * uu + 1, h10 = step_s * (uuu - 2 * uu + u);
	const double h01 = -2 * uuu + 3 * uu, h11 = step_s * (uuu - uu);
	double q[4];
	for (int i = 0; i < width; i++) {
		const double value =
			h00 * from[i] + h10 * out_tangent[i] + h01 * to[i] + h11 * in_tangent[i];
		if (channel->path == CHANNEL_ROTATION) {
			q[i] = value;
		} else {
			out[i] = (float)value;
		}
	}
	if (channel->path == CHANNEL_ROTATION) {
		write_unit(q, out);
	}
}

static void copy_key(const struct channel *channel, int key, float *out) {
	const float *value = key_value(channel, key);
	memcpy(out, value, (size_t)channel->width * sizeof *out);
	// Keys of cubic splines are kept as the file has them, for their tangents' sake.
	if (channel->path == CHANNEL_ROTATION &&
		channel->interpolation == INTERPOLATION_CUBIC_SPLINE) {
		double q[4];
		to_doubles(value, q);
		write_unit(q, out);
	}
}

void channel_sample(const struct channel *channel, double time_s, float *out) {
	assert(channel->key_count > 0 && channel->values);
	const int key = find_key(channel->times, channel->key_count, time_s);
	if (key < 0 || key == channel->key_count - 1 ||
		channel->interpolation == INTERPOLATION_STEP || channel->times[key] == time_s) {
		copy_key(channel, key < 0 ? 0 : key, out);
		return;
	}
	const double start_s = channel->times[key];
	const double step_s = channel->times[key + 1] - start_s;
	const double u = (time_s - start_s) / step_s;
	if (channel->interpolation == INTERPOLATION_CUBIC_SPLINE) {
		sample_cubic(channel, key, u, step_s, out);
	} else {
		sample_linear(channel, key, u, out);
	}
}

/* The position of a time among key times: at a key, or between one and the next. */
struct moment {
	int key;
	double share; // of the way, in [0, 1)
};

/* Guesses the key where times are even, and looks at its neighbours: requests come at random times,
 * so there is no cursor to go on from. */
static int find_axis_key(const struct track_axis *axis, double time_s) {
	const int last = axis->key_count - 1;
	if (axis->keys_per_s == 0) {
		return find_key(axis->times, axis->key_count, time_s);
	}
	const double guess = (time_s - axis->times[0]) * axis->keys_per_s;
	int key = guess > 0 ? guess < last ? (int)guess : last : 0;
	while (key >= 0 && axis->times[key] > time_s) {
		key--;
	}
	while (key < last && axis->times[key + 1] <= time_s) {
		key++;
	}
	return key;
}

static struct moment find_moment(const struct track_axis *axis, double time_s) {
	const int key = find_axis_key(axis, time_s);
	if (key < 0 || key == axis->key_count - 1) {
		return (struct moment){key < 0 ? 0 : key, 0};
	}
	const double start_s = axis->times[key];
	return (struct moment){key, (time_s - start_s) / (axis->times[key + 1] - start_s)};
}

/* The step from a key to the next one in tracks of so many numbers. */
static struct track_step step_from(const struct track_axis *axis, int key, int width) {
	const size_t stride = (size_t)(axis->key_stride > 0 ? axis->key_stride : width);
	return (struct track_step){(size_t)key * stride, stride};
}

static void copy_rotations(const struct track_axis *axis, int key, struct transform *local) {
	const size_t at = step_from(axis, key, 4).at;
	for (int i = 0; i < axis->rotation_count; i++) {
		const struct track_rotations *block = &axis->rotations[i];
		for (int lane = 0; lane < TRACK_LANES; lane++) {
			float *out = local[block->joints[lane]].rotation;
			memcpy(out, block->values[lane] + at, 4 * sizeof *out);
		}
	}
}

static void copy_vectors(const struct track_axis *axis, int key, struct transform *local) {
	const size_t at = step_from(axis, key, 3).at;
	for (int i = 0; i < axis->vector_count; i++) {
		const struct track_vector *track = &axis->vectors[i];
		float *out = (float *)local + track->at;
		memcpy(out, track->values + at, 3 * sizeof *out);
	}
}

static void mix_weights(const struct track_axis *axis, struct moment moment, float *weights) {
	for (int i = 0; i < axis->weights_count; i++) {
		const struct track_weights *track = &axis->weights[i];
		const struct track_step step = step_from(axis, moment.key, track->width);
		const float *from = track->values + step.at;
		const float *to = moment.share > 0 ? from + step.stride : from;
		for (int k = 0; k < track->width; k++) {
			const double mixed = (1 - moment.share) * from[k] + moment.share * to[k];
			weights[track->first + k] = (float)mixed;
		}
	}
}

static void sample_axis(const struct track_axis *axis, double time_s, struct pose *pose) {
	const bool wide = LANES_CPU_HAS_AVX2();
	const struct moment moment = find_moment(axis, time_s);
	mix_weights(axis, moment, pose->weights);
	if (moment.share == 0) {
		copy_rotations(axis, moment.key, pose->local);
		copy_vectors(axis, moment.key, pose->local);
		return;
	}
	struct slerp slerp = slerp_make(moment.share);
	(wide ? interpolate_rotations_avx2 : interpolate_rotations)(axis->rotations,
		axis->rotation_count, step_from(axis, moment.key, 4), &slerp, pose->local);
	(wide ? interpolate_vectors_avx2 : interpolate_vectors)(axis->vectors, axis->vector_count,
		step_from(axis, moment.key, 3), moment.share, pose->local);
}

static void sample_motion(const struct clip_motion *motion, double time_s, struct pose *pose) {
	const struct clip_segment *segment = clip_motion_hold(motion, time_s);
	sample_axis(&segment->axis, time_s, pose);
	clip_segment_release(segment);
}

static void sample_channel(
	const struct rig *rig, const struct channel *channel, double time_s, struct pose *pose) {
	int width;
	float *out = pose_channel(rig, pose, channel->joint, channel->path, &width);
	channel_sample(channel, time_s, out);
	pose->driven[channel->joint] |= (unsigned char)(1 << channel->path);
}

/* One by one. */
static void sample_channels(
	const struct rig *rig, const struct clip *clip, double time_s, struct pose *pose) {
	pose_set_rest(rig, 0, pose);
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		if (channel->values) {
			sample_channel(rig, channel, time_s, pose);
		} else {
			pose->driven[channel->joint] |= (unsigned char)(1 << channel->path);
		}
	}
	if (clip->motion) {
		sample_motion(clip->motion, time_s, pose);
	}
}

void clip_sample(const struct rig *rig, const struct clip *clip, double time_s, struct pose *pose) {
	const struct tracks *tracks = clip->tracks;
	if (!tracks) {
		sample_channels(rig, clip, time_s, pose);
		return;
	}
	const size_t joints = (size_t)rig->joint_count, weights = (size_t)rig->weight_count;
	memcpy(pose->local, tracks->still, joints * sizeof *pose->local);
	memcpy(pose->driven, tracks->driven, joints);
	if (weights > 0) {
		memcpy(pose->weights, tracks->weights, weights * sizeof *pose->weights);
	}
	for (int i = 0; i < tracks->axis_count; i++) {
		sample_axis(&tracks->axes[i], time_s, pose);
	}
	if (clip->motion) {
		sample_motion(clip->motion, time_s, pose);
	}
	for (int i = 0; i < tracks->other_count; i++) {
		sample_channel(rig, &clip->channels[tracks->others[i]], time_s, pose);
	}
}
