// Multi-weight enveloping: each number of each matrix times a weight of its own (METHODS A18). Twin
// of renderer/skin/methods/mwe.c. A palette entry is a matrix in the frame of the fit, and the way back.
#include "skin.glsl"
#include "data.glsl"

const int WEIGHTS = 0;
// The turn of the fitting frame, by columns: mwe_frame of renderer/fit/mwe.c.
const mat3 FRAME = mat3(0.87542609806559302, 0.23456971600980447, -0.42261826174069944,
	0.02213201481317717, 0.85397885508268301, 0.51983679072568445, 0.48284502767032811,
	-0.46443208696509058, 0.74240387650610407);

// The row of the matrices' sum.
vec4 row_of(uint influence, uint row) {
	vec4 sum = vec4(0.0);
	for (uint k = 0u; k < span.w; k++) {
		sum += data_vec4(WEIGHTS, (influence + k) * 3u + row) *
			palette_at(slot_of(influence + k) * 8u + row);
	}
	return sum;
}

surface skin_vertex(uint vertex, uint influence) {
	uint slot = slot_of(influence);
	mat4 m = transpose(mat4(row_of(influence, 0u), row_of(influence, 1u), row_of(influence, 2u),
		vec4(0.0, 0.0, 0.0, 1.0)));
	mat4 pivot = palette_matrix(slot * 8u);
	mat4 back = palette_matrix(slot * 8u + 4u);
	vec3 position = (m * vec4(FRAME * position_in(vertex), 1.0)).xyz;
	vec3 turned = wanted_normal(m, pivot, FRAME * normal_in(vertex));
	vec3 normal = wanted_normal(back, back, turned);
	vec3 tangent = mat3(back) * (mat3(m) * (FRAME * tangent_in(vertex)));
	return surface((back * vec4(position, 1.0)).xyz, normal, tangent);
}

#include "each_vertex.glsl"
