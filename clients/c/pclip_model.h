/* The model behind .pclip files: what their symbols mean. Decoders read symbols by it, encoders run
 * it over numbers of their own and have the symbols recorded, so that both agree by construction.
 * Integers decide everything: no floating-point operation comes before a number is decoded. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
	PCLIP_KINDS = 3,    // tracks of a joint: rotation, translation, scale
	PCLIP_SYMBOLS = 16, // of every table
	PCLIP_PREDICTORS = 8,
	PCLIP_PROBABILITY_BITS = 12,
	PCLIP_VALUE_MAX = 1 << 24, // of a quantised number
	PCLIP_TABLES = 111,
	PCLIP_ROW = 32, // one more than symbols, and room up to a cache line
};

/* The three kinds of tracks. */
enum pclip_class { PCLIP_REST, PCLIP_STILL, PCLIP_MOVING };

/* One track as the head of a clip describes it: of a joint, or a morph weight (axis 0 alone). */
struct pclip_track {
	uint8_t class;
	uint8_t hold;   // keeps a sample until the next
	uint8_t moving; // bit 1 << axis: what changes; other axes are still
	int8_t base[4]; // of a rotation: near which it stays, in 32nds, to be normalised; 0 = rest
	int8_t unit;    // still numbers are in 2^unit
	int32_t still[3];
	/* Of moving axes: numbers are in steps of 2^(step / 6 - 32); how they are predicted; and
	 * the size of the first residuals, 2^(magnitude - 2). */
	uint8_t step[3], predictor[3], magnitude[3];
};

/* One moving number. */
struct pclip_channel {
	int track, axis, group; // group: channels of a joint have the same
	int predictor, magnitude;
	double step;
};

/* Its past within a segment. */
struct pclip_state {
	int32_t value, change[3]; // the last one, and the last three differences, latest first
	int32_t energy, size[2];  // running mean of residuals in 64ths, and the last two sizes
};

/* The place at which each symbol of each table begins among 2^PCLIP_PROBABILITY_BITS numbers, all
 * of which belong to one. */
struct pclip_tables {
	uint16_t first[PCLIP_TABLES][PCLIP_ROW];
};

/* Reads symbols, or has them recorded. */
struct pclip_coder {
	const struct pclip_tables *tables;
	const unsigned char *at, *end;
	uint32_t state;
	bool failed;
	/* Records a symbol of a table, or so many plain bits (table -1); NULL
	 * = symbols are read. */
	void (*record)(void *recorder, int table, int symbol, int bits);
	void *recorder;
};

/* Fills them. */
void pclip_fill_tables(struct pclip_tables *tables);

/* Reads symbols from these bytes on. failed is set when there are too few. */
void pclip_start_reading(
	struct pclip_coder *coder, const unsigned char *bytes, const unsigned char *end);

/* True when everything between has been read, and nothing was damaged as far as that shows. */
bool pclip_ended(const struct pclip_coder *coder);

/* Codes a clip's tracks, 3 * joint_count of joints, then those of weights. Recording leaves tracks
 * as they are, reading fills them.
 *
 * first  tracks of the file's first clip, relative to which others are coded; NULL = it is that
 * False for numbers that no encoder writes. */
bool pclip_code_head(struct pclip_coder *coder, struct pclip_track *tracks, int track_count,
	int joint_count, const struct pclip_track *first);

/* Lists moving numbers in the order in which they are coded; returns how many there are. */
int pclip_list_channels(const struct pclip_track *tracks, int track_count, int joint_count,
	struct pclip_channel *channels);

/* Codes one sample's numbers. position is its place in its segment. states is [count]; values is
 * [count] to be recorded, or NULL for reading. False for damage. */
bool pclip_code_sample(struct pclip_coder *coder, const struct pclip_channel *channels, int count,
	struct pclip_state *states, const int32_t *values, int position);

/* The number that a predictor, < PCLIP_PREDICTORS, expects after a past. */
int32_t pclip_predict(const struct pclip_state *state, int predictor);

/* A number becomes the last one; position is its place in its segment. */
void pclip_remember(struct pclip_state *state, int32_t value, int position);

/* The value of a still axis: beside the rest value, for rotations a number of the vector about
 * the base. */
double pclip_still(const struct pclip_track *track, int axis);

/* The unit of a moving one. */
double pclip_step(const struct pclip_track *track, int axis);

#ifdef __cplusplus
}
#endif
