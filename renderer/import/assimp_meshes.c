// Assimp's meshes -> pieces of the scene, one for each node that has them.
#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/utf8.h"
#include "import/assimp_import.h"
#include "import/limits.h"

/* Meshes while they become pieces. */
struct making {
	struct assimp_import *import;
	struct scene_mesh *made; // [meshes] but for their joints
	bool *is_made;           // [meshes]
	size_t lines, points;    // left out
};

static bool refuse(const struct making *making, unsigned mesh, const char *why, struct error *err) {
	return error_set(err, ERROR_BROKEN_ASSET, "%s: mesh %u: %s", making->import->format->name,
		mesh, why);
}

/* --- Triangles --- */

static bool read_faces(
	struct making *making, unsigned index, struct scene_mesh *out, struct error *err) {
	const struct aiMesh *from = making->import->from->mMeshes[index];
	uint32_t *indices =
		arena_alloc(making->import->arena, (size_t)from->mNumFaces * 3, sizeof *indices);
	for (unsigned i = 0; i < from->mNumFaces; i++) {
		const struct aiFace *face = &from->mFaces[i];
		making->points += face->mNumIndices == 1;
		making->lines += face->mNumIndices == 2;
		for (unsigned k = 0; k < 3 && face->mNumIndices == 3; k++) {
			if (face->mIndices[k] >= from->mNumVertices) {
				return refuse(making, index,
					"a face has a vertex that is not there", err);
			}
			indices[out->index_count++] = face->mIndices[k];
		}
	}
	making->points += from->mNumFaces == 0 ? from->mNumVertices : 0;
	out->indices = indices;
	return true;
}

/* --- Vertices --- */

static float *copy_vectors(const struct assimp_import *import, const struct aiVector3D *from,
	size_t count, double unit) {
	float *out = arena_alloc(import->arena, count, 3 * sizeof *out);
	for (size_t i = 0; i < count; i++) {
		out[3 * i] = assimp_number((double)from[i].x * unit);
		out[3 * i + 1] = assimp_number((double)from[i].y * unit);
		out[3 * i + 2] = assimp_number((double)from[i].z * unit);
	}
	return out;
}

/* Texture coordinates run upwards there. */
static float *copy_texcoords(
	const struct assimp_import *import, const struct aiVector3D *from, size_t count) {
	float *out = arena_alloc(import->arena, count, 2 * sizeof *out);
	for (size_t i = 0; i < count; i++) {
		out[2 * i] = assimp_number((double)from[i].x);
		out[2 * i + 1] = assimp_number(1 - (double)from[i].y);
	}
	return out;
}

static float *copy_colors(
	const struct assimp_import *import, const struct aiColor4D *from, size_t count) {
	float *out = arena_alloc(import->arena, count, 4 * sizeof *out);
	for (size_t i = 0; i < count; i++) {
		const float color[4] = {from[i].r, from[i].g, from[i].b, from[i].a};
		for (size_t k = 0; k < 4; k++) {
			out[4 * i + k] = fminf(fmaxf(assimp_number((double)color[k]), 0), 1);
		}
	}
	return out;
}

static void read_vertices(
	const struct assimp_import *import, const struct aiMesh *from, struct scene_mesh *out) {
	const size_t count = from->mNumVertices;
	out->vertex_count = count;
	out->positions = copy_vectors(import, from->mVertices, count, import->unit);
	out->normals = from->mNormals ? copy_vectors(import, from->mNormals, count, 1) : NULL;
	out->colors = from->mColors[0] ? copy_colors(import, from->mColors[0], count) : NULL;
	for (int set = 0; set < TEXCOORD_SETS; set++) {
		const struct aiVector3D *coords = from->mTextureCoords[set];
		out->texcoords[set] = coords ? copy_texcoords(import, coords, count) : NULL;
	}
}

/* --- Skins --- */

static bool count_weights(struct making *making, unsigned index, size_t *first, struct error *err) {
	const struct aiMesh *from = making->import->from->mMeshes[index];
	for (unsigned b = 0; b < from->mNumBones; b++) {
		const struct aiBone *bone = from->mBones[b];
		for (unsigned w = 0; w < bone->mNumWeights; w++) {
			if (bone->mWeights[w].mVertexId >= from->mNumVertices) {
				return refuse(making, index,
					"a bone moves a vertex that is not there", err);
			}
			first[bone->mWeights[w].mVertexId + 1]++;
		}
	}
	for (unsigned v = 0; v < from->mNumVertices; v++) {
		if (first[v + 1] > 4 * (size_t)IMPORT_INFLUENCE_SETS_MAX) {
			return refuse(making, index, "more than 256 bones move a vertex", err);
		}
	}
	return true;
}

