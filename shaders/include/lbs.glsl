// The palette of linear blend skinning: an entry is a matrix. Behind skin.glsl.

mat4 matrix_of(uint slot) {
	return palette_matrix(slot * 4u);
}
