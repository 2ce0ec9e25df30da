// The keys of animation samplers.
#include "import/gltf_keys.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/quat.h"
#include "import/gltf_facts.h"

/* The conversion of values between the accessor and the rig. */
enum treatment {
	TREATMENT_NONE,
	TREATMENT_UNIT,       // quaternions made unit
	TREATMENT_HEMISPHERE, // and turned to the side of the one before
	TREATMENT_COUNT,
};

/* The tracks made of one accessor; NULL = not made yet. */
struct made {
	const float *times;
	const float *values[TREATMENT_COUNT];
};

struct gltf_keys {
	struct gltf *gltf;
	struct made *made; // [accessor_count]
};

struct gltf_keys *gltf_keys_create(struct gltf *gltf) {
	struct gltf_keys *keys = arena_alloc(gltf->arena, 1, sizeof *keys);
	keys->gltf = gltf;
	keys->made = arena_alloc(gltf->arena, (size_t)gltf->accessor_count, sizeof *keys->made);
	return keys;
}

/* Ascending times, by however little. Equal ones are a jump, which players know. */
static bool check_times(struct gltf *gltf, int accessor, const float *times, struct error *err) {
	for (size_t i = 1; i < gltf->accessors[accessor].count; i++) {
		const float step = times[i] - times[i - 1];
		if (!(step >= 0)) {
			return error_set(err, ERROR_BROKEN_ASSET,
				"accessors[%d]: key times must ascend, but element %zu is %g s "
				"after %g s",
				accessor, i, (double)times[i], (double)times[i - 1]);
		}
	}
	return true;
}

static const float *need_times(struct gltf_keys *keys, int accessor, struct error *err) {
	struct made *made = &keys->made[accessor];
	if (!made->times) {
		const float *times = gltf_accessor_store(keys->gltf, accessor, err);
		if (!times || !check_times(keys->gltf, accessor, times, err)) {
			return NULL;
		}
		made->times = times;
	}
	return made->times;
}

/* Makes a quaternion unit; one of length 0 becomes the identity. */
static void make_unit(float key[static 4]) {
	double q[4];
	for (int i = 0; i < 4; i++) {
		q[i] = (double)key[i];
	}
	if (!quat_is_unit(q)) {
		quat_normalize(q);
		for (int i = 0; i < 4; i++) {
			key[i] = (float)q[i];
		}
	}
}

static void turn_towards(const float before[static 4], float key[static 4]) {
	double dot = 0;
	for (int i = 0; i < 4; i++) {
		dot += (double)before[i] * (double)key[i];
	}
	for (int i = 0; i < 4 && dot < 0; i++) {
		key[i] = -key[i];
	}
}

static void treat(size_t count, enum treatment treatment, float *values) {
	for (size_t i = 0; i < count; i++) {
		float *key = &values[i * 4];
		make_unit(key);
		if (treatment == TREATMENT_HEMISPHERE && i > 0) {
			turn_towards(key - 4, key);
		}
	}
}

static const float *need_values(
	struct gltf_keys *keys, int accessor, enum treatment treatment, struct error *err) {
	struct gltf *gltf = keys->gltf;
	struct made *made = &keys->made[accessor];
	if (treatment == TREATMENT_NONE) {
		return gltf_accessor_store(gltf, accessor, err);
	}
	if (!made->values[treatment]) {
		float *values = gltf_storage(gltf, gltf->accessors[accessor].count,
			4 * sizeof *values, "rotations", err);
		if (!values || !gltf_accessor_finite(gltf, accessor, values, err)) {
			return NULL;
		}
		treat(gltf->accessors[accessor].count, treatment, values);
		made->values[treatment] = values;
	}
	return made->values[treatment];
}

static enum treatment treatment_of(const struct channel *channel) {
	if (channel->path != CHANNEL_ROTATION) {
		return TREATMENT_NONE;
	}
	switch (channel->interpolation) {
	case INTERPOLATION_STEP:
		return TREATMENT_UNIT;
	case INTERPOLATION_LINEAR:
		return TREATMENT_HEMISPHERE;
	case INTERPOLATION_CUBIC_SPLINE:
		break;
	}
	return TREATMENT_NONE;
}

/* Elements of the output: one for each key, three where it has tangents, and one more for each
 * morph target, whose weights are scalars. */
static size_t output_count(const struct channel *channel) {
	const size_t values = channel->interpolation == INTERPOLATION_CUBIC_SPLINE ? 3 : 1;
	const size_t elements = channel->path == CHANNEL_WEIGHTS ? (size_t)channel->width : 1;
	return (size_t)channel->key_count * values * elements;
}

static struct gltf_want output_want(const struct channel *channel) {
	static const enum gltf_type types[] = {
		[CHANNEL_TRANSLATION] = GLTF_VEC3,
		[CHANNEL_ROTATION] = GLTF_VEC4,
		[CHANNEL_SCALE] = GLTF_VEC3,
		[CHANNEL_WEIGHTS] = GLTF_SCALAR,
	};
	return (struct gltf_want){
		.types = GLTF_BIT(types[channel->path]),
		.components = GLTF_BIT(GLTF_FLOAT) | GLTF_BIT(GLTF_BYTE) |
			GLTF_BIT(GLTF_UNSIGNED_BYTE) | GLTF_BIT(GLTF_SHORT) |
			GLTF_BIT(GLTF_UNSIGNED_SHORT),
		.count = output_count(channel),
	};
}

/* The accessors of a sampler. */
struct sampler {
	int input, output;
};

/* Finds them, and with them the number of keys. */
static bool read_sampler(const struct gltf *gltf, const struct gltf_item *item,
	struct sampler *sampler, struct channel *channel, struct error *err) {
	const struct gltf_want times = {
		.types = GLTF_BIT(GLTF_SCALAR), .components = GLTF_BIT(GLTF_FLOAT)};
	if (!gltf_accessor_member(gltf, item, "input", &times, &sampler->input, err)) {
		return false;
	}
	if (sampler->input < 0) {
		return gltf_broken(item, err, "has no input");
	}
	const size_t count = gltf->accessors[sampler->input].count;
	if (count > INT32_MAX) {
		return gltf_broken(item, err, "has %zu keys, too many", count);
	}
	channel->key_count = (int)count;
	const struct gltf_want values = output_want(channel);
	return gltf_accessor_member(gltf, item, "output", &values, &sampler->output, err) &&
		(sampler->output >= 0 || gltf_broken(item, err, "has no output"));
}

/* The same for keys that are the channel's own. */
static void treat_mended(struct channel *channel) {
	const enum treatment treatment = treatment_of(channel);
	if (treatment != TREATMENT_NONE) {
		treat((size_t)channel->key_count, treatment, (float *)channel->values);
	}
}

bool gltf_keys_read(struct gltf_keys *keys, const struct gltf_item *item, struct channel *channel,
	struct key_flaws *flaws, struct error *err) {
	struct sampler sampler;
	bool sound = true;
	if (!read_sampler(keys->gltf, item, &sampler, channel, err) ||
		(flaws &&
			!gltf_facts_look_at_keys(keys->gltf, sampler.input, sampler.output, channel,
				flaws, &sound, err))) {
		return false;
	}
	if (!sound) {
		treat_mended(channel);
		return true;
	}
	channel->times = need_times(keys, sampler.input, err);
	channel->values = need_values(keys, sampler.output, treatment_of(channel), err);
	return channel->times && channel->values;
}

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
