/* Requests for results: a tree of values -> plain structs. Strings and values in them are borrowed
 * from the tree. Everything is checked here but what only the renderer's tables know: the pose
 * expression and the id of the skinning method. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/settings.h"
#include "base/value.h"
#include "packing.h"

/* A rig, and its poses. */
struct subject {
	const char *rig;
	const struct value *source; // the member that names the rig
	bool many;                  // "poses" was given: the answer is a list, even of one
	size_t count;               // number of poses, at least 1
	const struct value *poses;  // [count] expressions; NULL = one, the rest pose
};

/* The i-th pose expression; NULL = the rest pose. */
const struct value *subject_pose(const struct subject *subject, size_t i);

enum space { SPACE_BOTH, SPACE_LOCAL, SPACE_WORLD };

struct pose_request {
	struct subject subject;
	struct skinning_settings skinning; // without effect: so that one body serves all calls
	enum space space;
};

struct vertices_request {
	struct subject subject;
	struct skinning_settings skinning;
	enum attribute_bits attributes[ATTRIBUTE_COUNT]; // as asked, each at most once
	size_t attribute_count;                          // at least 1; 0 = packed ones are wanted
	struct packing_settings packing;
};

struct frame_request {
	struct subject subject; // of one pose
	struct skinning_settings skinning;
	struct picture_settings picture;
};

/* The members that a struct pose_request has of its own. */
extern const struct member_table pose_members;

/* Read the body of POST /v1/pose, /v1/vertices and /v1/frame. They fail with ERROR_INVALID_VALUE,
 * ERROR_UNKNOWN_MEMBER or ERROR_TOO_LARGE, and the place. */
bool request_read_pose(const struct value *body, struct pose_request *out, struct error *err);
bool request_read_vertices(
	const struct value *body, struct vertices_request *out, struct error *err);
bool request_read_frame(const struct value *body, struct frame_request *out, struct error *err);

/* Copies how to skin into the arena, from a value that a request had for it, which was read without
 * an error; NULL leaves *out as it is. Places are those of the value alone. */
void request_copy_skinning(
	const struct value *value, struct arena *arena, struct skinning_settings *out);
