/* The shaders' texts, embedded by the Makefile: no shader is read at run time. */
#pragma once

#include <stddef.h>

struct shader_text {
	const char *name; // file name: "lbs.comp", "skin.glsl"
	const char *text;
};

/* Generated: all files of shaders/ and shaders/include/, ended by a NULL name. */
extern const struct shader_text shader_texts[];
