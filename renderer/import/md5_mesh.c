// Meshes of Doom 3, with the motions that came with them.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mat.h"
#include "base/quat.h"
#include "base/utf8.h"
#include "import/limits.h"
#include "import/md5.h"
#include "model/weights.h"

/* Bytes of a text that are looked at for what it is. */
#define LOOKED_AT 4096

/* The least bytes that a vertex, a triangle, a weight and a joint take in a file. */
#define ELEMENT_BYTES 10.0

/* A joint in model space, as the mesh is bound to it. */
struct bound_joint {
	const char *name;
	int parent;
	struct md5_place place;
};

struct vertex {
	double uv[2];
	size_t first, count; // of weights
};

struct weight {
	uint32_t joint;
	double bias, place[3];
};

struct mesh_import {
	struct md5_reader reader;
	double most; // elements that the file has room for
	struct rig *rig;
	struct bound_joint *joints;
	struct scene scene;
	const struct import_files *files;
};

/* --- Joints --- */

static bool read_joints(struct mesh_import *import) {
	struct md5_reader *reader = &import->reader;
	double parent;
	for (int i = 0; i < import->scene.joint_count; i++) {
		struct bound_joint *joint = &import->joints[i];
		if (!md5_next(reader) || !utf8_is_valid(reader->token, strlen(reader->token))) {
			return md5_refuse(reader, "is no name in UTF-8");
		}
		joint->name = arena_strndup(reader->arena, reader->token, strlen(reader->token));
		if (!md5_read_count(reader, -1, i - 1, &parent) ||
			!md5_read_vector(reader, joint->place.translation) ||
			!md5_read_vector(reader, joint->place.rotation)) {
			return false;
		}
		joint->parent = (int)parent;
		md5_complete_rotation(joint->place.rotation);
	}
	return true;
}

/* The file has places in model space. */
static void make_joints(struct mesh_import *import) {
	struct scene_joint *out = (struct scene_joint *)import->scene.joints;
	for (int i = 0; i < import->scene.joint_count; i++) {
		const struct bound_joint *joint = &import->joints[i];
		struct md5_place local = joint->place;
		if (joint->parent >= 0) {
			const struct md5_place *above = &import->joints[joint->parent].place;
			double back[4];
			quat_conjugate(above->rotation, back);
			quat_multiply(back, local.rotation, local.rotation);
			for (int k = 0; k < 3; k++) {
				local.translation[k] -= above->translation[k];
			}
			quat_rotate(back, local.translation, local.translation);
		}
		out[i] = (struct scene_joint){joint->name, joint->parent, TRANSFORM_IDENTITY};
		for (int k = 0; k < 3; k++) {
			out[i].rest.translation[k] = (float)local.translation[k];
		}
		for (int k = 0; k < 4; k++) {
			out[i].rest.rotation[k] = (float)local.rotation[k];
		}
	}
}

static const struct palette_slot *make_slots(const struct mesh_import *import) {
	const size_t count = (size_t)import->scene.joint_count;
	struct palette_slot *slots = arena_alloc(import->reader.arena, count, sizeof *slots);
	for (size_t i = 0; i < count; i++) {
		const struct md5_place *place = &import->joints[i].place;
		double bind[12];
		for (int k = 0; k < 3; k++) {
			double axis[3] = {k == 0, k == 1, k == 2};
			quat_rotate(place->rotation, axis, axis);
			for (int row = 0; row < 3; row++) {
				bind[row * 4 + k] = axis[row];
			}
			bind[k * 4 + 3] = place->translation[k];
		}
		slots[i].joint = (int)i;
		mat_invert(bind, slots[i].inverse_bind); // a rotation: never singular
	}
	return slots;
}

/* --- Meshes --- */

static bool expect_index(struct md5_reader *reader, const char *word, size_t index) {
	double read;
	return md5_expect(reader, word) &&
		md5_read_count(reader, (double)index, (double)index, &read);
}

