// Lines on the ground: one for each unit, faint ones for each tenth, and those through the world's
// middle; as wide on the screen wherever they are. Linear, premultiplied by alpha.
#include "bindings.glsl"

in vec2 corner;
in vec2 place; // in units

layout(location = UNIFORM_GROUND_LINES) uniform vec2 lines; // lightness, and how opaque they are
layout(location = UNIFORM_GROUND_AXES) uniform vec2 middle; // where the world's is

out vec4 color;

// Alpha of the three kinds of lines, and their widths in pixels.
const vec3 OPACITY = vec3(0.16, 0.4, 0.75);
const vec3 WIDTH = vec3(1.0, 1.2, 1.8);

// Of lines so far away: [0, 1] for each direction that they run in. pixel is what a pixel covers.
vec2 covered(vec2 away, vec2 pixel, float width) {
	return clamp(0.5 * width + 0.5 - away / pixel, 0.0, 1.0);
}

// Of lines at each whole number; they are gone before they run together.
float ruled(vec2 at, vec2 pixel, float width) {
	vec2 cover = covered(abs(fract(at - 0.5) - 0.5), pixel, width) *
		(1.0 - smoothstep(0.08, 0.3, pixel));
	return max(cover.x, cover.y);
}

void main() {
	vec2 along = dFdx(place), up = dFdy(place);
	vec2 pixel = max(sqrt(along * along + up * up), 1e-9);
	vec2 axes = covered(abs(place - middle), pixel, WIDTH.z) *
		(1.0 - smoothstep(0.3, 1.0, pixel));
	float alpha = max(OPACITY.x * ruled(place * 10.0, pixel * 10.0, WIDTH.x),
		max(OPACITY.y * ruled(place, pixel, WIDTH.y), OPACITY.z * max(axes.x, axes.y)));
	alpha *= lines.y * (1.0 - smoothstep(0.15, 1.0, length(corner)));
	color = vec4(vec3(lines.x * alpha), alpha);
}
