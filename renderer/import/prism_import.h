/* The making of a rig from Prism's files: what its steps share. */
#pragma once

#include "import/prism_text.h"
#include "import/scene_build.h"

struct prism_bone {
	const char *name; // unique in the skeleton
	int parent;       // before this one; -1 = a root
	double world[12]; // at rest, in the model
	double inverse[12];
	bool has_inverse;
	struct transform rest; // relative to the parent
};

/* Bones with parents before children, in the file's order otherwise. */
struct prism_skeleton {
	int count;
	struct prism_bone *bones;
	int *by_name; // [count] positions of bones, by their names
};

struct prism_import {
	struct rig *rig; // for its warnings, until it is filled
	struct arena *arena;
	size_t bytes_left;
	struct prism_skeleton skeleton;
	/* The joint of what no bone moves, at the origin; behind the bones. */
	int holder;
	bool holder_moves; // it has meshes, which root motion is to move as well
	struct scene scene;
};

/* The steps, in their order; without a skeleton there are no bones. Fail with ERROR_BROKEN_ASSET or
 * ERROR_TOO_LARGE. */
bool prism_read_skeleton(
	struct prism_import *import, const struct prism_file *file, struct error *err);
bool prism_read_model(
	struct prism_import *import, const struct prism_file *file, struct error *err);
bool prism_read_animation(struct prism_import *import, const struct prism_file *file,
	const char *name, struct scene_clip *out, struct error *err);

/* Position of a bone; -1 = there is none of that name. */
int prism_find_bone(const struct prism_skeleton *skeleton, const char *name);

/* The matrix of sixteen numbers as they stand in a file: four rows, for row vectors, and so the
 * columns of one for column vectors. Its last row, 0 0 0 1, is not looked at. */
void prism_matrix(const float columns[static 16], double m[static 12]);

/* The translation, rotation and scale that a matrix is made of. Parts of the matrix that are none
 * of these are left out, and then false. Mirroring becomes scales below 0. */
bool prism_decompose(const double m[static 12], struct transform *out);

/* False where a number is not finite: matrices may have greater scales than float32 holds. */
bool prism_is_finite(const struct transform *transform);
