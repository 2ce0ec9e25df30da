// The palette of linear blend skinning: an entry is a 4x4 matrix in columns. Behind skin.glsl.

mat4 matrix_of(uint slot) {
	uint at = slot * 4u;
	return mat4(palette[at], palette[at + 1u], palette[at + 2u], palette[at + 3u]);
}
