// Bones blending: the mean of rotations on the sphere of unit quaternions, about the joint where
// bones meet (METHODS A9); as sbs does where they do not. Twin of renderer/skin/methods/bones_blend.c.
#include "skin.glsl"
#include "data.glsl"
#include "motion.glsl"
#include "stretch.glsl"
#include "exact.glsl"
#include "turned.glsl"
#include "centred.glsl"
#include "angle.glsl"

const uint STEPS_MAX = 3u;
const float ARRIVED_SQUARE = 1e-7;
const float LEAST_SLOPE = 0.25;

// The weighted mean of the ways from a unit quaternion to all rotations, as half a rotation vector,
// made Newton's step by how it changes.
vec3 step_to_mean(uint influence, vec4 from, bool several) {
	vec4 back = quat_conjugate(from);
	vec3 mean = vec3(0.0);
	float even = 0.0;
	mat3 along = mat3(0.0);
	for (uint k = 0u; k < span.w; k++) {
		float weight = weight_of(influence + k);
		vec4 way = quat_multiply(back, palette_at(slot_of(influence + k) * CENTRED_ENTRY + TURNED_ROTATION));
		way = way.w < 0.0 ? -way : way;
		float by = 1.0 / (1.0 + way.w);
		float x = (1.0 - way.w) * by;
		float rest = arc_rest(x);
		float p = 1.0 + x * rest;
		mean += weight * 2.0 * by * p * way.xyz;
		even += weight * p * (1.0 - x);
		along += outerProduct(weight * (p - rest) * by * by * way.xyz, way.xyz);
	}
	return several ? inverse(along + mat3(max(even, LEAST_SLOPE))) * mean : mean;
}

// Maximum number of steps for the mean: one between two rotations, none in a set of joints.
uint steps_of(uint influence, bool spread) {
	float rest = 0.0;
	for (uint k = 2u; k < span.w; k++) {
		rest += weight_of(influence + k);
	}
	return spread ? 0u : rest > 0.0 ? STEPS_MAX : 1u;
}

surface skin_vertex(uint vertex, uint influence) {
	surface s = surface_in(vertex);
	stretch_surface(influence, CENTRED_ENTRY, CENTRED_STRETCH, s);
	centre c = centre_of(vertex);
	c.target = centred_target(c, influence);
	vec4 q = centred_blend(influence, true).q;
	uint steps = steps_of(influence, c.spread);
	for (uint i = 0u; i < steps; i++) {
		vec3 way = step_to_mean(influence, q, steps > 1u);
		q = quat_multiply(q, rotation_exp(way));
		if (dot(way, way) <= ARRIVED_SQUARE) {
			break;
		}
	}
	centred_move(q, c, s);
	return s;
}

#include "each_vertex.glsl"
