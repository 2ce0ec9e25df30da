// Normals made anew from the posed triangles (METHODS B4). Twin of renderer/skin/normals_recompute.c.
#include "skin.glsl"
#include "data.glsl"
#include "posed.glsl"

const int GROUPS = 0;
const int STARTS = 1;
const int EDGES = 2;

// Triangles that cancel to less than this share of themselves have no normal: it would be their
// rounding.
const float LEAST_SHARE = 1e-6;

// The sum of area times normal of the triangles from start to end, seen from a, and of its numbers'
// sizes; edges count times by.
vec4 fan_sum(uint start, uint end, vec3 a, float by) {
	vec4 sum = vec4(0.0);
	for (uint i = start; i < end; i++) {
		vec3 b = posed_position(data_word(EDGES, i * 2u));
		vec3 c = posed_position(data_word(EDGES, i * 2u + 1u));
		vec3 normal = cross(by * (b - a), by * (c - a));
		sum += vec4(normal, dot(abs(normal), vec3(1.0)));
	}
	return sum;
}

// The greatest number of an edge.
float fan_reach(uint start, uint end, vec3 a) {
	float reach = 0.0;
	for (uint i = start; i < end; i++) {
		reach = max(reach, greatest_of(posed_position(data_word(EDGES, i * 2u)) - a));
		reach = max(reach, greatest_of(posed_position(data_word(EDGES, i * 2u + 1u)) - a));
	}
	return reach > 0.0 ? reach : 1.0;
}

void normals_recompute(uint vertex) {
	uint group = data_word(GROUPS, vertex);
	uint start = data_word(STARTS, group), end = data_word(STARTS, group + 1u);
	vec3 a = posed_position(vertex);
	vec4 sum = fan_sum(start, end, a, 1.0);
	if (!(sum.w > SUM_LEAST && sum.w < SUM_MOST)) {
		sum = fan_sum(start, end, a, 1.0 / fan_reach(start, end, a));
	}
	put_normal(vertex, sum.xyz, LEAST_SHARE * sum.w, posed_tangent(vertex));
}

void main() {
	if (gl_GlobalInvocationID.x < span.y) {
		normals_recompute(span.x + gl_GlobalInvocationID.x);
	}
}
