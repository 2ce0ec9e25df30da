/* Vertices of a GLB that become integers, and what depends on their numbers. */
#pragma once

#include "interface/optimise_quantise.h"
#include "optimise/edits.h"
#include "optimise/elements.h"

/* What an accessor is to those that name it, as bits. */
enum {
	ROLE_POSITION = 1 << 0,
	ROLE_DELTA = 1 << 1, // of positions
	ROLE_NORMAL = 1 << 2,
	ROLE_FRAME_DELTA = 1 << 3, // of normals and tangents
	ROLE_TANGENT = 1 << 4,
	ROLE_TEXCOORD = 1 << 5,
	ROLE_JOINTS = 1 << 6,
	ROLE_WEIGHTS = 1 << 7,
	ROLE_ATTRIBUTE = 1 << 8, // any other
	ROLE_INDICES = 1 << 9,
	ROLE_MATRICES = 1 << 10,
	ROLE_OTHER = 1 << 11,
	ROLES_OF_VERTICES = ROLE_ATTRIBUTE * 2 - 1,
};

/* How an accessor is written. */
enum form {
	FORM_STAYS,  // where it is
	FORM_MOVED,  // the same bytes in another view
	FORM_CUBE,   // int16 within the group's cube
	FORM_DELTA,  // int16 of the cube's size
	FORM_SIGNED, // int8 or int16 for [-1, 1]
	FORM_UNIT,   // as that, of vectors that are made unit
	FORM_TEXCOORD,
	FORM_WEIGHTS,
	FORM_JOINTS,
	FORM_MATRICES, // with the cube
};

#define WEIGHT_SETS_MAX 4
#define WEIGHTS_IN_SET 4

/* Accessors that hold one primitive's weights, and the joints of each. */
struct weight_sets {
	int accessors[WEIGHT_SETS_MAX];
	int joints[WEIGHT_SETS_MAX]; // -1 = none
	int count;
	bool is_wide; // 16 bits
};

struct quantised_accessor {
	unsigned roles;
	bool is_left; // a mesh that stays names it
	enum form form;
	bool is_plain; // from is filled
	struct elements from;
	unsigned movable; // ROLE_ATTRIBUTE, ROLE_INDICES or ROLE_OTHER of a view; 0 = it stays
	int group;        // whose cube; -1 = none
	const struct weight_sets *weights; // NULL = it is in none, or in several
	bool is_torn;                      // weights of several primitives in different ways
	int stream;
	size_t at; // byte in the stream
	int component;
	int min[3], max[3]; // of FORM_CUBE and FORM_DELTA
};

/* Meshes and skins with one cube. */
struct quantised_group {
	const char *left; // NULL = it is quantised
	struct bounds box;
	double reach; // the greatest number of a morph target
	float centre[3], scale;
};

struct quantised_mesh {
	struct json_span text;
	int group;
	bool is_used; // by a node
};

struct quantised_skin {
	struct json_span text;
	int group, matrices; // accessor; -1 = none
	int joint_count;
	int stream; // of matrices that the file lacks
	size_t at;
	bool is_used; // by a mesh
};

struct quantised_node {
	struct json_span text;
	int mesh, skin;   // -1 = none
	bool is_moved;    // by a channel
	bool is_weighted; // has morph weights of its own, or a channel for them
	bool is_named;    // by an extension
	bool is_joint;    // of a skin
};

/* One new view. */
struct quantised_stream {
	enum form form; // FORM_MOVED: of vertices, indices or others, by role
	unsigned role;  // ROLE_ATTRIBUTE, ROLE_INDICES or ROLE_OTHER
	size_t stride;
	struct buffer bytes;
	size_t at; // in the chunk
	int view;  // its position
};

#define STREAMS_MAX 256

struct quantising {
	const struct quantise_job *job;
	struct arena *arena;
	struct parts parts;
	struct edits edits;
	int mesh_count, skin_count, node_count, group_count;
	struct quantised_mesh *meshes;
	struct quantised_skin *skins;
	struct quantised_node *nodes;
	struct quantised_group *groups;
	struct quantised_accessor *accessors;
	bool *other_views; // [view_count] named by more than accessors
	bool *gone;        // [view_count] all of its accessors are elsewhere
	struct quantised_stream streams[STREAMS_MAX];
	int stream_count;
};

/* What was decided before, of each mesh of the file. */
struct quantise_choice {
	const char *left; // NULL = it may be quantised
	bool is_wide;     // weights of 16 bits
};

/* Finds meshes, what names their accessors, groups and their cubes, and why some stay. */
void quantised_find(struct quantising *quantising, const struct quantise_choice *choices);

/* What an accessor is to a mesh that names it. */
unsigned quantised_role(const struct mesh_name *named);

/* Has a group stay, for the first reason that is given. */
void quantised_leave(struct quantising *quantising, int group, const char *why);

/* Finds out which groups stay, and the cubes of the others. */
void quantised_leave_some(struct quantising *quantising, const struct quantise_choice *choices);

/* True where a node's mesh can be at a node below it. */
bool quantised_node_splits(const struct quantised_node *node);

/* Chooses the forms of all accessors. */
void quantised_choose(struct quantising *quantising, const struct quantise_choice *choices);

/* Weights of a vertex, [count * WEIGHTS_IN_SET] of the sets; returns their sum. */
double quantised_read_weights(const struct quantising *quantising, const struct weight_sets *sets,
	size_t vertex, double *weights);

/* True where the weights to joints become integers. */
bool quantised_has_weights(
	const struct quantising *quantising, const struct quantised_accessor *accessor);

/* True for joints that fit bytes. */
bool quantised_are_small_joints(const struct parts *parts, const struct elements *from);

/* Writes elements in their forms to the streams. False with ERROR_TOO_LARGE. */
bool quantised_fill(struct quantising *quantising, struct error *err);

/* Appends the file. ERROR_TOO_LARGE. */
bool quantised_write(struct quantising *quantising, struct buffer *out, struct error *err);

/* The columns of a 4x4 matrix after which a cube's numbers are the group's. */
void quantised_apply_cube(
	const struct quantised_group *group, const double from[static 16], double to[static 16]);

/* Measures vertices of what was made against the job's, by mesh of the file.
 *
 * report  [mesh_count], max_m and normal_deg are filled
 * False with ERROR_INTERNAL where the rigs do not correspond, and the stop's error. */
bool quantised_measure(const struct quantise_job *job, const struct rig *made, int node_count,
	struct optimise_quantising *report, struct error *err);
