/* Linear key reduction: the fewest keys that leave a clip within a bound on the error at the shell.
 * What comes is plain keys, as glTF has them. Tracks that stay at rest have none, constant ones
 * have one. Source: METHODS D.3 (Douglas and Peucker in time), in object space (D.4). */
#pragma once

#include <limits.h>

#include "compress/measure.h"

/* The kind of a track of morph weights, beside enum SOURCE_ROTATION ... */
#define KEYS_WEIGHTS SOURCE_KINDS

#define KEYS_EXACT INT_MIN // of steps: any float32 will do

enum keys_class { KEYS_REST, KEYS_CONSTANT, KEYS_MOVING };

/* One channel of a joint. */
struct key_track {
	int joint, kind;
	int width; // numbers of a value: 4 of rotations, 3, or the joint's morph weights
	enum keys_class class;
	bool hold;            // each key holds to the next
	bool is_short;        // a rotation as normalised int16
	int bits;             // of those: 16, or what the filter keeps of each number
	int exponent;         // others are multiples of 2^exponent; KEYS_EXACT = any float32
	int constant;         // the sample whose value a constant track has
	unsigned char *marks; // [sample_count] 1 = a key; of moving tracks, some have it together
	int from, to;         // keys about the moment sampled last; from = -1: none
};

struct keys {
	const struct source *source;
	const struct error_shell *shell;
	const double *reaches;              // [weight_count] as measure_make() takes them
	double tolerance_m;                 // that is kept
	bool filtered;                      // values go through the filters of meshoptimizer
	const double *levers[SOURCE_KINDS]; // [joint_count] as layout_find_levers()
	struct arena *arena;
	int track_count; // SOURCE_KINDS of each joint, then the weights of joints that have any
	struct key_track *tracks;
	int *first_of_joint; // [joint_count] its track of weights; -1 = none
	int joint_count;
};

/* Chooses the keys of a sampled clip, in the arena. tolerance_m > 0.
 * False with ERROR_INVALID_VALUE where not even all samples are within the tolerance, saying by how
 * much they are off; or with the stop's error. */
bool keys_make(const struct source *source, const struct error_shell *shell, const double *reaches,
	double tolerance_m, struct arena *arena, struct keys *out, struct error *err);

/* The same for keys that go through the filters of EXT_meshopt_compression, which leave rotations
 * as few bits as suffice and make whole numbers of floats. */
bool keys_make_filtered(const struct source *source, const struct error_shell *shell,
	const double *reaches, double tolerance_m, struct arena *arena, struct keys *out,
	struct error *err);

/* The samples at which a track has keys, into samples [sample_count]; returns their number. */
int keys_list(const struct keys *keys, const struct key_track *track, int *samples);

/* The value of a track at a sample as a reader of the file finds it, [width] numbers: rotations
 * that are short as whole numbers within 32767, all others as float32. */
void keys_value(const struct keys *keys, const struct key_track *track, int sample, double *out);

/* The same as it goes through the filter: four int16, or int32s, [width]. */
void keys_filtered_value(
	const struct keys *keys, const struct key_track *track, int sample, void *out);

/* True for rotations that are int16 in the file. */
static inline bool keys_is_short(const struct key_track *track) {
	return track->is_short;
}

/* Bytes of a value in a file, without what fills it up; through the filter and the codec, about. */
double keys_value_bytes(const struct keys *keys, const struct key_track *track);

/* Makes floats of rotations that have so few keys that saying they are normalised takes more bytes
 * than they save. To be called before the last repair. */
void keys_settle(struct keys *keys);

/* Samples the keys: a measure_local whose decoder is a struct keys. */
bool keys_local(void *decoder, int moment, struct source_transform *local, double *weights);

/* Lets tracks have keys at the same times where that is fewer bytes, given those of a time accessor
 * in JSON. */
void keys_share_times(struct keys *keys, int accessor_bytes);

/* The greatest error of everything together, over all moments, in metres. */
double keys_error(struct keys *keys);

/* Adds keys, or exact numbers, wherever an error is above the tolerance. False if that cannot be,
 * and once the job is to stop. */
bool keys_repair(struct keys *keys);
