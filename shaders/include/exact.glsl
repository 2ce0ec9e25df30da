// Exact normals where a vertex moves by weights other than linearly (METHODS B3); twin of
// renderer/skin/exact.h. Behind stretch.glsl.
#include "weight_gradients.glsl"

// The derivative with the weights standing still in m, which moves the stretched vertices.
mat4 exact_begin(uint vertex, uint influence, uint entry, uint offset, mat4 m) {
	if (!stretched) {
		return m;
	}
	mat4 blended = mat4(0.0);
	for (uint k = 0u; k < span.w; k++) {
		blended += weight_of(influence + k) *
			palette_matrix(slot_of(influence + k) * entry + offset);
	}
	vec4 v = vec4(position_in(vertex), 1.0);
	vec3 middle = (blended * v).xyz;
	mat4 j = blended;
	for (uint k = 0u; k < span.w; k++) {
		mat4 own = palette_matrix(slot_of(influence + k) * entry + offset);
		add_image(j, (own * v).xyz - middle, influence + k);
	}
	return mat4(mat3(m) * mat3(j));
}

// Puts the surface's normal and tangent under the derivative; where it has no normal, what is there
// stands.
void exact_finish(uint vertex, mat4 j, inout surface s) {
	vec3 n = normal_in(vertex);
	s.normal = make_unit_cofactor(j, n) ? n : s.normal;
	if (streams.y != 0u) {
		s.tangent = mat3(j) * tangent_in(vertex);
	}
}
