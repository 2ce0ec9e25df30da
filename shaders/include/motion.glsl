// Dual quaternions blended by weight (DLB, METHODS A11); twin of renderer/skin/motion.h. Behind
// skin.glsl.

const float MOTION_LEAST_SQUARE = 1e-12;

vec3 turn(vec4 q, vec3 v) {
	return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

// Unit real part and its dual part, and the length that the blend of real parts had; 0 = it
// vanished.
struct motion {
	vec4 real, dual;
	float blend_length;
};

// Entries of that many vec4, which begin with real and dual part. Signs follow the pivot unless
// the palette has them aligned along the hierarchy.
motion blended_motion(uint influence, uint entry, bool aligned) {
	uint pivot = slot_of(influence) * entry;
	vec4 real = vec4(0.0), dual = vec4(0.0);
	for (uint k = 0u; k < span.w; k++) {
		uint at = slot_of(influence + k) * entry;
		float weight = weight_of(influence + k);
		weight = !aligned && dot(palette_at(at), palette_at(pivot)) < 0.0 ? -weight : weight;
		real += weight * palette_at(at);
		dual += weight * palette_at(at + 1u);
	}
	float square = dot(real, real);
	if (square > MOTION_LEAST_SQUARE) {
		return motion(real * inversesqrt(square), dual * inversesqrt(square), sqrt(square));
	}
	return motion(palette_at(pivot), palette_at(pivot + 1u), 0.0);
}

vec3 moved(motion m, vec3 v) {
	return turn(m.real, v) +
		2.0 * (m.real.w * m.dual.xyz - m.dual.w * m.real.xyz + cross(m.real.xyz, m.dual.xyz));
}

// Twice the vector part of a times the conjugate of b: how b's rotation moves, where b is a blend
// of unit length, as more of a comes into it.
vec3 turn_rate(vec4 a, vec4 b) {
	return 2.0 * (b.w * a.xyz - a.w * b.xyz - cross(a.xyz, b.xyz));
}
