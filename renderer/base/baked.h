/* The contents of a baked motion's files. */
#pragma once

#include <stddef.h>

#include "base/settings.h"

#define BAKED_TEXTURES_MAX 2

/* A texture of numbers, row after row without gaps, little-endian. Item i of frame f begins at
 * texel x = i % items_per_row * texels, in row y = i / items_per_row * frames + f, so that the
 * frames of an item stand below one another. What is left over is 0. */
struct baked_texture {
	const char *name;     // "positions"
	const char *file;     // in the tar
	const char *format;   // WebGL2's internal format: "RGBA16F"
	size_t width, height; // texels
	size_t items;         // in one frame: vertices or slots
	size_t items_per_row;
	size_t texels; // of each item
	/* A stored value is offset + scale * texel; scale all 0 = the texel itself. */
	float offset[3], scale[3];
};

struct shader_inputs;

/* What a page plays. */
struct baked_playback {
	const struct shader_inputs *inputs; // of the first frame; NULL = vertices are packed
	struct packing_settings packing;    // of packed vertices, in a box
	float box[6];
	bool has_mesh; // with it come the inputs besides the palettes
};

struct baked_facts {
	enum baked_form form;
	const char *name;
	size_t frames;
	double rate; // frames a second, evenly
	double duration_s;
	size_t vertices;
	float min[3], max[3]; // around the vertices of all frames, where they were skinned
	bool has_bounds;
	const char *const *slots; // [slot_count] each slot's joint; NULL = not told
	size_t slot_count;
	struct baked_texture textures[BAKED_TEXTURES_MAX]; // [texture_count]
	size_t texture_count;
	const struct baked_playback *playback; // NULL = it is of another form
};
