// Animation space: each influence has a point with four coordinates (METHODS A19). Twin of
// renderer/skin/methods/anim_space.c. A palette entry is a matrix.
#include "skin.glsl"
#include "data.glsl"

const int DEVIATIONS = 0;
const int DERIVATIVES = 1;

surface skin_vertex(uint vertex, uint influence) {
	vec4 rest = vec4(position_in(vertex), 1.0);
	mat4 map = mat4(0.0); // the derivatives of the vertex, and where it is
	for (uint k = 0u; k < span.w; k++) {
		uint i = influence + k;
		mat4 m = palette_matrix(slot_of(i) * 4u);
		map[0] += m * data_vec4(DERIVATIVES, i * 3u);
		map[1] += m * data_vec4(DERIVATIVES, i * 3u + 1u);
		map[2] += m * data_vec4(DERIVATIVES, i * 3u + 2u);
		map[3] += m * (weight_of(i) * rest + data_vec4(DEVIATIONS, i));
	}
	mat4 pivot = palette_matrix(slot_of(influence) * 4u);
	vec3 normal = mapped_normal(map, pivot, normal_in(vertex));
	return surface(map[3].xyz, normal, mapped_tangent(map, vertex));
}

#include "each_vertex.glsl"
