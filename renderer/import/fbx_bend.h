/* The bend of FBX's transforms over time, by the derivatives of their curves: a bound, so that
 * they need not be measured. */
#pragma once

#include "import/fbx_import.h"

/* Bounds of a joint's transform in a stretch of time. */
struct fbx_bend {
	double translation, scale; // of the second derivatives' lengths, per second squared
	double rotation;           // of the angular acceleration, in radians per second squared
	double turn_rad;           // of the angle that it turns in all
};

/* The bounds from start_s to end_s, between which no curve of the node has a key. False where they
 * are not known: in steps, with weighted tangents, with several layers, where a pivot of a moving
 * scale or the scale of a node above moves as well. */
bool fbx_node_bend(const struct fbx_import *import, int node,
	const struct fbx_node_binding *bindings, double start_s, double end_s,
	struct fbx_bend *out);

/* The same for the weights of a mesh' shapes: only *scale, which is that of the weights. channels
 * is [blend->channel_count]. */
bool fbx_blend_bend(const struct fbx_blend *blend, const struct fbx_binding *channels,
	double start_s, double end_s, struct fbx_bend *out);

/* The pieces of so many seconds that are straight to within a tolerance: the chord of a curve is
 * within an eighth of its bend times the square of its time. */
double fbx_bend_pieces(double bend, double seconds, double tolerance);
