/* A rig: everything that a file says about one animated asset, checked and laid out for posing,
 * skinning and drawing. Immutable once made and shared between threads by counted references.
 * All arrays of struct rig lie in its storage (rig_storage) and die with it; a field that is
 * "owned" was allocated on its own and is freed by the last rig_release. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/utf8.h"
#include "model/avatar.h"
#include "model/clip.h"
#include "model/material.h"
#include "model/scene.h"
#include "model/transform.h"

/* Counts the ways in which importers have laid out a rig. It grows whenever the same file becomes a
 * rig with other joints, slots or vertices: data that was derived from the former does not fit. */
#define RIG_LAYOUT_VERSION 3

/* A node of the file's node tree, whether or not a skin uses it. */
struct joint {
	char *name; // unique within the rig; owned
	int index;  // the node's index in the file
	int parent; // position in rig->joints, always before this one; -1 = a root
	struct transform rest;
	int first_weight; // its first morph weight in rig->rest_weights and in a pose
	int weight_count; // number of morph weights; 0 = none
	bool in_skin;     // a skin of the scene lists it, whether or not it moves a vertex
};

/* One matrix that vertices are bound to: M = world(joint) * inverse_bind. */
struct palette_slot {
	int joint;               // position in rig->joints
	double inverse_bind[12]; // rows of a 3x4 matrix; for what no skin moves its place within
				 // the joint, the identity but for instances
};

enum topology { TOPOLOGY_TRIANGLES, TOPOLOGY_LINES, TOPOLOGY_POINTS };

/* Displacements of one morph target over one primitive's vertices. */
struct morph_target {
	const float *positions; // [vertex_count][3]; NULL = none; borrowed from rig->storage
	const float *normals;   // [vertex_count][3]; NULL = none
	const float *tangents;  // [vertex_count][3]; NULL = none
};

/* One drawn piece: a mesh primitive at a node. Its vertices lie together in the rig's arrays. */
struct primitive {
	int joint;           // position in rig->joints of the node that holds the mesh
	int mesh, primitive; // indices in the file
	int material;        // index into rig->materials; -1 = the default material
	enum topology topology;
	bool skinned;
	bool unlit; // points or lines without normals: base colour and emission, whatever the light
	int first_vertex, vertex_count;
	int first_index, index_count; // into rig->indices
	int first_slot;               // its palette slots start here
	int slot_count;
	int influence_count;    // per vertex: 1, or a multiple of 4
	size_t first_influence; // of its first vertex, into rig->influence_*
	int target_count;
	struct morph_target *targets; // [target_count]; owned
	/* [rig->variant_count] the material of each variant, as `material` has it; NULL = the same
	 * in all of them. */
	const int *variant_materials;
};

struct bounds {
	double min[3], max[3]; // min > max: nothing inside
};

/* With nothing inside, to which points are added. */
#define BOUNDS_NONE \
	((struct bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}})

/* The space that a file's numbers are in, which importing turns and scales to metres with y up. */
struct file_space {
	double unit_m;  // metres of its unit; 0 = the format is of metres with y up, whatever it
			// says
	double turn[4]; // unit quaternion, of what has no parent
};

/* Every array below is rig_storage, unless it is said to be owned (malloc memory, freed with the
 * rig). */
struct rig {
	int joint_count;
	struct joint *joints; // parents before children
	int weight_count;
	float *rest_weights; // [weight_count] morph weights of the rest pose, by joint

	int slot_count;
	struct palette_slot *slots; // of an imported rig each moves a vertex
	/* The joints that slots hang on and those above them, ascending, rig_storage: what moves no
	 * vertex is not among them. NULL = not made; then it is all joints. */
	const int *moving_joints;
	int moving_count;

	int primitive_count;
	struct primitive *primitives; // in the order of their vertices
	int vertex_count;
	float *positions; // [vertex_count][3] before morphing and skinning
	float *normals;   // [vertex_count][3] unit; computed where the file has none
	float *tangents;  // [vertex_count][4] unit, and handedness: 1 or -1, or 0 in primitives
			  // for which the file has none; NULL = it has none at all
	/* [vertex_count][2] each, NULL = none: the sets that a material's textures use, that of its
	 * base colour first. */
	float *texcoords[TEXCOORD_SETS];
	float *colors;  // [vertex_count][4] linear, multiply the base colour; NULL = none
	float *dqs_mix; // [vertex_count] in [0, 1], painted for lbs_dqs_mix; NULL = none
	/* Influences are sorted by weight, greatest first (influence 0 is the pivot), sum to 1, and
	 * unused ones have weight 0 and the pivot's slot (METHODS 0.3). */
	uint16_t *influence_slots; // relative to the primitive's first_slot
	float *influence_weights;
	size_t influence_count; // length of both
	int index_count;
	uint32_t *indices; // relative to the primitive's first_vertex

	int material_count;
	struct material *materials;
	int variant_count; // of the materials that primitives have (KHR_materials_variants)
	char **variants;   // [variant_count] their names, each owned
	int texture_count;
	struct texture *textures;
	int image_count;
	struct image *images;

	int light_count;
	struct light *lights;
	int camera_count;
	struct file_camera *cameras; // in the order of the joints

	int clip_count;
	struct clip *clips; // in file order

	const struct avatar *avatar; // of a VRM file; NULL = it is none

	int warning_count;
	char **warnings; // sentences for the description; owned

	struct bounds bounds; // of the rest pose's vertices in the world

	/* The extension without which its file says that its materials are not to be drawn, quoted
	 * as in messages; "" = there is none that posed lacks. */
	char look_requires[UTF8_QUOTED_BYTES];

