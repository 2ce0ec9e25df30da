// An FBX file -> a rig: the steps in their order.
#include "import/fbx.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "import/fbx_import.h"
#include "import/limits.h"

/* Evaluations of curves, some microseconds each: those of any file, and for each of its bytes.
 * Mocap of a minute takes a million, and ten megabytes. */
#define SAMPLES_FREE ((int64_t)1 << 18)
#define SAMPLES_PER_BYTE 2

/* Without anything to measure. */
#define DIAGONAL_STANDARD 1.0

static void add_point(const double point[static 3], double min[static 3], double max[static 3]) {
	for (int i = 0; i < 3; i++) {
		min[i] = fmin(min[i], point[i]);
		max[i] = fmax(max[i], point[i]);
	}
}

/* The nodes at rest, and the points of meshes as their nodes place them. */
static double find_diagonal(const struct fbx_import *import) {
	double min[3] = {INFINITY, INFINITY, INFINITY}, max[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (int i = 0; i < import->nodes.count; i++) {
		const double *m = import->world[i];
		add_point((const double[3]){m[3], m[7], m[11]}, min, max);
	}
	for (int i = 0; i < import->mesh_count; i++) {
		const struct fbx_mesh *mesh = &import->meshes[i];
		double place[12];
		memcpy(place, import->nodes.nodes[mesh->node].geometry, sizeof place);
		for (int k = 0; k < 12; k++) {
			place[k] *= import->nodes.unit;
		}
		mat_multiply(import->world[mesh->node], place, place);
		for (size_t p = 0; p < mesh->geometry.point_count; p++) {
			double point[3];
			mat_map_point(place, &mesh->geometry.points[p * 3], point);
			add_point(point, min, max);
		}
	}
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		sum += (max[i] - min[i]) * (max[i] - min[i]);
	}
	return sum > 0 && isfinite(sum) ? sqrt(sum) : DIAGONAL_STANDARD;
}

static int count_kind(const struct fbx_nodes *nodes, const char *kind) {
	int count = 0;
	for (int i = 0; i < nodes->count; i++) {
		count += strcmp(nodes->nodes[i].object->kind, kind) == 0;
	}
	return count;
}

static void warn_of_nodes(const struct fbx_import *import) {
	const struct fbx_nodes *nodes = &import->nodes;
	const int lights = count_kind(nodes, "Light"), cameras = count_kind(nodes, "Camera");
	if (nodes->shared_count > 0) {
		rig_warn(import->rig,
			"%d models have several parents; each hangs on the last one in the file",
			nodes->shared_count);
	}
	if (lights + cameras > 0) {
		rig_warn(import->rig, "%d lights and %d cameras are left out", lights, cameras);
	}
}

static bool read(
	struct fbx_import *import, const unsigned char *bytes, size_t size, struct error *err) {
	if (!fbx_tree_read(&import->tree, bytes, size, err) ||
		!fbx_objects_read(&import->objects, &import->tree, err)) {
		return false;
	}
	fbx_nodes_read(&import->nodes, &import->objects, import->tree.arena);
	warn_of_nodes(import);
	import->scene.space.unit_m = import->nodes.unit;
	memcpy(import->scene.space.turn, import->nodes.turn, sizeof import->nodes.turn);
	if (!fbx_animation_read(&import->animation, &import->tree, &import->objects, err)) {
		return false;
	}
	fbx_make_joints(import);
	fbx_make_materials(import);
	if (!fbx_make_meshes(import, err)) {
		return false;
	}
	import->diagonal = find_diagonal(import);
	fbx_make_clips(import);
	return true;
}

struct rig *fbx_import(const unsigned char *bytes, size_t size, const struct import_files *files,
	struct asset_facts **facts, struct error *err) {
	struct arena *arena = arena_create();
	const size_t allowed = claim_allowed(size);
	struct fbx_import import = {
		.rig = rig_create(),
		.files = files,
		.tree = {.arena = arena, .bytes_left = allowed},
		.samples_left = SAMPLES_FREE + SAMPLES_PER_BYTE * (int64_t)size,
		.scene = {.arena = arena, .bytes_left = allowed},
	};
	bool made = read(&import, bytes, size, err) && scene_build(&import.scene, import.rig, err);
	if (made && facts) {
		*facts = scene_facts(&import.scene, import.rig, size, err);
		made = *facts;
	}
	arena_destroy(arena);
	if (!made) {
		rig_release(import.rig);
		return NULL;
	}
	return import.rig;
}

static int compare_texts(const void *a, const void *b) {
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The path of a texture's picture, unless that is in the file; NULL = there is none. */
static const char *path_beside(
	const struct fbx_objects *objects, const struct fbx_object *texture) {
	const struct fbx_object *video = fbx_first_child(objects, texture, "Video", NULL, NULL);
	const struct fbx_record *content = video ? fbx_child(video->record, "Content") : NULL;
	const char *path = fbx_child_text(texture->record, "RelativeFilename",
		fbx_child_text(texture->record, "FileName", ""));
	bool inside = false;
	for (int i = 0; content && i < content->value_count; i++) {
		const struct fbx_value *value = &content->values[i];
		inside |= (value->kind == FBX_BYTES || value->kind == FBX_TEXT) && value->size > 0;
	}
	return inside || !*path ? NULL : path;
}

size_t fbx_pictures_beside(
	const unsigned char *bytes, size_t size, struct arena *arena, const char *const **paths) {
	struct fbx_tree tree = {.arena = arena, .bytes_left = claim_allowed(size)};
	struct fbx_objects objects;
	struct error err = {0};
	if (!fbx_probe(bytes, size) || !fbx_tree_read(&tree, bytes, size, &err) ||
		!fbx_objects_read(&objects, &tree, &err)) {
		return 0;
	}
	const char **list = arena_alloc(arena, (size_t)objects.count + 1, sizeof *list);
	size_t count = 0, used = 0;
	for (int i = 0; i < objects.count; i++) {
		const struct fbx_object *object = &objects.objects[i];
		const char *path =
			strcmp(object->type, "Texture") == 0 ? path_beside(&objects, object) : NULL;
		if (path) {
			list[count++] = path;
		}
	}
	qsort(list, count, sizeof *list, compare_texts);
	for (size_t i = 0; i < count; i++) {
		if (used == 0 || strcmp(list[used - 1], list[i]) != 0) {
			list[used++] = list[i];
		}
	}
	*paths = list;
	return used;
}
