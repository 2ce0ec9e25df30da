// Dual quaternion skinning in two phases: blended stretch, then blended motion (METHODS A11, 0.4).
// Twin of renderer/skin/dqs.c. A palette entry is real part, dual part, stretch.
#include "bindings.glsl"
#include "skin.glsl"
#include "motion.glsl"
#include "stretch.glsl"

const uint ENTRY = 6u;
const uint STRETCH = 2u;

void main() {
	if (gl_GlobalInvocationID.x >= span.y) {
		return;
	}
	uint vertex = span.x + gl_GlobalInvocationID.x;
	uint influence = influence_start.x + gl_GlobalInvocationID.x * span.w;
	surface s = surface_in(vertex);
	stretch_surface(influence, ENTRY, STRETCH, s);
	motion m = blended_motion(influence, ENTRY, option0 != 0);
	s.position = moved(m, s.position);
	s.normal = turn(m.real, s.normal);
	s.tangent = turn(m.real, s.tangent);
	write_surface(vertex, s);
}
