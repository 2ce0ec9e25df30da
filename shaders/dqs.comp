// Dual quaternion skinning in two phases: blended stretch, then blended motion (METHODS A11, 0.4).
// Twin of renderer/skin/dqs.c. A palette entry is real part, dual part, stretch in four columns
// whose first has 1 in its fourth number where it is not the identity.
#include "bindings.glsl"
#include "skin.glsl"

const uint ENTRY = 6u;
const float LEAST_BLEND_SQUARE = 1e-12;

mat4 stretch_of(uint slot) {
	uint at = slot * ENTRY + 2u;
	return mat4(palette[at], palette[at + 1u], palette[at + 2u], palette[at + 3u]);
}

vec3 turn(vec4 q, vec3 v) {
	return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

void main() {
	if (gl_GlobalInvocationID.x >= span.y) {
		return;
	}
	uint vertex = span.x + gl_GlobalInvocationID.x;
	uint influence = influence_start.x + gl_GlobalInvocationID.x * span.w;
	uint pivot = slot_of(influence);
	vec4 pivot_real = palette[pivot * ENTRY];
	vec4 real = vec4(0.0), dual = vec4(0.0);
	float stretched = 0.0;
	for (uint k = 0u; k < span.w; k++) {
		uint at = slot_of(influence + k) * ENTRY;
		float weight = weight_of(influence + k);
		stretched += weight * palette[at + 2u].w;
		weight = dot(palette[at], pivot_real) < 0.0 ? -weight : weight;
		real += weight * palette[at];
		dual += weight * palette[at + 1u];
	}
	float square = dot(real, real);
	if (square > LEAST_BLEND_SQUARE) {
		real *= inversesqrt(square);
		dual *= inversesqrt(square);
	} else {
		real = pivot_real;
		dual = palette[pivot * ENTRY + 1u];
	}

	vec3 position = position_in(vertex);
	vec3 normal = normal_in(vertex);
	vec3 tangent = streams.y != 0u ? read3(tangent_at(vertex)) : vec3(0.0);
	if (stretched != 0.0) {
		mat4 m = mat4(0.0);
		for (uint k = 0u; k < span.w; k++) {
			m += weight_of(influence + k) * stretch_of(slot_of(influence + k));
		}
		position = (m * vec4(position, 1.0)).xyz;
		normal = mapped_normal(m, stretch_of(pivot), normal);
		tangent = mat3(m) * tangent;
	}
	vec3 moved = 2.0 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz));
	normal = turn(real, normal);
	write_vertex(vertex, turn(real, position) + moved, normal);
	if (streams.y != 0u) {
		write_tangent(vertex, finished_tangent(normal, turn(real, tangent)));
	}
}