static bool read_vertices(struct mesh_import *import, struct vertex *vertices, size_t count) {
	struct md5_reader *reader = &import->reader;
	for (size_t i = 0; i < count; i++) {
		double first, weights;
		if (!expect_index(reader, "vert", i) || !md5_expect(reader, "(") ||
			!md5_read_number(reader, &vertices[i].uv[0]) ||
			!md5_read_number(reader, &vertices[i].uv[1]) || !md5_expect(reader, ")") ||
			!md5_read_count(reader, 0, import->most, &first) ||
			!md5_read_count(reader, 0, 4 * IMPORT_INFLUENCE_SETS_MAX, &weights)) {
			return false;
		}
		vertices[i].first = (size_t)first;
		vertices[i].count = (size_t)weights;
	}
	return true;
}

/* The format goes round clockwise. */
static bool read_triangles(struct mesh_import *import, struct scene_mesh *out, uint32_t *indices) {
	struct md5_reader *reader = &import->reader;
	for (size_t i = 0; i < out->index_count / 3; i++) {
		double corner[3];
		if (!expect_index(reader, "tri", i)) {
			return false;
		}
		for (int k = 0; k < 3; k++) {
			if (!md5_read_count(reader, 0, (double)out->vertex_count - 1, &corner[k])) {
				return false;
			}
			indices[3 * i + (size_t)(2 - k)] = (uint32_t)corner[k];
		}
	}
	out->indices = indices;
	return true;
}

static bool read_weights(struct mesh_import *import, struct weight *weights, size_t count) {
	struct md5_reader *reader = &import->reader;
	for (size_t i = 0; i < count; i++) {
		double joint;
		if (!expect_index(reader, "weight", i) ||
			!md5_read_count(reader, 0, import->scene.joint_count - 1, &joint) ||
			!md5_read_number(reader, &weights[i].bias) ||
			!md5_read_vector(reader, weights[i].place)) {
			return false;
		}
		weights[i].joint = (uint32_t)joint;
	}
	return true;
}

/* A vertex is the sum of its weights' places; one without any lies at the first joint. */
static void place_vertex(const struct mesh_import *import, const struct vertex *vertex,
	const struct weight *weights, float *position, struct influence *influences) {
	double sum[3] = {0};
	for (size_t i = 0; i < vertex->count; i++) {
		const struct weight *weight = &weights[vertex->first + i];
		const struct md5_place *joint = &import->joints[weight->joint].place;
		double place[3];
		quat_rotate(joint->rotation, weight->place, place);
		for (int k = 0; k < 3; k++) {
			sum[k] += weight->bias * (place[k] + joint->translation[k]);
		}
		influences[i] = (struct influence){weight->joint, weight->bias};
	}
	if (vertex->count == 0) {
		memcpy(sum, import->joints[0].place.translation, sizeof sum);
		influences[0] = (struct influence){0, 1};
	}
	for (int k = 0; k < 3; k++) {
		position[k] = (float)(fabs(sum[k]) < 1e30 ? sum[k] : 0);
	}
}

static bool place_vertices(struct mesh_import *import, const struct vertex *vertices,
	const struct weight *weights, size_t weight_count, struct scene_mesh *out) {
	struct arena *arena = import->reader.arena;
	const size_t count = out->vertex_count;
	size_t *first = arena_alloc(arena, count + 1, sizeof *first);
	for (size_t v = 0; v < count; v++) {
		if (vertices[v].first + vertices[v].count > weight_count) {
			return error_set(import->reader.err, ERROR_BROKEN_ASSET,
				"MD5: vertex %zu has weights up to %zu of %zu", v,
				vertices[v].first + vertices[v].count, weight_count);
		}
		first[v + 1] = first[v] + (vertices[v].count ? vertices[v].count : 1);
	}
	// Vertices may share weights, of which there may be more than the file has bytes then.
	if (!claim_bytes(&import->scene.bytes_left, first[count] * sizeof(struct influence),
		    "influences", import->reader.err)) {
		return false;
	}
	struct influence *influences = arena_alloc(arena, first[count], sizeof *influences);
	float *positions = arena_alloc(arena, count, 3 * sizeof *positions);
	float *texcoords = arena_alloc(arena, count, 2 * sizeof *texcoords);
	for (size_t v = 0; v < count; v++) {
		place_vertex(
			import, &vertices[v], weights, &positions[3 * v], &influences[first[v]]);
		texcoords[2 * v] = (float)vertices[v].uv[0];
		texcoords[2 * v + 1] = (float)vertices[v].uv[1];
	}
	out->positions = positions;
	out->texcoords[0] = texcoords;
	out->first_influence = first;
	out->influences = influences;
	return true;
}

