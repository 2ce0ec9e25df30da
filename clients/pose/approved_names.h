/* Names of the folders and files of approved pictures: readable, and safe on every file system. All
 * are in the arena. */
#pragma once

#include "check_inputs.h"

struct renderer;

/* One part of a path. Letters of any script, digits, "_" and "-", and later ".", and blanks stay;
 * what else there is becomes %7C, and a long name ends in a digest of all of it. */
const char *approved_name_part(const char *text, struct arena *arena);

/* An asset by its path from where the folder of pictures lies, wherever the command is run from;
 * one from elsewhere by its file's name alone, and a rig by its name. */
const char *approved_name_asset(
	const char *folder, const struct check_input *input, struct arena *arena);

/* "llvmpipe-LLVM-15.0.6-256-bits-OpenGL-ES-3.2-Mesa-22.3.6": what draws the same pixels. */
const char *approved_name_renderer(const struct renderer *renderer, struct arena *arena);
