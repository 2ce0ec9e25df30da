// KHR_draco_mesh_compression: decoded attributes and corners -> the data of accessors.
#include "import/gltf_accessor.h"
#include "import/gltf_document.h"

#include <stdio.h>

#include "import/draco_mesh.h"
#include "import/limits.h"

#define EXTENSION "KHR_draco_mesh_compression"

/* One compressed primitive. */
struct job {
	struct gltf *gltf;
	struct gltf_item attributes; // of the primitive: name -> accessor
	struct gltf_item extension;
	struct gltf_item ids; // of the extension: name -> Draco's id
	const unsigned char *bytes;
	size_t size;
	int indices, position; // accessors
	bool is_strip;         // the accessor of the indices counts a strip's
	struct draco_mesh *mesh;
};

static bool read_view(struct job *job, struct error *err) {
	const struct gltf *gltf = job->gltf;
	int view = -1;
	if (!gltf_index(&job->extension, "bufferView", gltf->view_count, &view, err) ||
		!gltf_object(&job->extension, "attributes", &job->ids, err)) {
		return false;
	}
	if (view < 0 || !job->ids.json) {
		return gltf_broken(&job->extension, err, "needs a bufferView and attributes");
	}
	job->bytes = gltf->views[view].data;
	job->size = gltf->views[view].size;
	return true;
}

/* The accessors that say how much there must be. */
static bool read_counts(struct job *job, const struct gltf_item *primitive, struct error *err) {
	const struct gltf_want corners = {.types = GLTF_BIT(GLTF_SCALAR),
		.components = GLTF_BIT(GLTF_UNSIGNED_BYTE) | GLTF_BIT(GLTF_UNSIGNED_SHORT) |
			GLTF_BIT(GLTF_UNSIGNED_INT),
		.whole_numbers = true};
	size_t mode = GLTF_TRIANGLES;
	if (!gltf_size(primitive, "mode", &mode, err) ||
		!gltf_accessor_member(
			job->gltf, primitive, "indices", &corners, &job->indices, err) ||
		!gltf_index(&job->attributes, "POSITION", job->gltf->accessor_count, &job->position,
			err)) {
		return false;
	}
	if (mode != GLTF_TRIANGLES && mode != GLTF_TRIANGLE_STRIP) {
		return gltf_broken(&job->extension, err, "mode is %zu, must be %d or %d", mode,
			GLTF_TRIANGLES, GLTF_TRIANGLE_STRIP);
	}
	if (job->indices < 0 || job->position < 0) {
		return gltf_broken(&job->extension, err, "needs indices and a POSITION");
	}
	job->is_strip = mode == GLTF_TRIANGLE_STRIP;
	return true;
}

static size_t least(size_t a, size_t b) {
	return a < b ? a : b;
}

static bool decode(struct job *job, struct error *err) {
	const struct gltf *gltf = job->gltf;
	const size_t corners = gltf->accessors[job->indices].count;
	const size_t points = gltf->accessors[job->position].count;
	const struct draco_limits limits = {
		.faces = least(job->is_strip ? corners : corners / 3, IMPORT_INDICES_MAX / 3),
		.points = least(points, IMPORT_VERTICES_MAX),
		.bytes = gltf->bytes_left,
	};
	struct error why = {0};
	job->mesh = draco_mesh_decode(job->bytes, job->size, &limits, &why);
	if (!job->mesh) {
		char place[GLTF_PLACE_BYTES];
		gltf_place(&job->extension, place);
		return error_set(err, why.code, "%s: %s", place, why.text);
	}
	const size_t faces = draco_mesh_faces(job->mesh);
	if (draco_mesh_points(job->mesh) != points || (!job->is_strip && faces * 3 != corners)) {
		return gltf_broken(&job->extension, err,
			"decoded to %zu corners of %zu vertices, but accessors[%d] has %zu, "
			"accessors[%d] %zu",
			faces * 3, draco_mesh_points(job->mesh), job->indices, corners,
			job->position, points);
	}
	return true;
}

/* Memory for an accessor's decoded elements; NULL with *err. An accessor can have only one source.
 */
static void *make_room(struct job *job, int index, size_t count, size_t size, struct error *err) {
	struct gltf_accessor *accessor = &job->gltf->accessors[index];
	char place[GLTF_PLACE_BYTES];
	gltf_place(&job->extension, place);
	if (accessor->decoded_from && accessor->decoded_from != job->bytes) {
		gltf_broken(&job->extension, err,
			"accessors[%d] belongs to another compressed primitive already", index);
		return NULL;
	}
	if (!gltf_claim(job->gltf, count * size, place, err)) {
		return NULL;
	}
	void *room = arena_alloc(job->gltf->arena, count, size);
	accessor->decoded_from = job->bytes;
	accessor->data = room;
	accessor->stride = size;
	return room;
}

