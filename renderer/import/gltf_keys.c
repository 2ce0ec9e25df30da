// The keys of animation samplers.
#include "import/gltf_keys.h"

#include <string.h>

#include "base/quat.h"

/* What is done to values on their way from the accessor to the rig. */
enum treatment {
	TREATMENT_NONE,
	TREATMENT_UNIT,       // quaternions made unit
	TREATMENT_HEMISPHERE, // and turned to the side of the one before
	TREATMENT_COUNT,
};

/* What has been made of one accessor; NULL = nothing yet. */
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

static void treat(struct gltf *gltf, int accessor, enum treatment treatment, float *values) {
	for (size_t i = 0; i < gltf->accessors[accessor].count; i++) {
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
		treat(gltf, accessor, treatment, values);
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

bool gltf_keys_read(struct gltf_keys *keys, const struct gltf_item *item, struct channel *channel,
	struct error *err) {
	struct sampler sampler;
	if (!read_sampler(keys->gltf, item, &sampler, channel, err)) {
		return false;
	}
	channel->times = need_times(keys, sampler.input, err);
	channel->values = need_values(keys, sampler.output, treatment_of(channel), err);
	return channel->times && channel->values;
}
