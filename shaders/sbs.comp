// Spherical blend skinning: blended quaternions about the centre of a set of joints (METHODS A10).
// Twin of renderer/skin/methods/sbs.c.
#include "skin.glsl"
#include "data.glsl"
#include "motion.glsl"
#include "stretch.glsl"
#include "exact.glsl"
#include "turned.glsl"
#include "centred.glsl"

surface skin_vertex(uint vertex, uint influence) {
	return centred_skin(vertex, influence, option0 == 0, option0 == 0);
}

#include "each_vertex.glsl"
