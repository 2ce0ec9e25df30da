/* The values of key tracks: exact, as a file has them, and as a reader takes them. */
#pragma once

#include "compress/keys.h"

#define KEYS_WIDTH_MAX 4096 // numbers of a value

/* Exact numbers of a track at a sample, [width]. */
void keys_exact_value(
	const struct keys *keys, const struct key_track *track, int sample, double *out);

/* The same as a reader takes it: rotations are unit. */
void keys_read_value(
	const struct keys *keys, const struct key_track *track, int sample, double *out);

/* The value at rest; rotations are unit. */
void keys_rest_value(const struct keys *keys, const struct key_track *track, double *out);

/* Chooses how the values of a track that moves are stored, for the tolerance. */
void keys_store_moving(const struct keys *keys, struct key_track *track);

/* The same for a constant: with coarse steps, of which clips have the same more often; finer: 0, 1,
 * ... for steps a quarter as long. */
void keys_store_constant(const struct keys *keys, struct key_track *track, int finer);

/* Stores a moving track more finely. False where it is as fine as it gets. */
bool keys_store_finer(const struct keys *keys, struct key_track *track);
bool keys_is_finest(const struct keys *keys, const struct key_track *track);
