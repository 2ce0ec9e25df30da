/* Surfaces in their base colours under one key light and a sky: the least that shows a shape. For
 * the thread whose context is current. */
#pragma once

#include <epoxy/gl.h>

#include "gl/gpu_rig.h"

struct plain;

/* A picture as its programs see it. */
struct plain_view {
	const float *view_projection; // [16]
	const float *eye;             // [4]
	const float *key_direction;   // [3]
};

struct plain *plain_create(void);
void plain_destroy(struct plain *plain); // takes NULL

/* Makes the program of these flags the one that is drawn with (SHADED_ENCODED and SHADED_MANY of
 * bindings.glsl), and sets a material; with SHADED_UNLIT no light falls on it. Fails
 * with ERROR_INTERNAL where it does not compile. */
bool plain_use(struct plain *plain, const struct plain_view *view, const struct gpu_rig *gpu,
	const struct material *material, unsigned flags, struct error *err);

/* The constants that programs with surface.glsl are compiled with; cut: surfaces may have holes. */
const char *surface_constants(bool cut);

/* Sets a material of a program with surface.glsl's uniforms, which is the one that is drawn with.
 */
void plain_set_material(
	struct plain *plain, const struct gpu_rig *gpu, const struct material *material);
