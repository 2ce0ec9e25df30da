// A PIS -> bones with parents before children, relative to them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/quat.h"
#include "import/decompose.h"
#include "import/limits.h"
#include "import/prism_import.h"

/* A scale as near to 1 as float32's matrices tell it is 1. */
#define SCALE_ROUNDING 5e-7

/* --- Matrices --- */

void prism_matrix(const float columns[static 16], double m[static 12]) {
	for (int i = 0; i < 12; i++) {
		m[i] = (double)columns[i % 4 * 4 + i / 4];
	}
}

bool prism_is_finite(const struct transform *transform) {
	bool finite = true;
	for (int i = 0; i < 3; i++) {
		finite = finite && isfinite(transform->translation[i]) &&
			isfinite(transform->scale[i]);
	}
	for (int i = 0; i < 4; i++) {
		finite = finite && isfinite(transform->rotation[i]);
	}
	return finite;
}

bool prism_decompose(const double m[static 12], struct transform *out) {
	const double left = decompose(m, out);
	double q[4];
	for (int i = 0; i < 4; i++) {
		q[i] = (double)out->rotation[i];
	}
	quat_normalize(q); // which it is not where the matrix is sheared
	for (int i = 0; i < 4; i++) {
		out->rotation[i] = (float)q[i];
	}
	for (int i = 0; i < 3; i++) {
		const bool is_one = fabs((double)out->scale[i] - 1) < SCALE_ROUNDING;
		out->scale[i] = is_one ? 1 : out->scale[i];
	}
	return left <= DECOMPOSE_SHEAR_TOLERANCE;
}

/* --- The file --- */

/* A bone as it stands in the file. */
struct source {
	const char *name, *parent_name;
	uint32_t line;
	int parent; // in the file's order; -1 = a root
	int place;  // among the bones; -1 = not yet
	bool waits; // on the way up to a bone that has one
	double world[12];
};

static bool read_matrix(struct prism_cursor *row, double m[static 12], struct error *err) {
	float columns[16];
	struct prism_cursor inner;
	if (!prism_take_inner(row, &inner, err) || !prism_take_floats(&inner, 16, columns, err) ||
		!prism_take_end(&inner, err)) {
		return false;
	}
	prism_matrix(columns, m);
	return true;
}

static bool read_bone(struct prism_cursor row, struct source *out, struct error *err) {
	out->line = prism_line(&row);
	out->place = -1;
	return prism_take_key(&row, "Name", err) && prism_take_string(&row, &out->name, err) &&
		prism_take_key(&row, "Parent", err) &&
		prism_take_string(&row, &out->parent_name, err) &&
		prism_take_key(&row, "Matrix", err) && read_matrix(&row, out->world, err) &&
		prism_take_end(&row, err);
}

static int compare(const void *a, const void *b, void *names) {
	const struct source *sources = names;
	return strcmp(sources[*(const int *)a].name, sources[*(const int *)b].name);
}

