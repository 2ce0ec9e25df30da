/* A scene as importers of formats other than glTF find it, laid out for nobody; and the rig that is
 * made of it. Plain data, all borrowed from the importer. */
#pragma once

#include "base/arena.h"
#include "model/asset_facts.h"
#include "model/rig.h"
#include "model/weights.h"

struct scene_joint {
	const char *name; // as in the file; NULL or "" = none
	int parent;       // before this one; -1 = a root
	struct transform rest;
};

/* One drawn piece of triangles: a mesh at a joint, or what of it has one material. */
struct scene_mesh {
	int joint, material; // -1 = the default material
	int mesh, primitive; // indices in the file, for messages and descriptions
	size_t vertex_count;
	const float *positions;                // [vertex_count][3]
	const float *normals;                  // [vertex_count][3]; NULL = to be computed
	const float *texcoords[TEXCOORD_SETS]; // [vertex_count][2] each; NULL = none
	const float *colors;                   // [vertex_count][4]; NULL = none
	const float *dqs_mix;                  // [vertex_count] in [0, 1]; NULL = none
	size_t index_count;
	const uint32_t *indices; // of triangles
	/* The skin, which pieces share whose slots are the same array; 0 = the joint moves it. */
	size_t slot_count;
	const struct palette_slot *slots;
	const size_t *first_influence; // [vertex_count + 1] of each vertex, in influences
	const struct influence *influences;
	int target_count;                   // as many as all meshes at the joint have
	const struct morph_target *targets; // without tangents
};

struct scene_clip {
	const char *name; // NULL or "" = none
	int channel_count;
	const struct channel *channels;
};

/* A picture in a file of its own, of a kind that image_decode() knows. */
struct scene_image {
	const unsigned char *bytes;
	size_t size;
	const char *name; // for messages
};

struct scene {
	struct arena *arena; // for what the making takes
	size_t bytes_left;   // that the rig may fill, see limits.h
	/* What was made of the file's numbers; unit_m 0 = they are taken as metres with y up. */
	struct file_space space;
	bool dual_quaternions; // its skins are made for them
	int joint_count;
	const struct scene_joint *joints; // parents before children
	const float *const *rest_weights; // [joint_count] of the meshes' targets; NULL = 0
	int mesh_count;
	const struct scene_mesh *meshes;
	int material_count;
	const struct material *materials; // their names are borrowed, too; textures by position
	int texture_count;
	const struct texture *textures; // images by position
	int image_count;
	const struct scene_image *images;
	int clip_count;
	const struct scene_clip *clips;
};

/* Fills an empty rig. A picture that cannot be decoded costs the textures that use it, and a
 * warning. Fails with ERROR_TOO_LARGE. */
bool scene_build(const struct scene *scene, struct rig *rig, struct error *err);

/* The facts of an asset whose importer made a scene: what it lists. Its flaws are not looked for;
 * what a rig cannot be made of, such importers refuse. To be freed with asset_facts_destroy(); NULL
 * with ERROR_TOO_LARGE. rig is what scene_build() made of the scene, of a file of so many bytes. */
struct asset_facts *scene_facts(
	const struct scene *scene, const struct rig *rig, size_t file_bytes, struct error *err);
