// What Assimp hands over -> a rig. Assimp itself crashes on hostile files, and does so in a process
// of its own; here the bytes are a scene as it might make one of such a file.
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/delayed.h"
#include "fuzz.h"
#include "import/assimp_import.h"
#include "renderer.h"

#define SIZE_MAX_BYTES ((size_t)1 << 12)

/* Most of each kind. */
enum {
	NODES = 12,
	MESHES = 3,
	VERTICES = 8,
	FACES = 8,
	BONES = 4,
	WEIGHTS = 8,
	TARGETS = 2,
	KEYS = 5
};

struct bytes {
	const uint8_t *at, *end;
	struct arena *arena;
};

static unsigned take(struct bytes *bytes, unsigned below) {
	return bytes->at < bytes->end && below > 0 ? *bytes->at++ % below : 0;
}

/* Small numbers, and now and then one that is none or is large. */
static float take_number(struct bytes *bytes) {
	const unsigned value = take(bytes, 256);
	float out;
	if (value < 250 || bytes->end - bytes->at < 4) {
		return (float)((int)value - 100) * 0.125f;
	}
	memcpy(&out, bytes->at, sizeof out);
	bytes->at += sizeof out;
	return out;
}

static void *room(struct bytes *bytes, size_t count, size_t size) {
	return arena_alloc(bytes->arena, count + 1, size);
}

static void fill_numbers(struct bytes *bytes, void *out, size_t count) {
	for (size_t i = 0; i < count; i++) {
		const float number = take_number(bytes);
		memcpy((char *)out + i * sizeof number, &number, sizeof number);
	}
}

static void name(struct bytes *bytes, struct aiString *out) {
	out->length = 1;
	out->data[0] = "abcdefgh\xff"[take(bytes, 9)];
	out->data[1] = '\0';
}

static struct aiVector3D *vectors(struct bytes *bytes, unsigned count) {
	struct aiVector3D *out = room(bytes, count, sizeof *out);
	fill_numbers(bytes, out, 3 * (size_t)count);
	return out;
}

static void make_bone(struct bytes *bytes, struct aiBone *bone) {
	name(bytes, &bone->mName);
	fill_numbers(bytes, &bone->mOffsetMatrix, 16);
	bone->mNumWeights = take(bytes, WEIGHTS);
	bone->mWeights = room(bytes, bone->mNumWeights, sizeof *bone->mWeights);
	for (unsigned i = 0; i < bone->mNumWeights; i++) {
		bone->mWeights[i].mVertexId = take(bytes, VERTICES + 1);
		bone->mWeights[i].mWeight = take_number(bytes);
	}
}

static struct aiMesh *make_mesh(struct bytes *bytes) {
	struct aiMesh *mesh = room(bytes, 1, sizeof *mesh);
	name(bytes, &mesh->mName);
	mesh->mNumVertices = take(bytes, VERTICES);
	mesh->mVertices = vectors(bytes, mesh->mNumVertices);
	mesh->mNormals = take(bytes, 2) ? vectors(bytes, mesh->mNumVertices) : NULL;
	mesh->mTextureCoords[0] = take(bytes, 2) ? vectors(bytes, mesh->mNumVertices) : NULL;
	mesh->mMaterialIndex = take(bytes, 2);
	mesh->mNumFaces = take(bytes, FACES);
	mesh->mFaces = room(bytes, mesh->mNumFaces, sizeof *mesh->mFaces);
	for (unsigned i = 0; i < mesh->mNumFaces; i++) {
		struct aiFace *face = &mesh->mFaces[i];
		face->mNumIndices = take(bytes, 8) ? 3 : take(bytes, 4);
		face->mIndices = room(bytes, face->mNumIndices, sizeof *face->mIndices);
		for (unsigned k = 0; k < face->mNumIndices; k++) {
			face->mIndices[k] = take(bytes, VERTICES + 1);
		}
	}
	mesh->mNumBones = take(bytes, BONES);
	mesh->mBones = room(bytes, mesh->mNumBones, sizeof *mesh->mBones);
	for (unsigned i = 0; i < mesh->mNumBones; i++) {
		mesh->mBones[i] = room(bytes, 1, sizeof **mesh->mBones);
		make_bone(bytes, mesh->mBones[i]);
	}
	mesh->mNumAnimMeshes = take(bytes, TARGETS + 1);
	mesh->mAnimMeshes = room(bytes, mesh->mNumAnimMeshes, sizeof *mesh->mAnimMeshes);
	for (unsigned i = 0; i < mesh->mNumAnimMeshes; i++) {
		struct aiAnimMesh *target = room(bytes, 1, sizeof *target);
		target->mNumVertices = take(bytes, 16) ? mesh->mNumVertices : take(bytes, VERTICES);
		target->mVertices = take(bytes, 4) ? vectors(bytes, target->mNumVertices) : NULL;
		target->mNormals = take(bytes, 2) ? vectors(bytes, target->mNumVertices) : NULL;
		mesh->mAnimMeshes[i] = target;
	}
	return mesh;
}

