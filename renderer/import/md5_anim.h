/* The motions of Doom 3 (.md5anim), in which Assimp 5.2.5 ignores the rate of frames, and has no
 * place for joints that stay in their base frame. */
#pragma once

#include "import/import_files.h"
#include "import/scene_build.h"

/* Translation and rotation (x y z w). */
struct md5_place {
	double translation[3], rotation[4];
};

struct md5_joint {
	const char *name;
	int parent;            // before this one; -1 = a root
	unsigned flags;        // the components that each frame has: 1, 2, 4 of the translation,
			       // 8, 16, 32 of the rotation
	size_t start;          // the first of them in a frame
	struct md5_place base; // what the others are
};

struct md5_anim {
	double frame_rate; // > 0, per second
	size_t joint_count, frame_count, component_count;
	struct md5_joint *joints;
	const float *frames; // [frame_count][component_count]
};

/* In the arena. Fails with ERROR_BROKEN_ASSET or ERROR_TOO_LARGE. */
bool md5_anim_read(const unsigned char *bytes, size_t size, struct arena *arena,
	struct md5_anim *out, struct error *err);

/* The channels of a motion. joint_of has the scene's joint for each of the motion's, -1 for one
 * that is left out. What equals the rest all the time has no channel. */
void md5_anim_channels(const struct md5_anim *anim, const int *joint_of,
	const struct scene_joint *joints, struct arena *arena, struct scene_clip *out);

/* True for a motion, false for a mesh. */
bool md5_anim_probe(const unsigned char *bytes, size_t size);

/* The motion alone, whose skeleton at rest is the base frame; as import_rig() does. */
struct rig *md5_anim_import(
	const unsigned char *bytes, size_t size, struct asset_facts **facts, struct error *err);