static int find(const struct source *sources, const int *by_name, int count, const char *name) {
	int low = 0, high = count;
	while (low < high) {
		const int middle = low + (high - low) / 2;
		const int order = strcmp(sources[by_name[middle]].name, name);
		if (order == 0) {
			return by_name[middle];
		}
		*(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
	}
	return -1;
}

static const char *quote(const char *text, char quoted[static UTF8_QUOTED_BYTES]) {
	utf8_quote(text, quoted, UTF8_QUOTED_BYTES);
	return quoted;
}

/* Finds the parents by their names, each of which only one bone has. */
static bool link_bones(const struct prism_file *file, struct source *sources, int *by_name,
	int count, struct error *err) {
	char quoted[UTF8_QUOTED_BYTES];
	for (int i = 0; i < count; i++) {
		by_name[i] = i;
	}
	qsort_r(by_name, (size_t)count, sizeof *by_name, compare, sources);
	for (int i = 1; i < count; i++) {
		const struct source *source = &sources[by_name[i]];
		if (strcmp(sources[by_name[i - 1]].name, source->name) == 0) {
			return prism_refuse(file, source->line, err, "a second bone %s",
				quote(source->name, quoted));
		}
	}
	for (int i = 0; i < count; i++) {
		const char *name = sources[i].parent_name;
		sources[i].parent = *name ? find(sources, by_name, count, name) : -1;
		if (*name && sources[i].parent < 0) {
			return prism_refuse(file, sources[i].line, err, "its parent %s is no bone",
				quote(name, quoted));
		}
	}
	return true;
}

static void find_rest(struct prism_import *import, struct prism_bone *bone) {
	double local[12];
	memcpy(local, bone->world, sizeof local);
	if (bone->parent >= 0) {
		mat_multiply(import->skeleton.bones[bone->parent].inverse, bone->world, local);
	}
	if (!prism_decompose(local, &bone->rest)) {
		char quoted[UTF8_QUOTED_BYTES];
		rig_warn(import->rig, "bone %s: sheared at rest, which is left out",
			quote(bone->name, quoted));
	}
}

/* Places a bone whose parent has its place. */
static bool place(struct prism_import *import, const struct prism_file *file,
	struct source *sources, int i, struct error *err) {
	struct prism_skeleton *skeleton = &import->skeleton;
	struct prism_bone *bone = &skeleton->bones[skeleton->count];
	char quoted[UTF8_QUOTED_BYTES];
	struct source *source = &sources[i];
	bone->name = source->name;
	bone->parent = source->parent < 0 ? -1 : sources[source->parent].place;
	memcpy(bone->world, source->world, sizeof bone->world);
	bone->has_inverse = mat_invert(bone->world, bone->inverse);
	if (bone->parent >= 0 && !skeleton->bones[bone->parent].has_inverse) {
		return prism_refuse(file, sources[source->parent].line, err,
			"the matrix of bone %s, which is a parent, has no inverse",
			quote(skeleton->bones[bone->parent].name, quoted));
	}
	find_rest(import, bone);
	if (!prism_is_finite(&bone->rest)) {
		return prism_refuse(file, source->line, err,
			"relative to its parent it is beyond what float32 holds");
	}
	source->place = skeleton->count++;
	return true;
}

/* Places a bone behind those above it, which wait meanwhile: up is [count]. */
static bool place_chain(struct prism_import *import, const struct prism_file *file,
	struct source *sources, int i, int *up, struct error *err) {
	int length = 0;
	for (; i >= 0 && sources[i].place < 0; i = sources[i].parent) {
		if (sources[i].waits) {
			return prism_refuse(file, sources[i].line, err,
				"the bone is among its own parents' parents");
		}
		sources[i].waits = true;
		up[length++] = i;
	}
	while (length > 0) {
		if (!place(import, file, sources, up[--length], err)) {
			return false;
		}
	}
	return true;
}

static bool place_all(struct prism_import *import, const struct prism_file *file,
	struct source *sources, int *by_name, int count, struct error *err) {
	int *up = arena_alloc(import->arena, (size_t)count, sizeof *up);
	for (int i = 0; i < count; i++) {
		if (!place_chain(import, file, sources, i, up, err)) {
			return false;
		}
	}
	for (int i = 0; i < count; i++) {
		by_name[i] = sources[by_name[i]].place;
	}
	import->skeleton.by_name = by_name;
	return true;
}

bool prism_read_skeleton(
	struct prism_import *import, const struct prism_file *file, struct error *err) {
	const struct prism_section *facts = prism_need(file, &file->root, "Global", err);
	const struct prism_section *bones =
		facts ? prism_need(file, &file->root, "Bones", err) : NULL;
	size_t count = 0;
	if (!bones || !prism_count(file, facts, "BoneCount", IMPORT_SKIN_JOINTS_MAX, &count, err)) {
		return false;
	}
	if (count != bones->row_count || count == 0) {
		return prism_refuse(file, bones->line, err,
			"%zu bones, must be as many as BoneCount says, %zu, and at least one",
			bones->row_count, count);
	}
	const size_t bytes = sizeof(struct source) + sizeof *import->skeleton.bones;
	if (!claim_bytes(&import->bytes_left, count * (bytes + 2 * sizeof(int)), "bones", err)) {
		return false;
	}
	struct source *sources = arena_alloc(import->arena, count, sizeof *sources);
	int *by_name = arena_alloc(import->arena, count, sizeof *by_name);
	struct prism_cursor row = prism_first_row(file, bones);
	for (size_t i = 0; i < count; i++, row = prism_next_row(&row)) {
		if (!read_bone(row, &sources[i], err)) {
			return false;
		}
	}
	import->skeleton.bones = arena_alloc(import->arena, count, sizeof(struct prism_bone));
	return link_bones(file, sources, by_name, (int)count, err) &&
		place_all(import, file, sources, by_name, (int)count, err);
}

int prism_find_bone(const struct prism_skeleton *skeleton, const char *name) {
	int low = 0, high = skeleton->count;
	while (low < high) {
		const int middle = low + (high - low) / 2;
		const int bone = skeleton->by_name[middle];
		const int order = strcmp(skeleton->bones[bone].name, name);
		if (order == 0) {
			return bone;
		}
		*(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
	}
	return -1;
}
