/* Shader programs from embedded texts. For the thread whose context is current. */
#pragma once

#include <epoxy/gl.h>
#include <stdbool.h>

#include "base/error.h"

/* Compiles and links the shaders of these file names (the ending tells the stage), after the
 * common prelude and constants (GLSL declarations; NULL = none), with `#include "x.glsl"` lines
 * expanded. Returns the program, or 0 with
 * ERROR_INTERNAL and the driver's own words; nothing is left behind. Free with glDeleteProgram. */
GLuint program_create(
	const char *const *names, size_t count, const char *constants, struct error *err);
