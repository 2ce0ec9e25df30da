/* The texts of shaders. */
#pragma once

#include "base/buffer.h"
#include "base/embedded.h"
#include "base/error.h"

/* Generated: all files of shaders/ and shaders/include/, ended by a NULL name. */
extern const struct embedded_text shader_texts[];

/* The file that stands for interface.glsl: where skinning functions have their numbers from. */
#define SOURCE_STORAGE "storage.glsl"   // GLSL ES 3.1, compute shaders
#define SOURCE_TEXTURES "textures.glsl" // GLSL ES 3.0, vertex shaders

#define SOURCE_FILES_MAX 64

/* A text on its way. Zero, but for what is to be set, is an empty one. */
struct source {
	struct buffer text;    // the caller's to finish
	const char *interface; // SOURCE_STORAGE or SOURCE_TEXTURES; NULL = SOURCE_STORAGE
	bool functions_only;   // no main() and no #line: main() is the last of its file
	const char *seen[SOURCE_FILES_MAX]; // [seen_count] files that are in it
	int seen_count;
};

/* Appends what a text begins with: the version of the language, and precisions. */
void source_begin(struct source *source);

/* Appends a file with its includes, each of which comes once. Each piece is numbered, as the
 * driver's messages then show it ("2:14" is line 14 of the second piece). Fails with
 * ERROR_INTERNAL. */
bool source_append(struct source *source, const char *name, struct error *err);