static void make_nodes(struct bytes *bytes, struct aiScene *scene) {
	const unsigned count = 1 + take(bytes, NODES);
	struct aiNode **nodes = room(bytes, count, sizeof *nodes);
	for (unsigned i = 0; i < count; i++) {
		struct aiNode *node = nodes[i] = room(bytes, 1, sizeof *node);
		name(bytes, &node->mName);
		fill_numbers(bytes, &node->mTransformation, 16);
		node->mChildren = room(bytes, count, sizeof *node->mChildren);
		node->mNumMeshes = take(bytes, 3);
		node->mMeshes = room(bytes, node->mNumMeshes, sizeof *node->mMeshes);
		for (unsigned k = 0; k < node->mNumMeshes; k++) {
			node->mMeshes[k] = take(bytes, MESHES + 1);
		}
		if (i > 0) {
			struct aiNode *parent = nodes[take(bytes, i)];
			parent->mChildren[parent->mNumChildren++] = node;
		}
	}
	scene->mRootNode = nodes[0];
}

static struct aiVectorKey *vector_keys(struct bytes *bytes, unsigned *count) {
	*count = take(bytes, KEYS);
	struct aiVectorKey *keys = room(bytes, *count, sizeof *keys);
	for (unsigned i = 0; i < *count; i++) {
		keys[i].mTime = (double)take_number(bytes);
		fill_numbers(bytes, &keys[i].mValue, 3);
	}
	return keys;
}

static void make_clip(struct bytes *bytes, struct aiScene *scene) {
	struct aiAnimation *clip = room(bytes, 1, sizeof *clip);
	name(bytes, &clip->mName);
	clip->mTicksPerSecond = (double)take_number(bytes);
	clip->mNumChannels = take(bytes, 4);
	clip->mChannels = room(bytes, clip->mNumChannels, sizeof *clip->mChannels);
	for (unsigned i = 0; i < clip->mNumChannels; i++) {
		struct aiNodeAnim *track = clip->mChannels[i] = room(bytes, 1, sizeof *track);
		name(bytes, &track->mNodeName);
		track->mPositionKeys = vector_keys(bytes, &track->mNumPositionKeys);
		track->mScalingKeys = vector_keys(bytes, &track->mNumScalingKeys);
		track->mNumRotationKeys = take(bytes, KEYS);
		track->mRotationKeys =
			room(bytes, track->mNumRotationKeys, sizeof *track->mRotationKeys);
		for (unsigned k = 0; k < track->mNumRotationKeys; k++) {
			track->mRotationKeys[k].mTime = (double)take_number(bytes);
			fill_numbers(bytes, &track->mRotationKeys[k].mValue, 4);
		}
	}
	clip->mNumMorphMeshChannels = take(bytes, 2);
	clip->mMorphMeshChannels = room(bytes, 1, sizeof *clip->mMorphMeshChannels);
	struct aiMeshMorphAnim *morphs = room(bytes, 1, sizeof *morphs);
	name(bytes, &morphs->mName);
	morphs->mNumKeys = take(bytes, KEYS);
	morphs->mKeys = room(bytes, morphs->mNumKeys, sizeof *morphs->mKeys);
	for (unsigned i = 0; i < morphs->mNumKeys; i++) {
		struct aiMeshMorphKey *key = &morphs->mKeys[i];
		key->mTime = (double)take_number(bytes);
		key->mNumValuesAndWeights = take(bytes, 3);
		key->mValues = room(bytes, 3, sizeof *key->mValues);
		key->mWeights = room(bytes, 3, sizeof *key->mWeights);
		for (unsigned k = 0; k < key->mNumValuesAndWeights; k++) {
			key->mValues[k] = take(bytes, 4);
			key->mWeights[k] = (double)take_number(bytes);
		}
	}
	clip->mMorphMeshChannels[0] = morphs;
	scene->mNumAnimations = 1;
	scene->mAnimations = room(bytes, 1, sizeof *scene->mAnimations);
	scene->mAnimations[0] = clip;
}

static void make_scene(struct bytes *bytes, struct aiScene *scene) {
	make_nodes(bytes, scene);
	scene->mNumMeshes = take(bytes, MESHES + 1);
	scene->mMeshes = room(bytes, scene->mNumMeshes, sizeof *scene->mMeshes);
	for (unsigned i = 0; i < scene->mNumMeshes; i++) {
		scene->mMeshes[i] = make_mesh(bytes);
	}
	make_clip(bytes, scene);
}

/* Formats with corrections, by the beginnings of their files. */
static const char *const starts[] = {"<COLLADA", "HIERARCHY", "xof ", "  [MeshSerializer_"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	if (size < 2 || size > SIZE_MAX_BYTES) {
		return 0;
	}
	struct error err = {0};
	struct arena *arena = arena_create();
	struct bytes bytes = {data + 1, data + size, arena};
	struct aiScene scene = {0};
	make_scene(&bytes, &scene);
	const char *start = starts[data[0] % 4];
	struct assimp_import import = {
		.rig = rig_create(),
		.arena = arena,
		.format = assimp_format_of((const unsigned char *)start, strlen(start)),
		.bytes = (const unsigned char *)start,
		.size = strlen(start),
		.from = &scene,
		.unit = 1,
		.scene = {.arena = arena, .bytes_left = (size_t)1 << 20},
	};
	assert(import.format);
	// What it makes must not be refused as a mistake of our own.
	const bool made = assimp_convert(&import, &err) && rig_check(import.rig, &err);
	assert(made || (err.code != ERROR_NONE && err.code != ERROR_INTERNAL));
	rig_release(import.rig);
	arena_destroy(arena);
	return 0;
}
