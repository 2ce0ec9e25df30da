// Bones blending: the mean of rotations on the sphere of unit quaternions, about the joint where
// bones meet (METHODS A9); as sbs does where they do not. Twin of renderer/skin/bones_blend.c.
#include "bindings.glsl"
#include "skin.glsl"
#include "data.glsl"
#include "motion.glsl"
#include "stretch.glsl"
#include "exact.glsl"
#include "centred.glsl"
#include "angle.glsl"

const uint STEPS_MAX = 5u;
const float ARRIVED_SQUARE = 1e-13;

// The weighted mean of the ways from a unit quaternion to all rotations, as half a rotation vector.
vec3 mean_way(uint influence, vec4 from) {
	vec4 back = quat_conjugate(from);
	vec3 sum = vec3(0.0);
	for (uint k = 0u; k < span.w; k++) {
		vec4 way = quat_multiply(back, palette[slot_of(influence + k) * CENTRED_ENTRY]);
		sum += weight_of(influence + k) * rotation_log(way.w < 0.0 ? -way : way);
	}
	return sum;
}

// How many steps the mean may take: one between two rotations, none in a set of joints.
uint steps_of(uint influence, bool spread) {
	float rest = 0.0;
	for (uint k = 2u; k < span.w; k++) {
		rest += weight_of(influence + k);
	}
	return spread ? 0u : rest > 0.0 ? STEPS_MAX : 1u;
}

void main() {
	if (gl_GlobalInvocationID.x >= span.y) {
		return;
	}
	uint vertex = span.x + gl_GlobalInvocationID.x;
	uint influence = influence_start.x + gl_GlobalInvocationID.x * span.w;
	surface s = surface_in(vertex);
	stretch_surface(influence, CENTRED_ENTRY, CENTRED_STRETCH, s);
	centre c = centre_of(vertex);
	c.target = centred_target(c, influence);
	vec4 q = centred_blend(influence, true).q;
	uint steps = steps_of(influence, c.spread);
	for (uint i = 0u; i < steps; i++) {
		vec3 way = mean_way(influence, q);
		q = quat_multiply(q, rotation_exp(way));
		if (dot(way, way) <= ARRIVED_SQUARE) {
			break;
		}
	}
	centred_move(q, c, s);
	write_surface(vertex, s);
}
