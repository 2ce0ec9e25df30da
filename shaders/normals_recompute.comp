// Normals made anew from the posed triangles (METHODS B4). Twin of renderer/skin/normals_recompute.c.
#include "bindings.glsl"
#include "skin.glsl"
#include "data.glsl"
#include "posed.glsl"

const int GROUPS = 0;
const int STARTS = 1;
const int EDGES = 2;

void main() {
	if (gl_GlobalInvocationID.x >= span.y) {
		return;
	}
	uint vertex = span.x + gl_GlobalInvocationID.x;
	uint group = data_word(GROUPS, vertex);
	uint end = data_word(STARTS, group + 1u);
	vec3 a = posed_position(vertex);
	vec3 sum = vec3(0.0);
	for (uint i = data_word(STARTS, group); i < end; i++) {
		vec3 b = posed_position(data_word(EDGES, i * 2u));
		vec3 c = posed_position(data_word(EDGES, i * 2u + 1u));
		sum += cross(b - a, c - a);
	}
	put_normal(vertex, sum, posed_tangent(vertex));
}
