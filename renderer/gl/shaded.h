/* Surfaces as glTF describes them: the programs, each compiled for what a material has, and what
 * they take. For the thread whose context is current. */
#pragma once

#include <epoxy/gl.h>

#include "base/settings.h"
#include "bindings.glsl"
#include "gl/gpu_rig.h"

struct shaded;

/* A light as shaded.frag takes it (struct Light there), in the axes of the light from all around.
 */
struct shaded_light {
	float place[4]; // from the eye, or of no eye's place from the origin; w = 0: direction to
			// it
	float direction[4]; // that it shines in; w: what the cosine to it is multiplied by
	float color[4];     // times its strength; w: what is added to that cosine
	float range[4];     // x: one over it, to the fourth power; 0 = it has none
};

/* The light of a picture. */
struct shaded_look {
	enum environment environment;
	enum tone_mapping tone_mapping;
	float exposure;                    // that light is multiplied by
	float turn[9];                     // column-major: the world's axes to those of the light
	const struct shaded_light *lights; // [light_count], at most SHADED_LIGHTS_MAX
	int light_count;
};

/* A picture as they see it. */
struct shaded_view {
	const struct shaded_look *look;
	const float *view_projection; // [16]
	const float *eye;             // [4]
};

struct shaded *shaded_create(void);
void shaded_destroy(struct shaded *shaded); // takes NULL

/* Binds light and environment of what is drawn next. Fails with ERROR_INTERNAL. */
bool shaded_begin(struct shaded *shaded, const struct shaded_look *look, struct error *err);

/* Makes a material's program the one that is drawn with, and sets all of its uniforms but what
 * tells where the surface is outside. flags are SHADED_ENCODED, SHADED_MANY, SHADED_TANGENTS
 * where the vertices that are drawn have tangents, and SHADED_UNLIT where no light falls on them,
 * whatever their material. Fails with ERROR_INTERNAL where the program does not compile. */
bool shaded_use(struct shaded *shaded, const struct shaded_view *view, const struct gpu_rig *gpu,
	const struct material *material, unsigned flags, struct error *err);

/* Unbinds what was bound. */
void shaded_end(void);

/* True when a material has normals in textures, whose axes are the vertices' tangents where there
 * are any. */
bool shaded_takes_tangents(const struct material *material);

/* True when light comes through a surface, so that it is drawn with what lies behind it. */
bool shaded_is_blended(const struct material *material);
