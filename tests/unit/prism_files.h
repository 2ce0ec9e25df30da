/* Prism's files in memory, for tests. */
#pragma once

#include "model/rig.h"

/* A file that came with others. */
struct prism_part {
	const char *path; // "fox.pim"
	const void *bytes;
	size_t size;
};

/* Imports the first of some files with the others, and checks the rig. NULL with *err. */
struct rig *prism_import_parts(const struct prism_part *parts, size_t count, struct error *err);
