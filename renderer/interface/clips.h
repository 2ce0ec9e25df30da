/* Clips: made of poses, of clips of other rigs, and passing into each other. Any thread. */
#pragma once

#include "base/buffer.h"
#include "interface/poses.h"

/* Bakes an expression into a clip of the rig, without name and index, in the arena
 * (pose/bake_clip.h says how). Fails like renderer_pose, with ERROR_INVALID_VALUE where there is
 * nothing to bake, and at the place with ERROR_INVALID_VALUE or ERROR_TOO_LARGE. */
bool renderer_bake_clip(
	const struct bake_job *job, struct arena *arena, struct clip *out, struct error *err);

/* pose_suggest_clips() (pose/find.h), for names that come by other ways than a pose. */
void renderer_suggest_clips(const struct rig *rig, const char *requested, struct error *err);

/* A joint of a clip's rig and the other rig's joint that follows it. Names are the rigs'. */
struct moved_pair {
	const char *ours, *theirs;
	const char *how;   // "map", "name", "words", "role", "place", "bone"
	double confidence; // [0, 1] that the pair is right
};

/* A clip of one rig on another. Arrays are in the arena, names in them the rigs' own. */
struct moved_clip {
	struct clip clip; // of the other rig; in the arena, but for keys, which may be the first
			  // rig's
	const char **dropped; // [dropped_count] joints that drive none of the other rig's
	size_t dropped_count;
	bool is_retargeted;             // else the keys are unchanged
	const struct moved_pair *pairs; // [pair_count] in the order of our joints
	size_t pair_count;
	const char **resting; // [resting_count] joints of ours that move vertices and that nothing
			      // drives, as they have no partner
	size_t resting_count;
	double confidence;     // [0, 1] that theirs can move ours
	double scale;          // of translations
	const char **warnings; // [warning_count] what of a VRM animation gets lost; in the arena
	size_t warning_count;
};

struct move_job {
	const struct rig *from;
	const struct clip *clip; // of it
	const struct rig *to;
	bool by_names; // to joints of the same names, whatever they are; the members below are not
		       // looked at
	/* As the pose language's "retarget" has them; NULL = not given. Errors about them have
	 * the places "/map" and "/scale"; a map that is an object is a member "map" of another. */
	const struct value *map, *scale;
	double rate;             // frames per second; 0 = at the clip's own keys
	size_t max_frames;       // that the clip may have
	const struct stop *stop; // asked now and then; NULL = never
};

/* Brings a clip to another rig.
 *
 * By names, and where neither map, scale nor rate is given and both rigs have the same skeleton,
 * the keys stay as they are, to the bit, on the joints of the same names; morph weights only where
 * there are as many. In the second case what the clip does not drive, of
 * joints at or below those that it drives, gets a key where it rests otherwise in the file.
 * Skeletons are the same when half of the joints that the clip drives have
 * namesakes, and these lie below namesakes, at the same places as seen from them to 1 % of the
 * greatest such distance.
 *
 * Otherwise joints are paired and turned as "retarget" does it, and the clip is baked: at the rate,
 * or where the clip has keys, no two nearer than a millisecond, and between those that are farther
 * apart so that there are 30 a second.
 *
 * False with ERROR_INVALID_VALUE where no channel is left or next to nothing can be paired, with
 * ERROR_UNKNOWN_JOINT and ERROR_TOO_LARGE. */
bool renderer_move_clip(
	const struct move_job *job, struct arena *arena, struct moved_clip *out, struct error *err);

struct clip_file_job {
	const struct rig *rig;
	const struct clip *clip; // of the rig
	const char *generator;   // "posed 0.1.0"
	size_t max_bytes;        // that the file may have
	bool prune;              // without the joints that are needless (model/prune.h)
};

/* Appends a clip of the rig as a GLB with nothing but it and the nodes (export/clip.h says how).
 * Fails with ERROR_TOO_LARGE. Any thread. */
bool renderer_clip_glb(const struct clip_file_job *job, struct buffer *glb, struct error *err);

/* A clip in a GLB of its own. */
struct clip_file {
	const char *name;  // no other clip of the rig has it
	const void *bytes; // [size] of a GLB that renderer_clip_glb() made of the rig, or of one
			   // like it
	size_t size;
};

/* A rig with one reference that is just like base, which it keeps a reference to, with the clips of
 * files behind its own, key by key as they are. NULL with ERROR_BROKEN_ASSET, also where a clip
 * drives what the rig does not have, or ERROR_TOO_LARGE. Any thread. */
struct rig *renderer_add_clips(
	const struct rig *base, const struct clip_file *files, size_t count, struct error *err);

/* Most that are found at once. */
#define RENDERER_TRANSITIONS_MAX 64

struct transitions_job {
	struct posed_subject
		subject; // the pose is the core that the clips should pass through, or NULL
	const struct value *from, *to; // clips: names or indices
	double rate;                   // moments a second; 0 = 60, less for long clips
	const struct value *rate_source;
	int most; // to find
};

/* Distances, times and velocities as pose/transition.h has them. */
struct found_transition {
	double from_s, to_s, distance, velocity;
};

/* Distance of the end of a clip from the core, and the speed there. */
struct core_end {
	double distance, speed;
};

struct found_transitions {
	const struct clip *from, *to;         // of the rig
	const struct found_transition *items; // [count] the best first; in the arena
	int count;
	bool has_core;
	struct core_end from_end, to_start;
	bool core_passes; // both are within 1 mm of it, and slower than 0.05 m/s
};

/* Finds where one clip can go on as another. Fails like renderer_pose, with ERROR_UNKNOWN_CLIP, and
 * with ERROR_INVALID_VALUE where the rate is too high for a clip or the core is too far away. */
bool renderer_transitions(const struct transitions_job *job, struct arena *arena,
	struct found_transitions *out, struct error *err);

struct compatible_pair {
	int ours, theirs;  // positions in the rigs' joints
	const char *how;   // "name", "words", "role", "place"
	const char *role;  // of a humanoid; NULL = none
	double turn_deg;   // that our rest pose is turned by there, to point as theirs does
	double confidence; // [0, 1] that the pair is right
};

/* A part of a humanoid that one of the rigs has at least. */
struct compatible_role {
	const char *name;
	int ours, theirs; // -1 = not found
};

/* Numbers of a clip's channels that drive our joints, those that they lie above, and nothing. */
struct compatible_clip {
	int bound, folded, dropped;
};

/* Lists are in the arena. */
struct compatibility {
	const struct compatible_pair *pairs; // [pair_count] in the order of our joints
	int pair_count;
	const struct compatible_role *roles; // [role_count]
	int role_count;
	const struct compatible_clip *clips; // [clip_count] of theirs
	double confidence; // [0, 1] that theirs can move ours (pose/retarget/joint_map.h)
	bool is_enough;    // for "retarget" not to refuse
	double share;      // [0, 1] of our joints that move vertices have a partner
	double our_height, their_height; // of the hips above the feet at rest; 0 = not known
	double scale;                    // of translations
};

/* Finds what the operation "retarget" makes of two rigs, by itself or by names only. */
void renderer_compatibility(const struct rig *ours, const struct rig *theirs, bool by_name,
	struct arena *arena, struct compatibility *out);
