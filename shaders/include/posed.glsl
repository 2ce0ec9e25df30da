// Posed vertices as finish passes read and write them; twin of renderer/skin/put.h. Behind skin.glsl.

vec3 posed3(uint at) {
	return vec3(skinned[at], skinned[at + 1u], skinned[at + 2u]);
}

vec3 posed_position(uint vertex) {
	return posed3(vertex * 3u);
}

// Zero where tangents are not wanted.
vec3 posed_tangent(uint vertex) {
	return streams.y != 0u ? posed3(tangent_at(vertex)) : vec3(0.0);
}

// What floats can still tell from nothing: sums over small triangles are short.
const float SUM_LEAST_SQUARE = 1e-36;

// A normal of any length; one without leaves the vertex as it is.
void put_normal(uint vertex, vec3 normal, vec3 tangent) {
	float square = dot(normal, normal);
	if (!(square > SUM_LEAST_SQUARE)) {
		return;
	}
	vec3 n = normal * inversesqrt(square);
	write3((streams.x + vertex) * 3u, n);
	if (streams.y != 0u) {
		write3(tangent_at(vertex), finished_tangent(n, tangent));
	}
}
