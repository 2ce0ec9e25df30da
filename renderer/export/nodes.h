/* A rig's joints -> the nodes of a glTF document. */
#pragma once

#include "export/glb.h"
#include "model/rig.h"

/* Arrays are [rig->joint_count], -1 = none. */
struct nodes_job {
	const struct rig *rig;
	const int *meshes; // each node's mesh
	const int *skins;  // its skin; NULL = there are none
};

/* Adds all of them by name, place and rest transform, as the document's first nodes: a node has the
 * joint's position as its index. Nodes with a mesh get the rest pose's morph weights. The scene
 * lists the roots in the order of the rig's vertices. */
void nodes_add(struct glb *glb, const struct nodes_job *job);
