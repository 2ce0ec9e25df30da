// Values of key tracks: how they are stored, and what a reader finds.
#include "compress/keys_value.h"

#include <math.h>
#include <string.h>

#include "base/quat.h"

#define SHORT_MAX 32767.0
#define SHORT_BITS 16
#define SHORT_OFF 5e-5     // radians that rounding to int16 turns a rotation by, about
#define SHARE_SHORT 0.8    // of the tolerance that this may take
#define SHARE_FILTERED 0.4 // the same where the filter rounds
#define FILTERED_OFF 1.2   // radians that it turns a rotation by, over the greatest whole number
#define FILTERED_LEAST 6   // bits
#define SHARE_STEP 0.2     // of the tolerance: steps of other numbers
#define SHARE_CONSTANT 0.5 // of the tolerance: steps of constants
#define MANTISSA_BITS 23   // of the filter, and a sign
#define MANTISSA_MAX 8388607.0
#define EXPONENT_LEAST (-100) // of the filter
#define EXPONENT_MOST 60
#define ROTATION_FINEST (-MANTISSA_BITS)
#define ROTATION_MOST (-16) // as fine as int16: of unit length for readers that do not normalise
#define FEW_KEYS 2          // up to which "normalized" is longer than what it saves
#define FEW_KEYS_FILTERED 8 // the same through the codec

void keys_exact_value(
	const struct keys *keys, const struct key_track *track, int sample, double *out) {
	const struct source *source = keys->source;
	if (track->kind == KEYS_WEIGHTS) {
		const struct joint *joint = &source->rig->joints[track->joint];
		memcpy(out,
			source->weights + (size_t)sample * (size_t)source->weight_count +
				joint->first_weight,
			(size_t)track->width * sizeof *out);
		return;
	}
	const struct source_transform *local =
		&source->local[(size_t)sample * (size_t)source->joint_count + (size_t)track->joint];
	const double *from = track->kind == SOURCE_ROTATION ? local->rotation
		: track->kind == SOURCE_TRANSLATION         ? local->translation
							    : local->scale;
	memcpy(out, from, (size_t)track->width * sizeof *out);
}

void keys_rest_value(const struct keys *keys, const struct key_track *track, double *out) {
	const struct rig *rig = keys->source->rig;
	const struct joint *joint = &rig->joints[track->joint];
	const float *from = track->kind == KEYS_WEIGHTS ? rig->rest_weights + joint->first_weight
		: track->kind == SOURCE_ROTATION        ? joint->rest.rotation
		: track->kind == SOURCE_TRANSLATION     ? joint->rest.translation
							: joint->rest.scale;
	for (int i = 0; i < track->width; i++) {
		out[i] = (double)from[i];
	}
	if (track->kind == SOURCE_ROTATION) {
		quat_normalize(out);
	}
}

/* Metres that a change of 1 in a number of the track moves points by, at most. */
static double lever_of(const struct keys *keys, const struct key_track *track) {
	if (track->kind != KEYS_WEIGHTS) {
		// A quaternion's number turns by twice as many radians.
		return keys->levers[track->kind][track->joint] *
			(track->kind == SOURCE_ROTATION ? 2 : 1);
	}
	const double *reaches =
		keys->reaches + keys->source->rig->joints[track->joint].first_weight;
	double lever = 0;
	for (int i = 0; i < track->width; i++) {
		lever = fmax(lever, reaches[i] * track->width);
	}
	return lever;
}

/* The least exponent with which the filter's whole numbers reach as far as the values. */
static int least_exponent(const struct keys *keys, const struct key_track *track) {
	double value[KEYS_WIDTH_MAX], greatest = 0;
	int exponent;
	if (track->kind == SOURCE_ROTATION) {
		return ROTATION_FINEST;
	}
	for (int i = 0; i < keys->source->sample_count; i++) {
		keys_exact_value(keys, track, i, value);
		for (int k = 0; k < track->width; k++) {
			greatest = fmax(greatest, fabs(value[k]));
		}
	}
	frexp(greatest, &exponent);
	return greatest > 0 ? (int)fmax(exponent - MANTISSA_BITS, EXPONENT_LEAST) : ROTATION_FINEST;
}

/* Steps that move points by a share of the tolerance. */
static int exponent_for(const struct keys *keys, const struct key_track *track, double share) {
	const double lever = lever_of(keys, track);
	const int least = keys->filtered ? least_exponent(keys, track) : KEYS_EXACT;
	if (!(lever > 0)) {
		return least;
	}
	const double exponent = floor(log2(share * keys->tolerance_m / lever));
	const int most = track->kind == SOURCE_ROTATION ? ROTATION_MOST : EXPONENT_MOST;
	return exponent > (double)least ? (int)fmin(exponent, most) : least;
}

static double whole_of(int bits) {
	return (double)((1 << (bits - 1)) - 1);
}

void keys_store_moving(const struct keys *keys, struct key_track *track) {
	track->is_short = false;
	if (track->kind != SOURCE_ROTATION) {
		track->exponent = exponent_for(keys, track, SHARE_STEP);
		return;
	}
	const double lever = keys->levers[SOURCE_ROTATION][track->joint];
	track->exponent = keys->filtered ? ROTATION_FINEST : KEYS_EXACT;
	track->bits = SHORT_BITS;
	track->is_short = SHORT_OFF * lever <= SHARE_SHORT * keys->tolerance_m;
	while (keys->filtered && track->is_short && track->bits > FILTERED_LEAST &&
		FILTERED_OFF / whole_of(track->bits - 1) * lever <=
			SHARE_FILTERED * keys->tolerance_m) {
		track->bits--;
	}
}

