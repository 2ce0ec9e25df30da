// Linear blend skinning in batches with an indexed palette of limited size; indices have eight bits,
// the last weight is implied (METHODS A5.3). Twin of renderer/skin/methods/lbs_variants.c.
#include "skin.glsl"
#include "lbs.glsl"
#include "gradients.glsl"
#include "applied.glsl"
#include "data.glsl"

const int BATCH_MATRICES = 57;

#include "batch.glsl"

void main() {
	if (gl_GlobalInvocationID.x >= span.y) {
		return;
	}
	uint row = span.x + gl_GlobalInvocationID.x;
	uint vertex = data_word(ROWS, row * 2u) & ~REPEATED;
	vec3 position = position_in(vertex), normal = normal_in(vertex), tangent = tangent_in(vertex);
	applied sum = nothing_applied();
	vec3 weights = data_vec3(WEIGHTS, row);
	uint indices = data_word(INDICES, row);
	ivec4 at = 3 * ivec4(indices & 255u, (indices >> 8u) & 255u, (indices >> 16u) & 255u,
		indices >> 24u);
	mat4 pivot = batch_matrix(at.x);
	apply(pivot, weights.x, position, normal, tangent, sum);
	apply(batch_matrix(at.y), weights.y, position, normal, tangent, sum);
	apply(batch_matrix(at.z), weights.z, position, normal, tangent, sum);
	apply(batch_matrix(at.w), 1.0 - (weights.x + weights.y + weights.z), position, normal,
		tangent, sum);
	write_row(row, pivot, sum);
}
