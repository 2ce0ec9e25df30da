/* The looks in a rig's description: materials, lights and cameras of the file. All strings
 * are UTF-8 and borrowed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/json_write.h"

/* A number or a colour of a material. */
struct factor_description {
	const char *name;
	const float *values; // [count]
	size_t count;        // 1: written as a number, else as a list
};

/* A texture that a material uses. */
struct texture_description {
	const char *use;
	int width, height; // of its image
	int texcoords;     // set in exported GLBs
	bool transformed;  // has the numbers below
	float offset[2], rotation_rad, scale[2];
};

struct material_description {
	const char *name;
	float base_color[4];    // linear
	const char *alpha_mode; // "opaque", "mask", "blend"
	float alpha_cutoff;     // of "mask"
	bool double_sided, texture, unlit;
	bool mtoon, transparent_with_z_write;     // written where true
	const char *outline_width_mode;           // as MToon names it; NULL = no outline
	int render_queue_offset;                  // written where it is not 0
	const struct factor_description *factors; // [factor_count] others than base_color
	size_t factor_count;
	const struct texture_description *textures; // [texture_count]
	size_t texture_count;
};

/* A position in the file. */
struct place_description {
	const char *name;  // its own; may be empty
	int index;         // in the file's list of its kind
	int node;          // in the file
	const char *joint; // that node's name
};

struct light_description {
	struct place_description place;
	const char *kind; // "directional", "point", "spot"
	float color[3], intensity;
	float range; // 0 = it has none
	bool cone;   // has the angles
	double inner_deg, outer_deg;
};

struct camera_description {
	struct place_description place;
	bool orthographic;
	double fov_deg;       // perspective
	float aspect;         // perspective; 0 = the picture's
	double width, height; // orthographic: of what is seen
	float near, far;      // far: 0 = it has none
};

void reply_write_materials(
	struct json_writer *json, const struct material_description *materials, size_t count);
void reply_write_lights(
	struct json_writer *json, const struct light_description *lights, size_t count);
void reply_write_cameras(
	struct json_writer *json, const struct camera_description *cameras, size_t count);
