/* The key light of a picture, which casts shadows: the brightest box of the surrounding light, or a
 * light of the file. It is cut into KEY_MAPS small lights, each of which has a map of the depth of
 * what it sees. The share of them that a place sees is the share of the key that lights it; with
 * more of them it converges to the visibility of an area light.
 *
 * Sources: Williams. Casting Curved Shadows on Curved Surfaces. SIGGRAPH 1978 (maps of depth);
 * Heckbert, Herf. Simulating Soft Shadows with Graphics Hardware. CMU-CS-97-104, 1997 (sums of
 * many). */
#pragma once

#include "draw/ground.h"
#include "draw/job.h"

/* One of the small lights (struct KeyMap in shaders/include/key.glsl). A place on its map is
 * (across, up, depth) / w, each the product of a row with what shaders call to_origin and 1: texels
 * and depth from 0 to 1. */
struct key_map {
	float across[4], up[4], depth[4], w[4];
	float direction[4]; // unit, towards it, in the axes of the light; w: its share, sum 1
};

/* The block Key of shaders/include/key.glsl. */
struct key_block {
	float color[4];   // radiance of the environment's key, 0 if it is another; w: the
			  // irradiance that radiance 1 all over it gives what faces it
	float numbers[4]; // by how much receivers are lifted along their normals: a length, and a
			  // share of w; texels of a map's side; the light's index, -1 = of none
	float ground[4];  // the share of the ground's light that is the key's; 0 = all in place; 1
			  // where small lights count by their cosine there
	struct key_map maps[KEY_MAPS];
};

struct key_light {
	struct key_block block;
	float view_projections[KEY_MAPS][16]; // world to clip space of each map, column-major
	int side;                             // texels of a map
	struct ground_square square;          // of the ground, which holds all of its shadow
};

/* The figures that it shines on. */
struct key_subject {
	struct bounds box; // of all that casts, in the world
	double ground;     // its height
	double size;       // of the largest figure
};

/* Finds the key of a look: what gives the middle of the box most light, of the environment's first
 * soft box and of the look's directional and spot lights. eye is that of struct draw_job. False
 * where there is none. */
bool key_light_find(const struct shaded_look *look, const float eye[static 4],
	const struct key_subject *subject, struct key_light *out);

/* The way in which a primitive is drawn into a map. */
struct key_caster {
	bool casts;
	float cutoff; // alpha below it is a hole; 0 = there are none
};

/* Materials that let a share of the light through cast into the other share of the maps. Points and
 * lines cast nothing. */
struct key_caster key_caster_of(
	const struct primitive *primitive, const struct material *material, int map);