static bool fill_indices(struct job *job, struct error *err) {
	const size_t count = draco_mesh_faces(job->mesh) * 3;
	uint32_t *indices = make_room(job, job->indices, count, sizeof *indices, err);
	if (!indices) {
		return false;
	}
	draco_mesh_indices(job->mesh, indices);
	struct gltf_accessor *accessor = &job->gltf->accessors[job->indices];
	accessor->component = GLTF_UNSIGNED_INT;
	accessor->count = count;
	return count > 0 || gltf_broken(&job->extension, err, "holds no triangles");
}

/* *present tells whether the extension has the attribute. */
static bool fill_attribute(struct job *job, const char *name, bool *present, struct error *err) {
	struct gltf *gltf = job->gltf;
	size_t id = SIZE_MAX;
	int index = -1;
	if (!gltf_size(&job->ids, name, &id, err) ||
		!gltf_index(&job->attributes, name, gltf->accessor_count, &index, err)) {
		return false;
	}
	*present = id != SIZE_MAX && index >= 0;
	if (!*present) {
		return true;
	}
	const struct gltf_item item = gltf_member(&job->ids, name);
	const struct gltf_accessor *accessor = &gltf->accessors[index];
	const size_t points = draco_mesh_points(job->mesh);
	if (accessor->type > GLTF_VEC4 || accessor->count != points || id > UINT32_MAX) {
		return gltf_broken(&item, err,
			"decoded to %zu vertices, but accessors[%d] has %zu elements", points,
			index, accessor->count);
	}
	const struct draco_attribute attribute = {
		.id = (uint32_t)id,
		.component = gltf_accessor_code(accessor->component),
		.components = gltf_accessor_width(accessor),
	};
	const size_t size = gltf_accessor_layout(accessor->type, accessor->component).size;
	void *out = make_room(job, index, points, size, err);
	struct error why = {0};
	return out &&
		(draco_mesh_read(job->mesh, &attribute, out, &why) ||
			gltf_broken(&item, err, "%s", why.text));
}

/* All attributes that the renderer reads; whatever else there is stays compressed. */
static bool fill_attributes(
	struct job *job, const struct gltf_texcoords *texcoords, struct error *err) {
	static const char *const names[] = {"POSITION", "NORMAL", "TANGENT", "COLOR_0", "_DQS_MIX"};
	bool present = true;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (!fill_attribute(job, names[i], &present, err)) {
			return false;
		}
	}
	for (int i = 0; i < texcoords->count; i++) {
		char name[40];
		snprintf(name, sizeof name, "TEXCOORD_%zu", texcoords->sets[i]);
		if (!fill_attribute(job, name, &present, err)) {
			return false;
		}
	}
	present = true;
	for (int n = 0; present && n < IMPORT_INFLUENCE_SETS_MAX; n++) {
		char joints[32], weights[32];
		bool has_joints = false, has_weights = false;
		snprintf(joints, sizeof joints, "JOINTS_%d", n);
		snprintf(weights, sizeof weights, "WEIGHTS_%d", n);
		if (!fill_attribute(job, joints, &has_joints, err) ||
			!fill_attribute(job, weights, &has_weights, err)) {
			return false;
		}
		present = has_joints || has_weights;
	}
	return true;
}

bool gltf_draco_read(struct gltf *gltf, const struct gltf_item *object,
	struct gltf_primitive *primitive, struct error *err) {
	struct job job = {.gltf = gltf, .indices = -1, .position = -1};
	struct gltf_item extensions;
	if (!gltf_object(object, "extensions", &extensions, err) ||
		!gltf_object(&extensions, EXTENSION, &job.extension, err) ||
		!gltf_object(object, "attributes", &job.attributes, err)) {
		return false;
	}
	if (!job.extension.json) {
		return true;
	}
	const struct gltf_texcoords *texcoords = gltf_texcoords_of(gltf, primitive->material);
	const bool filled = read_view(&job, err) && read_counts(&job, object, err) &&
		decode(&job, err) && fill_indices(&job, err) &&
		fill_attributes(&job, texcoords, err);
	draco_mesh_destroy(job.mesh);
	primitive->is_list = filled;
	return filled;
}
