/* The displacement stage: rest vertices moved by sums of offsets, v + sum of c_a d_a(v), where the
 * coefficients c come from the pose and the offsets d from the method's data. Normals likewise,
 * made unit again. Its twin is displace.comp. */
#pragma once

#include "model/rig.h"
#include "model/skin_data.h"
#include "skin/method.h"

/* Sections that the data of every method with this stage begins with. */
enum displacement_section {
	DISPLACEMENT_STARTS,       // words [vertex_count + 1]: where each vertex' entries begin
	DISPLACEMENT_COEFFICIENTS, // words [entries]: which coefficient
	DISPLACEMENT_OFFSETS,      // floats [entries][6]: of the position, then of the normal
	DISPLACEMENT_SECTIONS,     // the method's own follow
};

/* Moves positions and normals, [vertex_count][3] each, in place; coefficients as the stage's
 * coefficients() made them. */
void displacement_apply(const struct rig *rig, const struct skin_data *data,
	const float *coefficients, float *positions, float *normals);

/* True when any primitive has a morph target whose weight is not zero.
 * weights is [rig->weight_count] as in a pose. */
bool morph_is_active(const struct rig *rig, const float *weights);

/* The rig's vertices with their morph targets added by weight; normals and the direction of
 * tangents come out unit.
 *
 * weights    [rig->weight_count] morph weights by joint
 * positions  [vertex_count][3], normals [vertex_count][3], the caller's
 * tangents   [vertex_count][4] or NULL; must be NULL where the rig has none
 * Targets are added in their order; one with weight 0 is left out, so that all zero gives the
 * rig's own vertices to the bit. Never fails. METHODS A2. */
void morph_apply(const struct rig *rig, const float *weights, float *positions, float *normals,
	float *tangents);

/* Positions in the options of vertex_keyframe. */
enum { KEYFRAMES_BASE, KEYFRAMES_RATE, KEYFRAMES_INTERPOLATION };

enum {
	KEYFRAMES_TIMES,   // doubles [key_count], ascending, on the clip's own key axis
	KEYFRAMES_STREAMS, // [key_count] of all positions, all normals and, where the rig has
			   // tangents, all tangents: 6 or 10 floats a vertex
	KEYFRAMES_SECTIONS,
};

/* Bytes of a baked clip at most: what every driver takes as one storage buffer (GLES 3.1). */
#define KEYFRAMES_BYTES_MAX ((size_t)1 << 27)

/* Bakes with the kernel of option `base` and `rate` keys a second, the clip's end included; with
 * rate 0 at the times of the clip's own keys. ERROR_INVALID_VALUE for a base that needs examples or
 * a clip itself, ERROR_TOO_LARGE beyond KEYFRAMES_BYTES_MAX. */
extern const struct skin_recipe keyframes_recipe;
