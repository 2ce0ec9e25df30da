/* Nodes of a GLB that go, and what names nodes. */
#pragma once

#include "model/rig.h"
#include "optimise/edits.h"
#include "optimise/parts.h"

/* One skin, as it stands in the file. */
struct pruned_skin {
	struct json_span text, joints;
	int count;   // of joints
	int *nodes;  // [count]
	int inverse; // accessor of inverse bind matrices; -1 = none
	bool stays;  // its joints cannot be taken out: who uses them is not known
};

struct pruning {
	const struct rig *rig;
	struct parts parts;
	struct arena *arena;
	struct edits edits;
	int node_count, skin_count;
	struct json_span *nodes;   // [node_count]
	int *joints;               // [node_count] of the rig; -1 = not in its scene
	struct pruned_skin *skins; // [skin_count]
	int *skin_of_accessor;     // [accessor_count] whose joints it holds: -1 none, -2 several
	bool *goes;                // [node_count]
	int *instead;              // [node_count] the child that takes a root's place; -1 = none
	int *position;             // [node_count] after that; -1 = goes
	unsigned char *bin;        // [parts.bin_size] a copy
};

/* Finds out which skins' joints can be taken out, and by which accessors vertices name them. */
void prune_skins_find(struct pruning *pruning);

/* Takes joints that go out of skins: their lists, matrices and numbers of vertices. */
void prune_skins_write(struct pruning *pruning);

/* A member that is a whole number below count; -1 = it is not. */
int prune_member(struct json_span object, const char *name, int count);
