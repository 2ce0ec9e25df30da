// Morph weights that are animated one by one -> one channel.
#include "import/gltf_weights.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A weight at a moment: its value, and its slopes before and after, per second. */
struct motion {
	double before, value, after;
};

static enum interpolation joint_interpolation(const struct weight_channel *parts, int count) {
	bool steps = true, cubic = false;
	for (int i = 0; i < count; i++) {
		steps = steps && parts[i].channel.interpolation == INTERPOLATION_STEP;
		cubic |= parts[i].channel.interpolation == INTERPOLATION_CUBIC_SPLINE;
	}
	return steps    ? INTERPOLATION_STEP
		: cubic ? INTERPOLATION_CUBIC_SPLINE
			: INTERPOLATION_LINEAR;
}

static int compare_times(const void *first, const void *second) {
	const float a = *(const float *)first, b = *(const float *)second;
	return (a > b) - (a < b);
}

/* The times of all keys, and the last moments before steps; returns how many there are. */
static int collect_times(
	const struct weight_channel *parts, int count, enum interpolation whole, float *times) {
	size_t used = 0;
	for (int i = 0; i < count; i++) {
		const struct channel *channel = &parts[i].channel;
		const bool jumps =
			channel->interpolation == INTERPOLATION_STEP && whole != INTERPOLATION_STEP;
		for (int k = 0; k < channel->key_count; k++) {
			const float time = channel->times[k];
			const float shortly_before = nextafterf(time, -INFINITY);
			times[used++] = time;
			// Keys of one time are a jump, too.
			if (shortly_before > channel->times[0] &&
				(jumps || time == channel->times[k - 1])) {
				times[used++] = shortly_before;
			}
		}
	}
	qsort(times, used, sizeof *times, compare_times);
	size_t unique = 0;
	for (size_t i = 0; i < used; i++) {
		if (unique == 0 || times[i] > times[unique - 1]) {
			times[unique++] = times[i];
		}
	}
	return (int)unique;
}

/* The last key that is not after a moment; -1 = the moment is before the first one. */
static int key_at(const struct channel *channel, float time) {
	int low = -1, high = channel->key_count;
	while (high - low > 1) {
		const int middle = low + (high - low) / 2;
		if (channel->times[middle] <= time) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

static float value_of(const struct channel *channel, int key) {
	return channel->interpolation == INTERPOLATION_CUBIC_SPLINE ? channel->values[3 * key + 1]
								    : channel->values[key];
}

/* Value and slope within the segment behind a key. */
static void read_segment(
	const struct channel *channel, int key, double time, double *value, double *slope) {
	const double length = (double)channel->times[key + 1] - channel->times[key];
	const double u = (time - channel->times[key]) / length;
	const float *v = channel->values;
	if (channel->interpolation == INTERPOLATION_STEP || length == 0) {
		*value = value_of(channel, key), *slope = 0;
		return;
	}
	if (channel->interpolation == INTERPOLATION_LINEAR) {
		*slope = ((double)v[key + 1] - v[key]) / length;
		*value = v[key] + u * ((double)v[key + 1] - v[key]);
		return;
	}
	// glTF 2.0, appendix C.4: in-tangent, value and out-tangent of each key.
	const double from = v[3 * key + 1], out = length * v[3 * key + 2];
	const double in = length * v[3 * key + 3], to = v[3 * key + 4];
	*value = (2 * u * u * u - 3 * u * u + 1) * from + (u * u * u - 2 * u * u + u) * out +
		(3 * u * u - 2 * u * u * u) * to + (u * u * u - u * u) * in;
	*slope = ((6 * u * u - 6 * u) * (from - to) + (3 * u * u - 4 * u + 1) * out +
			 (3 * u * u - 2 * u) * in) /
		length;
}

static struct motion motion_at(const struct channel *channel, float time) {
	const int last = channel->key_count - 1, key = key_at(channel, time);
	struct motion motion = {.value = value_of(channel, key < 0 ? 0 : key)};
	double unused;
	if (key < 0) {
		return motion;
	}
	if (channel->times[key] == time) {
		if (key > 0) {
			read_segment(channel, key - 1, time, &unused, &motion.before);
		}
		if (key < last) {
			read_segment(channel, key, time, &unused, &motion.after);
		}
	} else if (key < last) {
		read_segment(channel, key, time, &motion.value, &motion.before);
		motion.after = motion.before;
	}
	return motion;
}

/* A key of all weights at rest. */
static void fill_rest(const float *rest, int width, bool cubic, float *key) {
	if (cubic) {
		memset(key, 0, 3 * (size_t)width * sizeof *key);
	}
	memcpy(key + (cubic ? width : 0), rest, (size_t)width * sizeof *key);
}

/* Between keys that are less than 1e-38 s apart slopes leave float32; what such a segment does is
 * over before any time that can be asked for. */
static float slope_to_float(double slope) {
	return (float)fmax(-(double)FLT_MAX, fmin(slope, (double)FLT_MAX));
}

static void fill_key(const struct weight_channel *parts, int count, float time, int width,
	bool cubic, float *key) {
	for (int i = 0; i < count; i++) {
		const struct motion motion = motion_at(&parts[i].channel, time);
		float *number = key + parts[i].weight;
		if (cubic) {
			number[0] = slope_to_float(motion.before);
			number[2 * width] = slope_to_float(motion.after);
		}
		number[cubic ? width : 0] = (float)motion.value;
	}
}

bool gltf_join_weights(struct gltf *gltf, int joint, const struct weight_channel *parts, int count,
	struct channel *out, struct error *err) {
	const struct joint *target = &gltf->rig->joints[joint];
	const int width = target->weight_count;
	const enum interpolation interpolation = joint_interpolation(parts, count);
	const bool cubic = interpolation == INTERPOLATION_CUBIC_SPLINE;
	size_t most = 0;
	for (int i = 0; i < count; i++) {
		most += 2 * (size_t)parts[i].channel.key_count;
	}
	float *times = gltf_storage(gltf, most, sizeof *times, "key times", err);
	if (!times) {
		return false;
	}
	const int keys = collect_times(parts, count, interpolation, times);
	const size_t key_width = (size_t)width * (cubic ? 3 : 1);
	float *values = gltf_storage(gltf, (size_t)keys * key_width, sizeof *values, "keys", err);
	if (!values) {
		return false;
	}
	for (int i = 0; i < keys; i++) {
		float *key = values + (size_t)i * key_width;
		fill_rest(gltf->rig->rest_weights + target->first_weight, width, cubic, key);
		fill_key(parts, count, times[i], width, cubic, key);
	}
	*out = (struct channel){
		.joint = joint,
		.path = CHANNEL_WEIGHTS,
		.interpolation = interpolation,
		.key_count = keys,
		.width = width,
		.times = times,
		.values = values,
	};
	return true;
}
