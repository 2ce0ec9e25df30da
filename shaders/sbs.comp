// Spherical blend skinning: blended quaternions about the centre of a set of joints (METHODS A10).
// Twin of renderer/skin/sbs.c.
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
		centred_skin(option0 == 0, option0 == 0);
	}
}
