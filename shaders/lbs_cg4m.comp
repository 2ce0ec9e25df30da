// Linear blend skinning in batches of 72 vec4, with indices that are floats and count rows, and four
// weights (METHODS A5.7, after the Cg tutorial's C6E5v_skin4m, whose lighting is the surface
// shaders' here). Twin of renderer/skin/methods/lbs_variants.c.
#include "skin.glsl"
#include "lbs.glsl"
#include "gradients.glsl"
#include "applied.glsl"
#include "data.glsl"

const int BATCH_MATRICES = 24;

#include "batch.glsl"

void main() {
	if (gl_GlobalInvocationID.x >= span.y) {
		return;
	}
	uint row = span.x + gl_GlobalInvocationID.x;
	uint vertex = data_word(ROWS, row * 2u) & ~REPEATED;
	vec3 position = position_in(vertex), normal = normal_in(vertex), tangent = tangent_in(vertex);
	applied sum = nothing_applied();
	vec4 weights = data_vec4(WEIGHTS, row);
	vec4 indices = data_vec4(INDICES, row);
	for (int k = 0; k < 4; k++) {
		apply(batch_matrix(int(indices[k] + 0.5)), weights[k], position, normal, tangent,
			sum);
	}
	write_row(row, batch_matrix(int(indices.x + 0.5)), sum);
}