/* A vertex that no bone moves goes with the mesh's node, as if that was one. */
static void spread_weights(
	const struct aiMesh *from, uint32_t own_slot, size_t *first, struct influence *influences) {
	for (unsigned v = 0; v < from->mNumVertices; v++) {
		if (first[v + 1] == 0) {
			first[v + 1] = 1;
			influences[first[v]] = (struct influence){own_slot, 1};
		}
		first[v + 1] += first[v];
	}
}

static bool read_influences(
	struct making *making, unsigned index, struct scene_mesh *out, struct error *err) {
	const struct aiMesh *from = making->import->from->mMeshes[index];
	const size_t count = from->mNumVertices;
	struct arena *arena = making->import->arena;
	size_t *first = arena_alloc(arena, count + 1, sizeof *first), total = count;
	for (unsigned b = 0; b < from->mNumBones; b++) {
		total += from->mBones[b]->mNumWeights;
	}
	struct influence *influences = arena_alloc(arena, total, sizeof *influences);
	size_t *used = arena_alloc(arena, count, sizeof *used);
	if (!count_weights(making, index, first, err)) {
		return false;
	}
	spread_weights(from, from->mNumBones, first, influences);
	for (unsigned b = 0; b < from->mNumBones; b++) {
		const struct aiBone *bone = from->mBones[b];
		for (unsigned w = 0; w < bone->mNumWeights; w++) {
			const unsigned v = bone->mWeights[w].mVertexId;
			influences[first[v] + used[v]++] =
				(struct influence){b, (double)bone->mWeights[w].mWeight};
		}
	}
	out->first_influence = first;
	out->influences = influences;
	return true;
}

/* A bone without a node stays as the mesh's own node is. */
static bool read_bone(struct making *making, unsigned index, const struct aiBone *bone, int joint,
	struct palette_slot *slot, struct error *err) {
	const struct assimp_import *import = making->import;
	const float *offset = &bone->mOffsetMatrix.a1;
	const int found = assimp_find_joint(import, bone->mName.data);
	*slot = (struct palette_slot){joint, MAT_IDENTITY};
	if (found < 0) {
		char quoted[UTF8_QUOTED_BYTES];
		utf8_quote(assimp_text(import->arena, &bone->mName), quoted, sizeof quoted);
		rig_warn(import->rig, "mesh %u: bone %s has no node; it does not move", index,
			quoted);
		return true;
	}
	slot->joint = found;
	for (int i = 0; i < 12; i++) {
		if (!isfinite(offset[i])) {
			return refuse(making, index,
				"the matrix of a bone has a number that is not finite", err);
		}
		slot->inverse_bind[i] = (double)offset[i] * (i % 4 == 3 ? import->unit : 1);
	}
	return true;
}

static bool read_skin(struct making *making, unsigned index, int joint, struct scene_mesh *out,
	struct error *err) {
	const struct aiMesh *from = making->import->from->mMeshes[index];
	const size_t count = (size_t)from->mNumBones + 1;
	struct palette_slot *slots = arena_alloc(making->import->arena, count, sizeof *slots);
	for (unsigned b = 0; b < from->mNumBones; b++) {
		if (!read_bone(making, index, from->mBones[b], joint, &slots[b], err)) {
			return false;
		}
	}
	slots[from->mNumBones] = (struct palette_slot){joint, MAT_IDENTITY};
	out->slot_count = count;
	out->slots = slots;
	return read_influences(making, index, out, err);
}

/* --- Morph targets --- */

static const float *read_deltas(const struct assimp_import *import, const struct aiVector3D *from,
	const float *base, size_t count, double unit) {
	if (!from || !base) {
		return NULL;
	}
	float *out = copy_vectors(import, from, count, unit);
	for (size_t i = 0; i < 3 * count; i++) {
		out[i] -= base[i];
	}
	return out;
}

