// glTF's skins: which nodes move vertices, and their inverse bind matrices.
#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "import/gltf_document.h"
#include "import/limits.h"

/* The tolerance of a last row from 0 0 0 1: exporters print few digits. */
#define MATRIX_TOLERANCE 1e-4

static bool read_joints(struct gltf *gltf, const struct gltf_item *object, struct gltf_skin *skin,
	struct error *err) {
	struct gltf_item list;
	if (!gltf_list(object, "joints", &list, err)) {
		return false;
	}
	const size_t count = gltf_list_size(&list);
	if (count == 0) {
		return gltf_broken(object, err, "has no joints");
	}
	if (count > IMPORT_SKIN_JOINTS_MAX) {
		return error_set(err, ERROR_TOO_LARGE,
			"skins[%zu]: %zu joints, up to %zu are accepted", object->index, count,
			IMPORT_SKIN_JOINTS_MAX);
	}
	int *nodes = arena_alloc(gltf->arena, count, sizeof *nodes);
	for (size_t i = 0; i < count; i++) {
		if (!gltf_element_index(&list, i, gltf->node_count, &nodes[i], err)) {
			return false;
		}
	}
	skin->nodes = nodes;
	skin->joint_count = (int)count;
	return true;
}

/* Sixteen column-major numbers -> rows; false where the last row is not 0 0 0 1. */
static bool to_rows(const float columns[static 16], double rows[static 12]) {
	for (int i = 0; i < 12; i++) {
		rows[i] = (double)columns[i % 4 * 4 + i / 4];
	}
	for (int column = 0; column < 4; column++) {
		if (fabs((double)columns[column * 4 + 3] - (column == 3)) > MATRIX_TOLERANCE) {
			return false;
		}
	}
	return true;
}

static bool read_matrices(struct gltf *gltf, const struct gltf_item *object, int accessor,
	int count, double (*out)[12], struct error *err) {
	const size_t available = gltf->accessors[accessor].count;
	if (available < (size_t)count) {
		return gltf_broken(object, err,
			"inverseBindMatrices: accessors[%d] has %zu for %d joints", accessor,
			available, count);
	}
	const float *columns = gltf_accessor_store(gltf, accessor, err);
	if (!columns) {
		return false;
	}
	for (int i = 0; i < count; i++) {
		if (!to_rows(&columns[i * 16], out[i])) {
			return gltf_broken(object, err,
				"inverseBindMatrices: the last row of matrix %d of "
				"accessors[%d] must be 0 0 0 1",
				i, accessor);
		}
	}
	return true;
}

static bool read_inverse_bind(struct gltf *gltf, const struct gltf_item *object,
	struct gltf_skin *skin, struct error *err) {
	const struct gltf_want want = {
		.types = GLTF_BIT(GLTF_MAT4), .components = GLTF_BIT(GLTF_FLOAT)};
	int accessor;
	double(*matrices)[12] =
		arena_alloc(gltf->arena, (size_t)skin->joint_count, sizeof *matrices);
	skin->inverse_bind = (const double(*)[12])matrices;
	if (!gltf_accessor_member(gltf, object, "inverseBindMatrices", &want, &accessor, err)) {
		return false;
	}
	if (accessor >= 0) {
		return read_matrices(gltf, object, accessor, skin->joint_count, matrices, err);
	}
	for (int i = 0; i < skin->joint_count; i++) {
		memcpy(matrices[i], (const double[12])MAT_IDENTITY, sizeof matrices[i]);
	}
	return true;
}

bool gltf_read_skins(struct gltf *gltf, struct error *err) {
	struct gltf_item list, object;
	if (!gltf_document_list(gltf, "skins", &list, &gltf->skin_count, err)) {
		return false;
	}
	gltf->skins = arena_alloc(gltf->arena, (size_t)gltf->skin_count, sizeof *gltf->skins);
	for (int i = 0; i < gltf->skin_count; i++) {
		struct gltf_skin *skin = &gltf->skins[i];
		int skeleton; // only a hint for tools, but it must exist
		skin->first_slot = -1;
		if (!gltf_element_object(&list, (size_t)i, &object, err) ||
			!gltf_index(&object, "skeleton", gltf->node_count, &skeleton, err) ||
			!read_joints(gltf, &object, skin, err) ||
			!read_inverse_bind(gltf, &object, skin, err)) {
			return false;
		}
	}
	return true;
}
