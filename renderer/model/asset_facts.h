/* The facts of an asset's file that a rig does not keep: what is wrong with its vertices, weights
 * and keys before the import repairs them, and what the file lists besides. A lenient import fills
 * them beside the rig; checks read them. Plain data in one block of memory: lists within lists are
 * ranges of arrays that all share. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/clip.h"

struct buffer;
struct rig;

/* Vertices of a primitive that are listed for each flaw, the first ones. */
#define ASSET_FACTS_VERTICES_MAX 50

/* Tolerances of the flaws. */
#define ASSET_FACTS_WEIGHT_SUM 1e-3        // float weights; integers: half a step
#define ASSET_FACTS_WEIGHT_SUM_STRICT 2e-7 // for each weight, Khronos' tolerance
#define ASSET_FACTS_WEIGHT_SUM_MIN 1e-6    // less is no weight
#define ASSET_FACTS_NORMAL_LENGTH 0.05
#define ASSET_FACTS_ROTATION_LENGTH 1e-3

/* The flaws of vertices, in the file's own data. A vertex with an invalid weight has no sum. */
enum vertex_flaw {
	VERTEX_WEIGHT_SUM,         // |sum - 1| beyond ASSET_FACTS_WEIGHT_SUM; worst: that
	VERTEX_WEIGHT_SUM_STRICT,  // beyond Khronos' tolerance, these included; worst: that
	VERTEX_WEIGHT_ZERO,        // sum < ASSET_FACTS_WEIGHT_SUM_MIN
	VERTEX_WEIGHT_INVALID,     // a weight that is negative or not finite
	VERTEX_JOINT_INDEX,        // a weight > 0 on a joint that the skin does not have
	VERTEX_JOINT_TWICE,        // two weights > 0 on one joint
	VERTEX_POSITION_NONFINITE, // the rig has 0 0 0 instead
	VERTEX_NORMAL_NONFINITE,
	VERTEX_NORMAL_LENGTH, // finite, |length - 1| > ASSET_FACTS_NORMAL_LENGTH; worst: that
	VERTEX_DUPLICATE,     // all its bytes are those of an earlier one; in indexed primitives
	VERTEX_FLAW_COUNT,
};

/* The vertices of one primitive that have a flaw. */
struct vertex_flaws {
	int count;
	int first, listed; // the first ones lie in facts->vertices, relative to the primitive
	double worst;      // the greatest value of the flaw; 0 where it has none
};

/* A primitive of the rig. */
struct primitive_facts {
	int skin; // index in the file; -1 = no skin moves it
	bool indexed, has_normals, has_tangents;
	bool float_weights; // at least one of its sets of weights
	struct vertex_flaws flaws[VERTEX_FLAW_COUNT];
};

/* A skin of the file, whether or not a primitive uses it. */
struct skin_facts {
	int first_joint, joint_count; // in facts->joints, in the order of the file
	int first_slot;               // the same order in rig->slots; -1 = no primitive uses it
};

/* The flaws of a channel's keys, in the file's own data. */
enum key_flaw_kind {
	KEY_ORDER,     // its time is not after that of the key before
	KEY_NONFINITE, // a time, value or tangent
	KEY_LENGTH,    // of a rotation: | |q| - 1 | >= ASSET_FACTS_ROTATION_LENGTH
	KEY_SIGN,      // of a rotation: in the opposite hemisphere of the key before
	KEY_FLAW_COUNT,
};

struct key_flaws {
	int count;
	int key;      // in the file: the first one; of KEY_LENGTH the worst one, whatever the count
	float time_s; // of that key; of one before it where its own is not finite
	float worst;  // of KEY_LENGTH: | |q| - 1 |, less what quantisation explains; else 0
};

/* The fate of a channel in the file. */
enum channel_fate {
	CHANNEL_TAKEN,        // it is one of the clip's
	CHANNEL_REPLACED,     // a later one drives the same
	CHANNEL_UNTAKEN,      // it drives nothing that a joint has
	CHANNEL_WITHOUT_KEYS, // none of its keys is sound
};

struct channel_facts {
	int channel;            // index in the animation; of several that were joined the first one
	int joint;              // position in rig->joints; -1 = none
	enum channel_path path; // of one with a joint, and so is the interpolation
	enum interpolation interpolation;
	enum channel_fate fate;
	struct key_flaws flaws[KEY_FLAW_COUNT];
};

/* A clip of the rig. */
struct clip_facts {
	int name;          // as in the file, at facts->texts; 0 = it has none
	int first_channel; // in facts->channels: those of the clip, in its order,
	int channel_count; // as many as the clip has,
	int other_count;   // and behind these the file's others
};

/* An image that a texture of a material uses. */
struct image_facts {
	int image; // index in the file
	int width, height;
	uint64_t gpu_bytes; // with mip levels: RGBA8, or the blocks of a compressed format
};

/* The list of MSFT_lod at a node. */
struct lod_facts {
	int joint;                    // position in rig->joints of the node, level 0
	int first_joint, joint_count; // in facts->joints: levels 1, 2 ...
};

struct asset_facts {
	uint64_t file_bytes;
	int primitive_count; // the rig's
	struct primitive_facts *primitives;
	int skin_count; // the file's
	struct skin_facts *skins;
	int joint_name_count; // the rig's joints
	int *joint_names;     // as in the file, at texts; 0 = it has none
	int clip_count;       // the rig's
	struct clip_facts *clips;
	int channel_count; // of all clips, with the others
	struct channel_facts *channels;
	int mesh_count;     // the file's
	int *morph_targets; // [mesh_count]
	int image_count;    // those in use
	struct image_facts *images;
	int lod_count;
	struct lod_facts *lods;
	int not_covered_count; // extensions in use that posed does not cover
	int *not_covered;      // at texts
	int nonfinite_count;   // words of 32 bits; 0 = all positions are finite
	uint32_t *nonfinite;   // a bit for each vertex of the rig, the lowest first
	int vertex_count;      // listed
	int *vertices;         // relative to their primitive
	int joint_count;       // listed
	int *joints;           // positions in rig->joints
	int text_bytes;        // >= 1
	char *texts;           // UTF-8, each ended by NUL; the first one is empty
};

/* A copy in one block of memory, to be freed with asset_facts_destroy(); NULL with
 * ERROR_TOO_LARGE. */
struct asset_facts *asset_facts_copy(const struct asset_facts *facts, struct error *err);
void asset_facts_destroy(struct asset_facts *facts); // takes NULL

/* Appends the facts as one block of bytes: how they get from one process of this program to
 * another. False with ERROR_TOO_LARGE. */
bool asset_facts_pack(const struct asset_facts *facts, struct buffer *out, struct error *err);

/* The facts of a block, whose maker need not be trusted: whatever it holds, all ranges lie in their
 * arrays and all counts and positions fit the rig. NULL with ERROR_BROKEN_ASSET. */
struct asset_facts *asset_facts_unpack(
	const struct rig *rig, const void *bytes, size_t size, struct error *err);

/* True where the file's position of a vertex of the rig is not finite: checks leave it out. */
static inline bool asset_facts_is_nonfinite(const struct asset_facts *facts, int vertex) {
	const int word = vertex / 32;
	return word < facts->nonfinite_count && (facts->nonfinite[word] >> vertex % 32 & 1);
}
