// Spherical joint blending: blended quaternions about the joint where bones meet (METHODS A7); as sbs
// does where they do not. Twin of renderer/skin/sjb.c.
#include "bindings.glsl"
#include "skin.glsl"
#include "data.glsl"
#include "motion.glsl"
#include "stretch.glsl"
#include "exact.glsl"
#include "turned.glsl"
#include "centred.glsl"

void main() {
	if (gl_GlobalInvocationID.x < span.y) {
		centred_skin(true, option0 == 0);
	}
}
