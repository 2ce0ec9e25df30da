// Rigid motions as matrices with their rotations as quaternions beside them; twin of
// renderer/skin/turned.h. Behind motion.glsl.

const uint TURNED_ROTATION = 3u; // of an entry's vec4s

// Rotations blended by weight, unit; where they cancel, the pivot's. Entries of that many vec4.
vec4 blended_rotation(uint influence, uint entry, bool aligned) {
	vec4 pivot = palette_at(slot_of(influence) * entry + TURNED_ROTATION);
	vec4 sum = vec4(0.0);
	for (uint k = 0u; k < span.w; k++) {
		vec4 q = palette_at(slot_of(influence + k) * entry + TURNED_ROTATION);
		float weight = weight_of(influence + k);
		sum += (!aligned && dot(q, pivot) < 0.0 ? -weight : weight) * q;
	}
	float square = dot(sum, sum);
	return square > MOTION_LEAST_SQUARE ? sum * inversesqrt(square) : pivot;
}
