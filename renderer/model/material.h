/* How a surface looks: what of glTF's materials the renderer draws. Plain data. */
#pragma once

#include <stdbool.h>

enum alpha_mode { ALPHA_OPAQUE, ALPHA_MASK, ALPHA_BLEND };

enum wrap { WRAP_REPEAT, WRAP_CLAMP, WRAP_MIRROR };

struct material {
	char *name;          // may be empty; owned
	float base_color[4]; // linear, [0, 1]; multiplies the texture
	float emissive[3];   // linear light of its own
	bool unlit;          // the base colour as it is, whatever the light
	int texture;         // index into rig->textures; -1 = none
	enum alpha_mode alpha_mode;
	float alpha_cutoff; // ALPHA_MASK: below it is a hole
	bool double_sided;
};

/* An image with the way it is sampled. */
struct texture {
	int image; // index into rig->images
	enum wrap wrap_u, wrap_v;
	bool nearest;    // magnify without smoothing
	bool no_mipmaps; // minify from the full image
};

/* Decoded pixels: sRGB with straight alpha, first row on top. */
struct image {
	int width, height;
	unsigned char *rgba; // [height][width][4]; owned
};
