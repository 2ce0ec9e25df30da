// A translucent figure of one colour, darker where it turns away from the eye; linear, premultiplied.
#include "bindings.glsl"

in vec3 world_position;
in vec3 world_normal;

layout(location = UNIFORM_EYE) uniform vec4 eye;
layout(location = UNIFORM_GHOST_COLOR) uniform vec4 ghost;

out vec4 color;

void main() {
	float facing = abs(dot(normalize(world_normal), normalize(eye.xyz - eye.w * world_position)));
	color = vec4(ghost.rgb * (0.35 + 0.65 * facing), ghost.a);
}
