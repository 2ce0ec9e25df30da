// Posed vertices as finish passes read and write them; twin of renderer/skin/put.h. Behind skin.glsl.

vec3 posed3(uint at) {
	uint first = gl_WorkGroupID.y * copy.w + at;
	return vec3(skinned[first], skinned[first + 1u], skinned[first + 2u]);
}

vec3 posed_position(uint vertex) {
	return posed3(vertex * 3u);
}

// Zero where tangents are not wanted.
vec3 posed_tangent(uint vertex) {
	return streams.y != 0u ? posed3(tangent_at(vertex)) : vec3(0.0);
}

// A sum of products within these has a square within float32.
const float SUM_LEAST = 1e-12;
const float SUM_MOST = 1e15;

// One that is no longer than the least leaves the vertex as it is.
void put_normal(uint vertex, vec3 normal, float least, vec3 tangent) {
	float square = dot(normal, normal);
	if (!(square > least * least)) {
		return;
	}
	vec3 n = normal * inversesqrt(square);
	write3((streams.x + vertex) * 3u, n);
	if (streams.y != 0u) {
		write3(tangent_at(vertex), finished_tangent(n, tangent));
	}
}
