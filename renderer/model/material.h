/* How a surface looks: what of glTF's materials the renderer draws, and what exports keep. Plain
 * data. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum alpha_mode { ALPHA_OPAQUE, ALPHA_MASK, ALPHA_BLEND };

enum wrap { WRAP_REPEAT, WRAP_CLAMP, WRAP_MIRROR };

struct material {
	char *name;          // may be empty; owned
	float base_color[4]; // linear, [0, 1]; multiplies the texture
	float emissive[3];   // linear light of its own
	bool unlit;          // the base colour as it is, whatever the light
	float metallic;      // [0, 1]; not drawn, for exports; 0 where a texture was to say it
	float roughness;     // [0, 1]; not drawn, for exports
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

/* What is kept of a picture besides its pixels: the file, if it is of a kind that glTF knows. */
enum image_kind { IMAGE_PIXELS, IMAGE_PNG, IMAGE_JPEG };

/* Decoded pixels: sRGB with straight alpha, first row on top. */
struct image {
	int width, height;
	unsigned char *rgba; // [height][width][4]; owned, unless it lies in the rig's storage
	/* The picture as the asset has it, for exports: a tenth of the pixels' size, and it saves
	 * them from being encoded for each. */
	enum image_kind kind;
	const unsigned char *encoded; // [encoded_bytes] borrowed from rig->storage
	size_t encoded_bytes;         // 0 for IMAGE_PIXELS
};