static bool read_targets(
	struct making *making, unsigned index, struct scene_mesh *out, struct error *err) {
	const struct assimp_import *import = making->import;
	const struct aiMesh *from = import->from->mMeshes[index];
	struct morph_target *targets =
		arena_alloc(import->arena, from->mNumAnimMeshes, sizeof *targets);
	for (unsigned i = 0; i < from->mNumAnimMeshes; i++) {
		const struct aiAnimMesh *target = from->mAnimMeshes[i];
		if (target->mNumVertices != from->mNumVertices) {
			return refuse(making, index, "a morph target has other vertices", err);
		}
		targets[i].positions = read_deltas(
			import, target->mVertices, out->positions, out->vertex_count, import->unit);
		targets[i].normals =
			read_deltas(import, target->mNormals, out->normals, out->vertex_count, 1);
	}
	out->targets = targets;
	out->target_count = (int)from->mNumAnimMeshes;
	return true;
}

/* --- Pieces --- */

static bool read_mesh(struct making *making, unsigned index, int joint, struct error *err) {
	struct assimp_import *import = making->import;
	const struct aiMesh *from = import->from->mMeshes[index];
	struct scene_mesh *out = &making->made[index];
	if (making->is_made[index]) {
		return true;
	}
	*out = (struct scene_mesh){
		.mesh = (int)index,
		.material = from->mMaterialIndex < import->from->mNumMaterials
			? import->material_of[from->mMaterialIndex]
			: -1,
	};
	read_vertices(import, from, out);
	if (!read_faces(making, index, out, err) ||
		(from->mNumBones > 0 && !read_skin(making, index, joint, out, err)) ||
		!read_targets(making, index, out, err)) {
		return false;
	}
	assimp_join_vertices(out, import->arena);
	making->is_made[index] = true;
	return true;
}

/* All pieces at a joint have as many targets, some of which move nothing. */
static void fill_up_targets(struct assimp_import *import, int first) {
	struct scene_mesh *meshes = (struct scene_mesh *)import->scene.meshes;
	int most = 0;
	for (int i = first; i < import->scene.mesh_count; i++) {
		most = meshes[i].target_count > most ? meshes[i].target_count : most;
	}
	for (int i = first; i < import->scene.mesh_count; i++) {
		struct morph_target *targets =
			arena_alloc(import->arena, (size_t)most, sizeof *targets);
		if (meshes[i].target_count > 0) {
			memcpy(targets, meshes[i].targets,
				(size_t)meshes[i].target_count * sizeof *targets);
		}
		meshes[i].targets = targets;
		meshes[i].target_count = most;
	}
}

static bool add_pieces(struct making *making, int joint, struct error *err) {
	struct assimp_import *import = making->import;
	const struct aiNode *node = import->nodes[joint].node;
	struct scene_mesh *pieces = (struct scene_mesh *)import->scene.meshes;
	const int first = import->scene.mesh_count;
	for (unsigned i = 0; i < node->mNumMeshes; i++) {
		const unsigned index = node->mMeshes[i];
		if (index >= import->from->mNumMeshes) {
			return error_set(err, ERROR_BROKEN_ASSET,
				"%s: a node has a mesh that is not there", import->format->name);
		}
		if (!read_mesh(making, index, joint, err)) {
			return false;
		}
		if (making->made[index].index_count > 0) {
			struct scene_mesh *piece = &pieces[import->scene.mesh_count++];
			*piece = making->made[index];
			piece->joint = joint;
			piece->primitive = (int)i;
		}
	}
	fill_up_targets(import, first);
	return true;
}

static void warn_of_faces(const struct making *making) {
	if (making->lines + making->points > 0) {
		rig_warn(making->import->rig,
			"%zu lines and %zu points of the meshes are left out; only faces are drawn",
			making->lines, making->points);
	}
}

bool assimp_make_meshes(struct assimp_import *import, struct error *err) {
	const size_t count = import->from->mNumMeshes;
	size_t most = 0;
	struct making making = {
		.import = import,
		.made = arena_alloc(import->arena, count, sizeof *making.made),
		.is_made = arena_alloc(import->arena, count, sizeof *making.is_made),
	};
	for (int i = 0; i < import->scene.joint_count; i++) {
		most += import->nodes[i].node->mNumMeshes;
	}
	if (most > IMPORT_PRIMITIVES_MAX) {
		return error_set(err, ERROR_TOO_LARGE, "the scene has more than %zu primitives",
			IMPORT_PRIMITIVES_MAX);
	}
	import->scene.meshes = arena_alloc(import->arena, most, sizeof *import->scene.meshes);
	for (int i = 0; i < import->scene.joint_count; i++) {
		if (!add_pieces(&making, i, err)) {
			return false;
		}
	}
	warn_of_faces(&making);
	return true;
}
