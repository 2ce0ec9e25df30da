// A square of the ground as the key light sees it.
#include "bindings.glsl"

layout(location = UNIFORM_VIEW_PROJECTION) uniform mat4 view_projection;
// Its middle in the world, and half of its side.
layout(location = UNIFORM_GROUND_SQUARE) uniform vec4 square;
// Where lights are counted from, in the world.
layout(location = UNIFORM_GROUND_ORIGIN) uniform vec3 origin;
// From the world's axes to those of the light.
layout(location = UNIFORM_TURN) uniform mat3 turn;

out vec2 corner; // [-1, 1]
out vec3 to_origin;

void main() {
	corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
	vec3 position = square.xyz + vec3(corner.x, 0.0, corner.y) * square.w;
	to_origin = turn * (origin - position);
	gl_Position = view_projection * vec4(position, 1.0);
	gl_Position.z = 0.0;
}
