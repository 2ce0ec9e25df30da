// Dual quaternion skinning in two phases: blended stretch, then blended motion (METHODS A11, 0.4).
// Twin of renderer/skin/methods/dqs.c. A palette entry is real part, dual part, stretch.
#include "skin.glsl"
#include "motion.glsl"
#include "stretch.glsl"
#include "exact.glsl"

const uint ENTRY = 6u;
const uint STRETCH = 2u;

// Exact normals: how the rotation and the translation move with each weight.
void skin_exact(uint vertex, uint influence, motion m, inout surface s) {
	vec3 translation = turn_rate(m.dual, m.real);
	vec3 turned = s.position - translation;
	mat4 map = mat4(mat3(turn(m.real, vec3(1.0, 0.0, 0.0)), turn(m.real, vec3(0.0, 1.0, 0.0)),
		turn(m.real, vec3(0.0, 0.0, 1.0))));
	mat4 j = exact_begin(vertex, influence, ENTRY, STRETCH, map);
	vec4 pivot = palette_at(slot_of(influence) * ENTRY);
	float by = m.blend_length > 0.0 ? 1.0 / m.blend_length : 0.0;
	for (uint k = 0u; k < span.w; k++) {
		uint at = slot_of(influence + k) * ENTRY;
		float s_k = option0 == 0 && dot(palette_at(at), pivot) < 0.0 ? -by : by;
		vec4 real = s_k * palette_at(at);
		vec4 dual = s_k * palette_at(at + 1u);
		vec3 moved = turn_rate(dual, m.real) - turn_rate(real, m.dual) -
			2.0 * dot(real, m.real) * translation;
		add_image(j, cross(turn_rate(real, m.real), turned) + moved, influence + k);
	}
	exact_finish(vertex, j, s);
}

surface skin_vertex(uint vertex, uint influence) {
	surface s = surface_in(vertex);
	stretch_surface(influence, ENTRY, STRETCH, s);
	motion m = blended_motion(influence, ENTRY, option0 != 0);
	s.position = moved(m, s.position);
	s.normal = turn(m.real, s.normal);
	s.tangent = turn(m.real, s.tangent);
	if (normals_by == NORMALS_EXACT) {
		skin_exact(vertex, influence, m, s);
	}
	return s;
}

#include "each_vertex.glsl"
