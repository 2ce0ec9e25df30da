// Notes of a lenient import on keys, and keys without those that a strict import refuses.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/gltf_facts_notes.h"

/* The keys of a channel as the file has them. */
struct look {
	struct gltf *gltf;
	const struct channel *channel;
	int input, output;
	float *times, *values; // owned
	size_t count, width;   // keys, and numbers of each with its tangents
	size_t value_at;       // in a key
	double quantum;        // greatest change of a rotation's length by quantisation
	bool sound;            // a strict import takes all keys
	struct key_flaws *flaws;
};

double gltf_facts_step(enum gltf_component component) {
	static const double steps[GLTF_COMPONENT_COUNT] = {
		[GLTF_BYTE] = 1.0 / INT8_MAX,
		[GLTF_UNSIGNED_BYTE] = 1.0 / UINT8_MAX,
		[GLTF_SHORT] = 1.0 / INT16_MAX,
		[GLTF_UNSIGNED_SHORT] = 1.0 / UINT16_MAX,
	};
	return steps[component];
}

static bool read_numbers(struct look *look, struct error *err) {
	const struct gltf_accessor *output = &look->gltf->accessors[look->output];
	const size_t numbers = output->count * gltf_accessor_width(output);
	if (!gltf_facts_claim(look->gltf, (look->count + numbers) * sizeof(float), err)) {
		return false;
	}
	look->times = try_calloc(look->count, sizeof *look->times, "keys", err);
	look->values = try_calloc(numbers, sizeof *look->values, "keys", err);
	look->width = numbers / look->count;
	look->quantum = gltf_facts_step(output->component); // half of one in each of four numbers
	return look->times && look->values &&
		gltf_accessor_floats(look->gltf, look->input, look->times, err) &&
		gltf_accessor_floats(look->gltf, look->output, look->values, err);
}

static bool is_finite_key(const struct look *look, size_t key) {
	for (size_t i = 0; i < look->width; i++) {
		if (!isfinite(look->values[key * look->width + i])) {
			return false;
		}
	}
	return isfinite(look->times[key]);
}

/* The time of a key, or of the last one before it that has one. */
static float time_of(const struct look *look, size_t key) {
	while (key > 0 && !isfinite(look->times[key])) {
		key--;
	}
	return isfinite(look->times[key]) ? look->times[key] : 0;
}

static void note(struct look *look, enum key_flaw_kind kind, size_t key) {
	struct key_flaws *flaws = &look->flaws[kind];
	if (flaws->count++ == 0) {
		flaws->key = (int)key;
		flaws->time_s = time_of(look, key);
	}
}

static const float *rotation_at(const struct look *look, size_t key) {
	return &look->values[key * look->width + look->value_at];
}

static double dot(const float *a, const float *b) {
	double sum = 0;
	for (int i = 0; i < 4; i++) {
		sum += (double)a[i] * (double)b[i];
	}
	return sum;
}

static void look_at_length(struct look *look, size_t key) {
	struct key_flaws *flaws = &look->flaws[KEY_LENGTH];
	const float *rotation = rotation_at(look, key);
	const double off = fabs(sqrt(dot(rotation, rotation)) - 1) - look->quantum;
	if (off > (double)flaws->worst) {
		// A file may have lengths beyond float32.
		flaws->worst = (float)fmin(off, 1e30);
		flaws->key = (int)key;
		flaws->time_s = time_of(look, key);
	}
	flaws->count += off >= ASSET_FACTS_ROTATION_LENGTH;
}

static void look_at_key(struct look *look, size_t key, bool *finite_before) {
	const bool finite = is_finite_key(look, key);
	const bool rotates = look->channel->path == CHANNEL_ROTATION;
	if (!finite) {
		note(look, KEY_NONFINITE, key);
	}
	if (key > 0 && isfinite(look->times[key]) && isfinite(look->times[key - 1]) &&
		look->times[key] <= look->times[key - 1]) {
		note(look, KEY_ORDER, key);
	}
	if (rotates && finite) {
		look_at_length(look, key);
	}
	if (rotates && finite && *finite_before &&
		dot(rotation_at(look, key - 1), rotation_at(look, key)) < 0) {
		note(look, KEY_SIGN, key);
	}
	look->sound &= finite && (key == 0 || look->times[key] >= look->times[key - 1]);
	*finite_before = finite;
}

static void look_at_all(struct look *look) {
	bool finite_before = false;
	look->sound = true;
	for (int i = 0; i < KEY_FLAW_COUNT; i++) {
		look->flaws[i] = (struct key_flaws){.key = -1};
	}
	for (size_t key = 0; key < look->count; key++) {
		look_at_key(look, key, &finite_before);
	}
}

/* Gives the channel the keys that are finite and not before the last one kept. */
static bool keep_sound(const struct look *look, struct channel *channel, struct error *err) {
	struct gltf *gltf = look->gltf;
	float *times = gltf_storage(gltf, look->count, sizeof *times, "key times", err);
	float *values = gltf_storage(gltf, look->count, look->width * sizeof *values, "keys", err);
	if (!times || !values) {
		return false;
	}
	size_t kept = 0;
	for (size_t key = 0; key < look->count; key++) {
		if (is_finite_key(look, key) &&
			(kept == 0 || look->times[key] >= times[kept - 1])) {
			times[kept] = look->times[key];
			memcpy(&values[kept++ * look->width], &look->values[key * look->width],
				look->width * sizeof *values);
		}
	}
	channel->times = times;
	channel->values = values;
	channel->key_count = (int)kept;
	return true;
}

static struct gltf_facts_keys *known_keys(struct gltf *gltf, int output) {
	struct gltf_facts *facts = gltf->facts;
	if (!facts->keys) {
		facts->keys =
			arena_alloc(gltf->arena, (size_t)gltf->accessor_count, sizeof *facts->keys);
	}
	return &facts->keys[output];
}

bool gltf_facts_look_at_keys(struct gltf *gltf, int input, int output, struct channel *channel,
	struct key_flaws flaws[static KEY_FLAW_COUNT], bool *sound, struct error *err) {
	struct gltf_facts_keys *known = known_keys(gltf, output);
	if (known->known && known->input == input &&
		known->interpolation == channel->interpolation) {
		memcpy(flaws, known->flaws, sizeof known->flaws);
		*sound = true;
		return true;
	}
	struct look look = {
		.gltf = gltf,
		.channel = channel,
		.input = input,
		.output = output,
		.count = (size_t)channel->key_count,
		.value_at = channel->interpolation == INTERPOLATION_CUBIC_SPLINE ? 4 : 0,
		.flaws = flaws,
	};
	bool read = read_numbers(&look, err);
	if (read) {
		look_at_all(&look);
		*sound = look.sound;
		read = look.sound || keep_sound(&look, channel, err);
	}
	if (read && look.sound) {
		*known = (struct gltf_facts_keys){
			.known = true, .input = input, .interpolation = channel->interpolation};
		memcpy(known->flaws, flaws, sizeof known->flaws);
	}
	free(look.times);
	free(look.values);
	return read;
}
