// Logarithms and exponentials of rotations by polynomials, since the language's own functions may
// be off by 2^-11; twin of renderer/skin/lanes_angle.h.
#include "angle_numbers.glsl"

const float ARC[ANGLE_ARC_COUNT] = float[ANGLE_ARC_COUNT](ANGLE_ARC);
const float SINE[ANGLE_SINE_COUNT] = float[ANGLE_SINE_COUNT](ANGLE_SINE);
const float COSINE[ANGLE_COSINE_COUNT] = float[ANGLE_COSINE_COUNT](ANGLE_COSINE);

float arc_rest(float x) {
	float sum = ARC[0];
	for (int i = 1; i < ANGLE_ARC_COUNT; i++) {
		sum = sum * x + ARC[i];
	}
	return sum;
}

float sine_rest(float y) {
	float sum = SINE[0];
	for (int i = 1; i < ANGLE_SINE_COUNT; i++) {
		sum = sum * y + SINE[i];
	}
	return sum;
}

float cosine_rest(float y) {
	float sum = COSINE[0];
	for (int i = 1; i < ANGLE_COSINE_COUNT; i++) {
		sum = sum * y + COSINE[i];
	}
	return sum;
}

vec4 quat_multiply(vec4 a, vec4 b) {
	return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

vec4 quat_conjugate(vec4 q) {
	return vec4(-q.xyz, q.w);
}

// The unit quaternion of half a rotation vector no longer than a quarter turn.
vec4 rotation_exp(vec3 h) {
	float y = dot(h, h);
	return vec4(h * (1.0 + y * sine_rest(y)), 1.0 + y * cosine_rest(y));
}
