// A chequerboard, in linear light. Vertices have their places in squares: on a texture where the
// primitive has a 1, else in space.
#include "painting.glsl"

// The share of a line of squares that are 1, over a stretch as wide as a pixel, about 0: -1 to 1.
vec3 stripes(vec3 at, vec3 width) {
	// The integral of a square wave of period 2 is a triangle wave.
	vec3 w = max(width, 1e-4);
	vec3 a = abs(fract((at - 0.5 * w) * 0.5) - 0.5), b = abs(fract((at + 0.5 * w) * 0.5) - 0.5);
	return 2.0 * (a - b) / w;
}

void main() {
	paint_cut();
	bool mapped = of_primitive > 0.5;
	vec3 at = painted.xyz;
	vec3 s = stripes(at, fwidth(at));
	float board = mapped ? s.x * s.y : s.x * s.y * s.z;
	vec3 tone = mix(vec3(0.09, 0.11, 0.14), vec3(0.82, 0.80, 0.76), 0.5 + 0.5 * board);
	color = vec4(tone * paint_shade(), 1.0);
}
