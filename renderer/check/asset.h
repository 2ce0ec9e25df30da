/* An asset to be checked, and what all checks know of it: its lengths, its parts.
 */
#pragma once

#include "base/arena.h"
#include "base/check_profile.h"
#include "base/stop.h"
#include "model/asset_facts.h"
#include "model/rig.h"

struct check_surface;
struct check_shared;

/* Joints from a figure's root to its hip. */
#define CHECK_ROOT_MAX 6

/* Vertices that touch the ground together. */
struct check_foot {
	int joint;           // that they follow, positions in rig->joints
	const int *vertices; // [count] of the rig, ascending
	int count;
};

/* Joints whose names differ in their side alone. */
struct check_pair {
	int left, right;
};

/* The places at rest where a joint's bone ends. */
struct check_ends {
	double sum[3]; // of all
	int count;
};

/* A rig at rest. All arrays are in the asset's arena; those by joint are [rig->joint_count], those
 * by vertex [rig->vertex_count]. */
struct check_asset {
	const struct rig *rig;           // read leniently: skins have all their slots
	const struct asset_facts *facts; // of its file
	const struct check_profile *profile;
	const struct stop *stop; // long loops ask it now and then; NULL = never stops
	struct arena *arena;

	/* Lengths. */
	double length; // L: the figure's, in the asset's unit; 0 = it has no extent
	double height; // of the rest bounds
	double rest_low[3], rest_high[3]; // the rest pose's box
	const double (*rest_world)[12];   // by joint
	const double (*rest_vertices)[3]; // by vertex: the rest pose in the world
	const double *own, *reach;        // by joint; asset's unit
	const double *translation_scale;  // by joint: sigma of its parent's rest matrix
	const bool *active;               // by joint: reach > 0
	const bool *in_skin;              // by joint: a skin lists it
	const int *dominant;              // by vertex: the joint of its greatest weight
	const int *carried; // by joint: vertices with weight >= 0.1 for it, or of a mesh at it
	const unsigned char *skinned;   // by vertex: 1 = a skin moves it
	const unsigned char *nonfinite; // by vertex: 1 = the file's position is not finite

	/* Parts. */
	int root[CHECK_ROOT_MAX]; // the topmost first; the last one is the hip
	int root_count;           // 0 = there is no active joint
	int hip;                  // -1 = none
	const bool *in_root;      // by joint
	double ground;            // height
	bool ground_known;        // false = the rest pose is far off height 0: a guess
	bool rests_on_body;       // it has no feet: a snake
	const struct check_foot *feet;
	int foot_count;
	const struct check_pair *pairs;
	int pair_count;
	const int *depth;              // by joint: steps from its root
	const int *drivers;            // by joint: clips that move it
	const struct check_ends *ends; // by joint: its active children, or its own vertices

	const struct check_surface *surface; // NULL = the rig has no triangles
	struct check_shared *shared;         // see check_share()
};

/* Measures a rig. The arena and all that is borrowed must outlive the asset. A rig without vertices
 * or joints has an asset, too. Never fails; what the stop leaves undone is not to be used. */
struct check_asset *check_asset_create(const struct rig *rig, const struct asset_facts *facts,
	const struct check_profile *profile, const struct stop *stop, struct arena *arena);

/* Data that the passes over all clips share: made by the first one that asks for it, on whatever
 * thread, and never changed from then on. A maker is called once for an asset, with an arena as
 * long-lived. */
typedef const void *check_maker(const struct check_asset *asset, struct arena *arena);
const void *check_share(const struct check_asset *asset, check_maker *make);

/* False when a loop is to end early, with results that nobody uses: whoever runs it asks the stop
 * again. Looks once in many turns, which are counted from 0. */
static inline bool check_goes_on(const struct check_asset *asset, int turn) {
	return (turn & 255) != 255 || stop_check(asset->stop, NULL);
}

/* True when it takes so many steps in the tree or more from one joint to another, or no number of
 * steps. */
bool check_joints_are_apart(const struct check_asset *asset, int a, int b, int steps);

/* "Left" of a pair of names: +1 left, -1 right, 0 neither. twin, of at least strlen(name) + 8
 * bytes, gets the name of the other side; NULL = it is not wanted. */
int check_side_of(const char *name, char *twin);

/* The direction of a joint's bone in the joint's rest frame, of length 1: to the mean of its active
 * children, or of its own vertices where it has none. False where there is no way. */
bool check_bone_axis(const struct check_asset *asset, int joint, double axis[static 3]);
