/* A rig's joints, and nodes beside them, -> the nodes of a glTF document. */
#pragma once

#include <stdbool.h>

#include "export/glb.h"
#include "model/rig.h"

/* A node of the document. Those of the rig's joints come first: a joint's position is the index of
 * its node. Others stand at a place within their parents. */
struct export_node {
	const char *name; // borrowed
	int parent;       // index of a node; -1 = a root
	/* Of a node that is no joint's: rows of a 3x4 matrix, borrowed; NULL = where its parent is.
	 */
	const double *place;
	int mesh, skin; // -1 = none
	bool morphs;    // the mesh has morph targets: all that the joint has weights for
	int next;       // another one with a mesh of the same joint; -1 = none
};

/* Fills the nodes of all joints, without meshes. nodes has room for them. */
void nodes_init(const struct rig *rig, struct export_node *nodes);

/* Adds [count] nodes, the document's first ones, by name, place and rest transform; those with
 * morphs get the rest pose's weights. The scene lists the roots in the order of the rig's vertices.
 *
 * nodes  the rig's joints, behind them those without a joint of their own: below joints, or one
 *        root above all */
void nodes_add(struct glb *glb, const struct rig *rig, const struct export_node *nodes, int count);
