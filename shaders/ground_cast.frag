// The occlusion of the ground by a surface above it: red where it touches the ground, green by its
// distance.
#include "bindings.glsl"

in vec3 world_position;

// The ground's y, and how near surfaces must be for each, as 1 / height.
layout(location = UNIFORM_GROUND_FALLOFF) uniform vec3 falloff;

out vec2 shade;

void main() {
	vec2 nearness = clamp(1.0 - (world_position.y - falloff.x) * falloff.yz, 0.0, 1.0);
	shade = nearness * nearness;
}
