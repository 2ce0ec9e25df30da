// Sampling clips.
#include "pose/sample.h"

#include <assert.h>
#include <string.h>

#include "base/quat.h"

/* The last key at or before the time, found by halving: requests come at random times, so there
 * is no cursor to go on from. -1 before the first key. */
static int find_key(const struct channel *channel, double time_s) {
	int low = -1, high = channel->key_count;
	while (high - low > 1) {
		const int middle = low + (high - low) / 2;
		if (channel->times[middle] <= time_s) {
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
	assert(channel->key_count > 0);
	const int key = find_key(channel, time_s);
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

void clip_sample(const struct rig *rig, const struct clip *clip, double time_s, struct pose *pose) {
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		int width;
		float *out = pose_channel(rig, pose, channel->joint, channel->path, &width);
		channel_sample(channel, time_s, out);
		pose->driven[channel->joint] |= (unsigned char)(1 << channel->path);
	}
}
