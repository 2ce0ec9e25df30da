// Vertices interpolated between the keys of a baked clip (METHODS A1). Twin of
// renderer/skin/methods/vertex_keyframe.c. The palette: four keys, their weights, floats of a vertex.
#include "skin.glsl"
#include "data.glsl"

const int STREAMS = 1;

// At or below this a blend of unit normals counts as vanished: they were opposite.
const float NORMAL_LEAST_SQUARE = 1e-12;

// Three numbers of all keys, blended: those at a place in each key's streams.
vec3 blended(uint at) {
	uint stride = streams.x * uint(palette_extra(2u).x);
	uvec4 keys = uvec4(palette_extra(0u)) * stride + at;
	vec4 weights = palette_extra(1u);
	vec3 sum = vec3(0.0);
	for (uint i = 0u; i < 3u; i++) {
		sum[i] = data_float(STREAMS, keys.y + i) * weights.y +
			data_float(STREAMS, keys.z + i) * weights.z;
		if (option2 != 0) {
			sum[i] += data_float(STREAMS, keys.x + i) * weights.x +
				data_float(STREAMS, keys.w + i) * weights.w;
		}
	}
	return sum;
}

// The same three numbers of the second key alone, the one before the moment.
uint before_at(uint at) {
	return uint(palette_extra(0u).y) * streams.x * uint(palette_extra(2u).x) + at;
}

vec3 before(uint at) {
	uint from = before_at(at);
	return vec3(data_float(STREAMS, from), data_float(STREAMS, from + 1u),
		data_float(STREAMS, from + 2u));
}

surface posed_surface(uint vertex) {
	bool exact = palette_extra(1u).y == 1.0;
	uint at = (streams.x + vertex) * 3u;
	vec3 normal = blended(at), key_normal = before(at);
	float square = dot(normal, normal);
	normal = exact || !(square > NORMAL_LEAST_SQUARE) ? key_normal : normal * inversesqrt(square);
	vec3 tangent = vec3(0.0);
	if (streams.y != 0u) {
		uint from = tangent_at(vertex);
		tangent = exact ? before(from) : finished_tangent(normal, blended(from));
	}
	return surface(exact ? before(vertex * 3u) : blended(vertex * 3u), normal, tangent);
}

void main() {
	if (gl_GlobalInvocationID.x < span.y) {
		uint vertex = span.x + gl_GlobalInvocationID.x;
		write_surface(vertex, posed_surface(vertex));
	}
}