	/* 1 = its skins are made for dual quaternions: "dqs" is its default method; else 0. */
	int dual_quaternions;

	/* What its importer has made of the file's numbers; not packed. */
	struct file_space space;

	/* --- From here on each rig has its own, also a variant. --- */

	/* SHA-256 of what it was read from, filled in by whoever read it before others get the rig;
	 * all 0 = not known. What is kept of a rig for longer than it lives is kept by this. */
	unsigned char content[32];

	/* Filled by rig_create: keys for caches, memory behind borrowed pointers, and the count of
	 * references. clips_id is a number that no other rig of this process has, id one that only
	 * rigs have that are the same but for their clips. */
	uint64_t id, clips_id;
	struct storage *storage;
	int references;

	/* The rig whose joints, slots, clips, materials, images, lights, cameras and warnings these
	 * are, and anything else that is not in the storage; one reference. NULL = all is the rig's
	 * own. */
	struct rig *base;
};

/* An empty rig with one reference, for an importer to fill. Any thread. */
struct rig *rig_create(void);

/* A rig with one reference that is just like base, which it keeps a reference to, but of no known
 * content; the caller puts arrays of its own in the place of base's, in storage of its own. Its
 * primitives, with their lists of targets, are copies. It is not to be packed. NULL with
 * ERROR_TOO_LARGE. */
struct rig *rig_create_variant(const struct rig *base, struct error *err);

/* Room for other primitives in a variant, zeroed, and as many to be filled as there are now: none.
 * False with ERROR_TOO_LARGE. */
bool rig_clear_primitives(struct rig *variant, int room, struct error *err);

/* Zeroed memory that lives as long as the rig; NULL with *err when it cannot be had. */
void *rig_storage(struct rig *rig, size_t count, size_t size, const char *what, struct error *err);

/* Adds a sentence to the warnings. At most 100 are kept; besides these, up to 100 of the few that
 * stand for many. */
__attribute__((format(printf, 2, 3))) void rig_warn(struct rig *rig, const char *format, ...);
__attribute__((format(printf, 2, 3))) void rig_warn_besides(
	struct rig *rig, const char *format, ...);

/* The warning about a rig without a triangle, line or point to draw, and what a picture shows
 * instead; plain ASCII. NULL = it draws something. */
const char *rig_empty_warning(const struct rig *rig);

/* The same of a rig that has no vertices and so many joints. */
const char *rig_empty_words(int joint_count);

/* One more reference, and one less; the last one frees the rig. release takes NULL. Any thread. */
struct rig *rig_retain(struct rig *rig);
void rig_release(struct rig *rig);

/* True when somebody else than the caller has a reference. To whoever keeps others from getting at
 * the rig, false is for good. Any thread. */
bool rig_is_shared(const struct rig *rig);

/* Bytes of memory that the rig takes, without what the allocator adds to each block. A variant
 * counts what it keeps of its base, too, but with own_bytes. */
size_t rig_bytes(const struct rig *rig);
size_t rig_own_bytes(const struct rig *rig);

/* Lists the joints that move vertices: once, before others get at the rig. False with
 * ERROR_TOO_LARGE. METHODS E1. */
bool rig_find_moving(struct rig *rig, struct error *err);

/* Holds a filled rig against everything that posing, skinning and drawing rely on: ranges of all
 * indices, parents before children, finite numbers, sorted influences that sum to 1. A failure is
 * ERROR_BROKEN_ASSET with the place. */
bool rig_check(const struct rig *rig, struct error *err);

/* The same for the duration and the channels of a clip that is not, or not yet, one of rig->clips.
 */
bool rig_check_clip(const struct rig *rig, const struct clip *clip, struct error *err);

/* The place, within its joint, of a primitive that no skin moves, as rows of a 3x4 matrix: one of
 * several that a node has of its mesh. NULL = at the joint itself, or by a skin. */
const double *rig_place_within_joint(const struct rig *rig, const struct primitive *primitive);

/* True when the file has tangents for a primitive of the rig. */
bool rig_has_tangents(const struct rig *rig, const struct primitive *primitive);

/* Position in rig->joints or rig->clips by name, or by the index in the file; -1 if none. */
int rig_find_joint(const struct rig *rig, const char *name);
int rig_find_joint_by_index(const struct rig *rig, int index);
int rig_find_clip(const struct rig *rig, const char *name);

/* Position in rig->variants by name; -1 if none. */
int rig_find_variant(const struct rig *rig, const char *name);

/* The greatest size of a number of positions, [vertex_count][3]; 0 without any. */
float rig_reach(const float *positions, int vertex_count);

/* True when a joint hangs on another, however far below, or is that one. */
bool rig_is_below(const struct rig *rig, int joint, int above);

struct segment_cache;

/* A clip to be added, as clip_pack() or clip_pack_compressed() wrote it. */
struct rig_clip {
	const char *name; // no other clip of the rig has it
	void *take_bytes; // [size] malloc memory; the keys stay in it
	size_t size;
	unsigned char content[32];      // SHA-256 of the bytes, by which decoded keys are cached
	struct segment_cache *segments; // has to outlive the rig; NULL = nothing is cached
};

/* A rig with one reference that is just like base, which it keeps a reference to, with clips behind
 * those that base has; [count]. All that depends on nothing but the mesh and the skeleton is shared
 * with base, and so is what caches have of it: id and content are base's, clips_id is not.
 *
 * NULL with ERROR_TOO_LARGE, or with ERROR_BROKEN_ASSET, *failed being the clip that is none of
 * this rig; the bytes are taken in any case. */
struct rig *rig_create_with_clips(const struct rig *base, const struct rig_clip *clips, int count,
	int *failed, struct error *err);
