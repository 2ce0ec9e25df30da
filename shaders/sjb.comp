// Spherical joint blending: blended quaternions about the joint where bones meet (METHODS A7); as sbs
// does where they do not. Twin of renderer/skin/methods/sjb.c.
#include "skin.glsl"
#include "data.glsl"
#include "motion.glsl"
#include "stretch.glsl"
#include "exact.glsl"
#include "turned.glsl"
#include "centred.glsl"

surface skin_vertex(uint vertex, uint influence) {
	return centred_skin(vertex, influence, true, option0 == 0);
}

#include "each_vertex.glsl"