void keys_store_constant(const struct keys *keys, struct key_track *track, int finer) {
	track->is_short = false;
	track->exponent = exponent_for(keys, track, ldexp(SHARE_CONSTANT, -2 * finer));
}

bool keys_is_finest(const struct keys *keys, const struct key_track *track) {
	return !track->is_short &&
		track->exponent == (keys->filtered ? least_exponent(keys, track) : KEYS_EXACT);
}

bool keys_store_finer(const struct keys *keys, struct key_track *track) {
	if (keys_is_finest(keys, track)) {
		return false;
	}
	if (track->is_short && track->bits < SHORT_BITS) {
		track->bits = track->bits < SHORT_BITS - 2 ? track->bits + 2 : SHORT_BITS;
		return true;
	}
	track->is_short = false;
	track->exponent = keys->filtered ? least_exponent(keys, track) : KEYS_EXACT;
	return true;
}

double keys_value_bytes(const struct keys *keys, const struct key_track *track) {
	if (!keys->filtered) {
		return track->width * (track->is_short ? 2.0 : 4.0);
	}
	// Deltas of smooth motion have fewer bits than the numbers themselves.
	return track->is_short ? 3 * 0.09 * track->bits : track->width * 1.6;
}

void keys_settle(struct keys *keys) {
	for (int i = 0; i < keys->track_count; i++) {
		struct key_track *track = &keys->tracks[i];
		const bool is_short = track->is_short && track->class == KEYS_MOVING;
		int count = 0;
		for (int s = 0; is_short && s < keys->source->sample_count; s++) {
			count += track->marks[s];
		}
		if (is_short && count <= (keys->filtered ? FEW_KEYS_FILTERED : FEW_KEYS)) {
			track->is_short = false;
			track->exponent = keys->filtered ? -track->bits : KEYS_EXACT;
		}
	}
}

/* The three smaller numbers of a rotation as whole ones, then which is the greatest, with how many
 * bits there are: EXT_meshopt_compression, appendix B, filter 2. */
static void pack_rotation(const double rotation[static 4], int bits, int16_t out[static 4]) {
	const double whole = whole_of(bits), scale = sqrt(2) * whole;
	int most = 0;
	for (int i = 1; i < 4; i++) {
		most = fabs(rotation[i]) > fabs(rotation[most]) ? i : most;
	}
	const double sign = rotation[most] < 0 ? -1 : 1;
	for (int i = 0; i < 3; i++) {
		const double number = rotation[(most + 1 + i) & 3] * sign * scale;
		out[i] = (int16_t)round(fmax(-whole, fmin(whole, number)));
	}
	out[3] = (int16_t)(((int)whole & ~3) | most);
}

/* The way back, to whole numbers within 32767. */
static void unpack_rotation(const int16_t packed[static 4], double out[static 4]) {
	const double scale = SHORT_MAX / sqrt(2) / (double)(packed[3] | 3);
	const int most = packed[3] & 3;
	double rest = SHORT_MAX * SHORT_MAX;
	for (int i = 0; i < 3; i++) {
		const double number = packed[i] * scale;
		rest -= number * number;
		out[(most + 1 + i) & 3] = round(number);
	}
	out[most] = round(sqrt(fmax(0, rest)));
}

/* A number in steps of the track, as far as the filter reaches. */
static double in_steps(const struct keys *keys, const struct key_track *track, double number) {
	const double whole = round(ldexp(number, -track->exponent));
	return keys->filtered ? fmax(-MANTISSA_MAX, fmin(MANTISSA_MAX, whole)) : whole;
}

void keys_value(const struct keys *keys, const struct key_track *track, int sample, double *out) {
	keys_exact_value(keys, track, sample, out);
	if (track->is_short && keys->filtered) {
		int16_t packed[4];
		pack_rotation(out, track->bits, packed);
		unpack_rotation(packed, out);
		return;
	}
	const bool has_steps = track->exponent != KEYS_EXACT;
	for (int i = 0; i < track->width; i++) {
		out[i] = track->is_short ? round(out[i] * SHORT_MAX)
			: has_steps
			? (double)(float)ldexp(in_steps(keys, track, out[i]), track->exponent)
			: (double)(float)out[i];
	}
}

void keys_filtered_value(
	const struct keys *keys, const struct key_track *track, int sample, void *out) {
	double value[KEYS_WIDTH_MAX];
	keys_exact_value(keys, track, sample, value);
	if (track->is_short) {
		pack_rotation(value, track->bits, out);
		return;
	}
	for (int i = 0; i < track->width; i++) {
		const int32_t whole = (int32_t)in_steps(keys, track, value[i]);
		const uint32_t bits =
			(uint32_t)track->exponent << 24 | ((uint32_t)whole & 0xffffff);
		memcpy((char *)out + (size_t)i * sizeof bits, &bits, sizeof bits);
	}
}

void keys_read_value(
	const struct keys *keys, const struct key_track *track, int sample, double *out) {
	keys_value(keys, track, sample, out);
	if (track->kind == SOURCE_ROTATION) {
		quat_normalize(out);
	}
}