static bool read_mesh(struct mesh_import *import, struct scene_mesh *out, const char **shader) {
	struct md5_reader *reader = &import->reader;
	struct arena *arena = reader->arena;
	double vertices, triangles, weights;
	if (!md5_expect(reader, "mesh") || !md5_expect(reader, "{") ||
		!md5_expect(reader, "shader")) {
		return false;
	}
	md5_next(reader);
	const bool is_text = utf8_is_valid(reader->token, strlen(reader->token));
	*shader = arena_strndup(arena, reader->token, is_text ? strlen(reader->token) : 0);
	if (!md5_expect(reader, "numverts") ||
		!md5_read_count(reader, 0, import->most, &vertices)) {
		return false;
	}
	out->vertex_count = (size_t)vertices;
	struct vertex *list = arena_alloc(arena, out->vertex_count, sizeof *list);
	if (!read_vertices(import, list, out->vertex_count) || !md5_expect(reader, "numtris") ||
		!md5_read_count(reader, 0, import->most, &triangles)) {
		return false;
	}
	out->index_count = 3 * (size_t)triangles;
	uint32_t *indices = arena_alloc(arena, out->index_count, sizeof *indices);
	if (!read_triangles(import, out, indices) || !md5_expect(reader, "numweights") ||
		!md5_read_count(reader, 0, import->most, &weights)) {
		return false;
	}
	struct weight *all = arena_alloc(arena, (size_t)weights, sizeof *all);
	return read_weights(import, all, (size_t)weights) && md5_expect(reader, "}") &&
		place_vertices(import, list, all, (size_t)weights, out);
}

static bool read_meshes(struct mesh_import *import) {
	struct scene *scene = &import->scene;
	struct arena *arena = scene->arena;
	const size_t count = (size_t)scene->mesh_count;
	struct scene_mesh *meshes = arena_alloc(arena, count, sizeof *meshes);
	struct material *materials = arena_alloc(arena, count, sizeof *materials);
	const struct palette_slot *slots = make_slots(import);
	for (size_t i = 0; i < count; i++) {
		const char *shader;
		meshes[i] = (struct scene_mesh){
			.mesh = (int)i,
			.material = (int)i,
			.slot_count = (size_t)scene->joint_count,
			.slots = slots,
		};
		if (!read_mesh(import, &meshes[i], &shader)) {
			return false;
		}
		materials[i] = material_default;
		materials[i].name = (char *)shader;
		materials[i].metallic = 0;
	}
	scene->meshes = meshes;
	scene->materials = materials;
	scene->material_count = (int)count;
	if (count > 0) {
		rig_warn(import->rig,
			"%zu materials are named only; what they look like is in the game's own "
			"files",
			count);
	}
	return true;
}

/* --- Motions --- */

/* A joint by its name. */
struct named {
	const char *name;
	int joint;
};

static int by_name(const void *a, const void *b) {
	const struct named *x = a, *y = b;
	return strcmp(x->name, y->name);
}

static struct named *sort_names(const struct mesh_import *import) {
	const size_t count = (size_t)import->scene.joint_count;
	struct named *names = arena_alloc(import->scene.arena, count, sizeof *names);
	for (size_t i = 0; i < count; i++) {
		names[i] = (struct named){import->joints[i].name, (int)i};
	}
	qsort(names, count, sizeof *names, by_name);
	return names;
}

