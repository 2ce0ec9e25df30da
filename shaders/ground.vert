// A square of the ground, without any vertex data. It is drawn before all else and knows no depth, so
// that near and far do not cut it; only what is behind the eye is cut off.
#include "bindings.glsl"

layout(location = UNIFORM_VIEW_PROJECTION) uniform mat4 view_projection;
// Its middle in the world, and half of its side.
layout(location = UNIFORM_GROUND_SQUARE) uniform vec4 square;
// World lengths -> those of the map, and the middle there.
layout(location = UNIFORM_GROUND_MAP) uniform vec3 map;

out vec2 corner; // [-1, 1]
out vec2 place;  // x and z on the map

void main() {
	corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
	vec2 across = corner * square.w;
	place = across * map.x + map.yz;
	vec3 position = square.xyz + vec3(across.x, 0.0, across.y);
	gl_Position = view_projection * vec4(position, 1.0);
	gl_Position.z = 0.0;
}
