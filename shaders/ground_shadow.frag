// The shadow on the ground: black, the more so the nearer what keeps the light away.
#include "bindings.glsl"

in vec2 place; // of the texture

layout(binding = TEXTURE_UNIT_GROUND) uniform mediump sampler2D shades;

out vec4 color;

// The falloff of light with contact and with proximity, and the minimum that remains.
const vec2 DENSITY = vec2(2.0, 2.6);
const vec2 DARKEST = vec2(0.4, 0.3);

void main() {
	vec2 light = mix(DARKEST, vec2(1.0), exp(-DENSITY * texture(shades, place).rg));
	color = vec4(0.0, 0.0, 0.0, 1.0 - light.x * light.y);
}