static const int *find_joints(const struct mesh_import *import, const struct named *names,
	const struct md5_anim *anim, const char *quoted) {
	int *joint_of = arena_alloc(import->scene.arena, anim->joint_count, sizeof *joint_of);
	size_t missing = 0;
	for (size_t i = 0; i < anim->joint_count; i++) {
		const struct named wanted = {anim->joints[i].name, 0};
		const struct named *found = bsearch(
			&wanted, names, (size_t)import->scene.joint_count, sizeof *names, by_name);
		joint_of[i] = found ? found->joint : -1;
		missing += !found;
	}
	if (missing > 0) {
		rig_warn(import->rig, "file %s: %zu joints are left out, which the mesh lacks",
			quoted, missing);
	}
	return joint_of;
}

/* A motion that is broken costs its clip, and a warning. */
static bool read_motion(struct mesh_import *import, const struct named *names, size_t file,
	struct scene_clip *out) {
	const struct import_files *files = import->files;
	const char *path = files->paths[file];
	struct arena *arena = import->scene.arena;
	struct md5_anim anim;
	struct error why = {0};
	char quoted[UTF8_QUOTED_BYTES];
	size_t size;
	utf8_quote(path, quoted, sizeof quoted);
	const unsigned char *bytes = files->read(files->context, file, &size, &why);
	if (!bytes || !md5_anim_read(bytes, size, arena, &anim, &why)) {
		rig_warn(import->rig, "file %s: %s; read without it", quoted, why.text);
		return false;
	}
	out->name = import_clip_name(files->paths[files->document], path, arena);
	md5_anim_channels(
		&anim, find_joints(import, names, &anim, quoted), import->scene.joints, arena, out);
	return true;
}

static void read_motions(struct mesh_import *import) {
	const struct import_files *files = import->files;
	const struct named *names = sort_names(import);
	struct scene_clip *clips =
		arena_alloc(import->scene.arena, files ? files->count : 0, sizeof *clips);
	import->scene.clips = clips;
	for (size_t i = 0; files && i < files->count; i++) {
		const char *dot = strrchr(files->paths[i], '.');
		if (dot && strcasecmp(dot, ".md5anim") == 0 &&
			read_motion(import, names, i, &clips[import->scene.clip_count])) {
			import->scene.clip_count++;
		}
	}
}

/* --- The file --- */

static bool read(struct mesh_import *import) {
	struct md5_reader *reader = &import->reader;
	double joints, meshes;
	if (!md5_read_head(reader) || !md5_expect(reader, "numJoints") ||
		!md5_read_count(reader, 1, import->most, &joints) ||
		!md5_expect(reader, "numMeshes") ||
		!md5_read_count(reader, 0, import->most, &meshes) ||
		!md5_expect(reader, "joints") || !md5_expect(reader, "{")) {
		return false;
	}
	import->scene.joint_count = (int)joints;
	import->scene.mesh_count = (int)meshes;
	import->joints = arena_alloc(reader->arena, (size_t)joints, sizeof *import->joints);
	import->scene.joints =
		arena_alloc(reader->arena, (size_t)joints, sizeof *import->scene.joints);
	if (!read_joints(import) || !md5_expect(reader, "}")) {
		return false;
	}
	make_joints(import);
	if (!read_meshes(import)) {
		return false;
	}
	read_motions(import);
	return scene_build(&import->scene, import->rig, reader->err);
}

struct rig *md5_mesh_import(const unsigned char *bytes, size_t size,
	const struct import_files *files, struct asset_facts **facts, struct error *err) {
	struct arena *arena = arena_create();
	struct mesh_import import = {
		.reader = {(const char *)bytes, (const char *)bytes + size, "", arena, err},
		.most = (double)size / ELEMENT_BYTES,
		.rig = rig_create(),
		.scene = {.arena = arena, .bytes_left = claim_allowed(size)},
		.files = files,
	};
	bool made = read(&import);
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

bool md5_mesh_probe(const unsigned char *bytes, size_t size) {
	return size > 10 && memcmp(bytes, "MD5Version", 10) == 0 &&
		memmem(bytes, size < LOOKED_AT ? size : LOOKED_AT, "numMeshes", 9);
}
