// Skinning with optimised centres of rotation (METHODS A13). Twin of renderer/skin/methods/cor.c. A palette
// entry is the rigid motion as a matrix, its rotation as a quaternion, the stretch.
#include "skin.glsl"
#include "data.glsl"
#include "motion.glsl"
#include "stretch.glsl"
#include "turned.glsl"

const uint ENTRY = 8u;
const uint STRETCH = 4u;
const int CENTRES = 0;

surface skin_vertex(uint vertex, uint influence) {
	surface s = surface_in(vertex);
	stretch_surface(influence, ENTRY, STRETCH, s);
	mat4 m = mat4(0.0);
	for (uint k = 0u; k < span.w; k++) {
		m += weight_of(influence + k) * palette_matrix(slot_of(influence + k) * ENTRY);
	}
	vec3 centre = data_vec4(CENTRES, vertex).xyz;
	vec4 q = blended_rotation(influence, ENTRY, option0 != 0);
	s.position = turn(q, s.position - centre) + (m * vec4(centre, 1.0)).xyz;
	s.normal = turn(q, s.normal);
	s.tangent = turn(q, s.tangent);
	return s;
}

#include "each_vertex.glsl"
