// Linear blend skinning in batches of four joints: a vertex has weights and no indices, the last
// weight is implied (METHODS A5.2). Twin of renderer/skin/methods/lbs_variants.c.
#include "skin.glsl"
#include "lbs.glsl"
#include "gradients.glsl"
#include "applied.glsl"
#include "data.glsl"

const int BATCH_MATRICES = 4;

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
	apply(batch_matrix(0), weights.x, position, normal, tangent, sum);
	apply(batch_matrix(3), weights.y, position, normal, tangent, sum);
	apply(batch_matrix(6), weights.z, position, normal, tangent, sum);
	apply(batch_matrix(9), 1.0 - (weights.x + weights.y + weights.z), position, normal, tangent,
		sum);
	write_row(row, matrix_of(slot_of(data_word(ROWS, row * 2u + 1u))), sum);
}
