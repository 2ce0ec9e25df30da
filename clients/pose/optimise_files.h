/* The files of pose optimise: those that go in, and those that come out. */
#pragma once

#include "base/arena.h"
#include "base/buffer.h"
#include "options.h"

struct optimise_file {
	const char *path;
	const char *target; // .glb, or .gltf with a .bin beside it; "-" = standard output
};

struct optimise_files {
	struct optimise_file *items; // [count]
	size_t count, room;
};

/* Finds the files that the arguments name, those of folders by path, and their targets by -o.
 * In the arena. STATUS_OK, or the exit status with the sentence on
 * standard error. */
int optimise_files_find(
	const struct arguments *arguments, struct arena *arena, struct optimise_files *out);

/* Writes a GLB to its target, with the folders above it; as a .gltf in two files, and with the
 * pictures that the source has beside it where the target is in another folder. STATUS_OK, or the
 * exit status with the sentence on standard error. */
int optimise_files_write(const struct arguments *arguments, const struct optimise_file *file,
	const struct buffer *glb);
