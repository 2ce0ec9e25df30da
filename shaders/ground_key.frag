// The key light's shadow on the ground: black, by the share of its light that it takes.
#include "bindings.glsl"
#include "key.glsl"

in vec2 corner;
in vec3 to_origin;

out vec4 color;

// The part of the square's half side from which on a shadow that reaches farther fades.
const float FADE = 0.9;

void main() {
	float seen = 0.0, all = 0.0;
	for (int i = 0; i < KEY_MAPS; i++) {
		vec4 direction = key_maps[i].direction;
		float weight = direction.w * (key_ground.y > 0.0 ? max(direction.y, 0.0) : 1.0);
		seen += weight * key_visible(i, to_origin);
		all += weight;
	}
	float edge = clamp((1.0 - max(abs(corner.x), abs(corner.y))) / (1.0 - FADE), 0.0, 1.0);
	float hidden = 1.0 - seen / (all > 0.0 ? all : 1.0);
	color = vec4(0.0, 0.0, 0.0, edge * hidden * key_ground.x);
}
