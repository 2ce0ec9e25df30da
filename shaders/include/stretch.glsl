// The first of two phases where joints scale or shear (METHODS 0.4); twin of renderer/skin/stretch.h.
// Behind skin.glsl.

// Entries of that many vec4, whose stretch lies at an offset: a matrix, then 1 where it is not the
// identity.
void stretch_surface(uint influence, uint entry, uint offset, inout surface s) {
	if (!stretched) {
		return;
	}
	float share = 0.0;
	for (uint k = 0u; k < span.w; k++) {
		uint at = slot_of(influence + k) * entry + offset;
		share += weight_of(influence + k) * palette_at(at + 3u).x;
	}
	if (share == 0.0) {
		return;
	}
	mat4 m = mat4(0.0);
	for (uint k = 0u; k < span.w; k++) {
		m += weight_of(influence + k) * palette_matrix(slot_of(influence + k) * entry + offset);
	}
	mat4 pivot = palette_matrix(slot_of(influence) * entry + offset);
	s.position = (m * vec4(s.position, 1.0)).xyz;
	s.normal = wanted_normal(m, pivot, s.normal);
	s.tangent = mat3(m) * s.tangent;
}
