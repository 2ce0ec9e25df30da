/* Surfaces as glTF describes them: the programs, each compiled for what a material has, and what
 * they take. For the thread whose context is current. */
#pragma once

#include <epoxy/gl.h>

#include "draw/material.h"
#include "gl/gpu_rig.h"

struct shaded;

/* A picture as they see it. */
struct shaded_view {
	const struct rig *rig;
	const struct shaded_look *look;
	const float *view_projection; // [16]
	const float *eye;             // [4]
	unsigned flags;               // as material_variant_of() takes them
	float scale;                  // by which the pose scales the primitive
};

struct shaded *shaded_create(void);
void shaded_destroy(struct shaded *shaded); // takes NULL

/* Binds light and environment of what is drawn next. Fails with ERROR_INTERNAL. */
bool shaded_begin(struct shaded *shaded, const struct shaded_look *look, struct error *err);

/* Makes a material's program the one that is drawn with, and sets all of its uniforms but what
 * tells where the surface is outside. Fails with ERROR_INTERNAL where the program does not compile.
 */
bool shaded_use(struct shaded *shaded, const struct shaded_view *view, const struct gpu_rig *gpu,
	const struct material *material, struct error *err);

/* Unbinds what was bound. */
void shaded_end(void);
