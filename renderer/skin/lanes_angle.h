/* Logarithms and exponentials of rotations in lanes: polynomials, so that four and eight lanes give
 * the same bits. Half rotation vectors, as a quaternion has them: the axis times half the angle. */
#pragma once

#include "angle_numbers.glsl"
#include "base/lanes.h"

KERNEL lanes angle_polynomial(lanes x, const float *numbers, int count) {
	lanes sum = x * numbers[0] + numbers[1];
	for (int i = 2; i < count; i++) {
		sum = sum * x + numbers[i];
	}
	return sum;
}

/* (atan(sqrt x) / sqrt x - 1) / x for x in [0, 1]. With x = (1 - w) / (1 + w), the squared tangent
 * of a quarter of a rotation's angle, 1 + x times this is half of that angle over its sine, times
 * (1 + w) / 2: the logarithm of a unit quaternion whose real part w is not negative. */
KERNEL lanes angle_arc_rest(lanes x) {
	static const float numbers[] = {ANGLE_ARC};
	return angle_polynomial(x, numbers, ANGLE_ARC_COUNT);
}

/* (sin(sqrt y) / sqrt y - 1) / y for y up to the square of a quarter turn. */
KERNEL lanes angle_sine_rest(lanes y) {
	static const float numbers[] = {ANGLE_SINE};
	return angle_polynomial(y, numbers, ANGLE_SINE_COUNT);
}

/* (cos(sqrt y) - 1) / y in the same range. */
KERNEL lanes angle_cosine_rest(lanes y) {
	static const float numbers[] = {ANGLE_COSINE};
	return angle_polynomial(y, numbers, ANGLE_COSINE_COUNT);
}

/* The rotation b, then a. */
KERNEL struct lanes4 angle_multiply(struct lanes4 a, struct lanes4 b) {
	const struct lanes3 u = lanes3_of(a), v = lanes3_of(b), across = lanes3_cross(u, v);
	return (struct lanes4){
		(u.x * b.w + v.x * a.w) + across.x,
		(u.y * b.w + v.y * a.w) + across.y,
		(u.z * b.w + v.z * a.w) + across.z,
		a.w * b.w - lanes3_dot(u, v),
	};
}

KERNEL struct lanes4 angle_conjugate(struct lanes4 q) {
	return (struct lanes4){-q.x, -q.y, -q.z, q.w};
}

/* Points turned by unit quaternions. */
KERNEL struct lanes3 angle_turn(struct lanes4 q, struct lanes3 p) {
	const struct lanes3 v = lanes3_of(q);
	const struct lanes3 across = lanes3_cross(v, p);
	const struct lanes3 bent = lanes3_add(lanes3_cross(v, across), lanes3_scale(across, q.w));
	return lanes3_add(p, lanes3_scale(bent, (lanes){0} + 2.0f));
}

/* The quaternion of the same rotation whose real part is not negative. */
KERNEL struct lanes4 angle_shorter(struct lanes4 q) {
	const lane_mask negative = q.w < 0;
	return (struct lanes4){lanes_negate_where(negative, q.x), lanes_negate_where(negative, q.y),
		lanes_negate_where(negative, q.z), lanes_negate_where(negative, q.w)};
}

/* The unit quaternions of half rotation vectors no longer than a quarter turn. */
KERNEL struct lanes4 angle_exp(struct lanes3 half) {
	const lanes y = lanes3_dot(half, half);
	const struct lanes3 v = lanes3_scale(half, 1.0f + y * angle_sine_rest(y));
	return (struct lanes4){v.x, v.y, v.z, 1.0f + y * angle_cosine_rest(y)};
}
