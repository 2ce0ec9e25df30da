// Linear blend skinning in batches: vertices in rows, with matrices in uniforms. Twin of
// renderer/skin/methods/lbs_batches.c. Behind data.glsl and a constant BATCH_MATRICES.

// Sections of the data.
const int ROWS = 2;
const int WEIGHTS = 3;
const int INDICES = 4;
const uint REPEATED = 0x80000000u;

// Three rows of each matrix.
layout(location = UNIFORM_MATRICES) uniform vec4 batch_rows[3 * BATCH_MATRICES];

// From its first row.
mat4 batch_matrix(int at) {
	return mat4(transpose(mat3x4(batch_rows[at], batch_rows[at + 1], batch_rows[at + 2])));
}

// Writes a vertex back to its own place, unless another batch does.
void write_row(uint row, mat4 pivot, applied sum) {
	uint vertex = data_word(ROWS, row * 2u);
	if ((vertex & REPEATED) == 0u) {
		write_surface(vertex,
			finished_surface(applied_surface(
				vertex, data_word(ROWS, row * 2u + 1u), pivot, sum)));
	}
}
