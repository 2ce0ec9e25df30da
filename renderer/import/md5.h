/* The models and motions of Doom 3 (.md5mesh, .md5anim), version 10 -> rigs. The formats say
 * nothing of units and axes; numbers stand as they are. Assimp 5.2.5 has a reader, too, which dies
 * of broken indices, accepts others, ignores the rate of motions, and has no place for joints that
 * stay in their base frame. */
#pragma once

#include "import/import_files.h"
#include "import/scene_build.h"

/* Letters of a token that are kept; names are shorter. */
#define MD5_TOKEN_BYTES 256

/* A text while it is read. */
struct md5_reader {
	const char *at, *end;
	char token[MD5_TOKEN_BYTES]; // the last one
	struct arena *arena;
	struct error *err;
};

/* ERROR_BROKEN_ASSET at the last token. Always false. */
bool md5_refuse(struct md5_reader *reader, const char *why);

/* The next word, bracket or text between quotation marks, cut where it is too long; false at the
 * end, and where a text has none. */
bool md5_next(struct md5_reader *reader);

/* What must come next; false with ERROR_BROKEN_ASSET where other things do. */
bool md5_expect(struct md5_reader *reader, const char *word);
bool md5_read_number(struct md5_reader *reader, double *out);
bool md5_read_count(struct md5_reader *reader, double least, double most, double *out);
bool md5_read_vector(struct md5_reader *reader, double out[static 3]); // in brackets

/* The head of a file up to its counts. */
bool md5_read_head(struct md5_reader *reader);

/* Completes x y z of a unit quaternion, which is all that the formats have, by a w below 0. */
void md5_complete_rotation(double q[static 4]);

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

/* A mesh; with the .md5anim among its files as clips. files NULL = it came alone. */
bool md5_mesh_probe(const unsigned char *bytes, size_t size);
struct rig *md5_mesh_import(const unsigned char *bytes, size_t size,
	const struct import_files *files, struct asset_facts **facts, struct error *err);

/* True for a motion, false for a mesh. */
bool md5_anim_probe(const unsigned char *bytes, size_t size);

/* The motion alone, whose skeleton at rest is the base frame; as import_rig() does. */
struct rig *md5_anim_import(
	const unsigned char *bytes, size_t size, struct asset_facts **facts, struct error *err);
