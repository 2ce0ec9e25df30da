// Clay in a studio, in linear light: what it looks like follows from how the surface is turned
// towards the eye alone. paint[0] is the camera's up.
#include "painting.glsl"

const vec3 CLAY = vec3(0.62, 0.40, 0.29);
const vec3 WINDOW = vec3(1.50, 1.42, 1.32); // over the left shoulder, broad
const vec3 WALL = vec3(0.16, 0.20, 0.27);   // from the right, below
const vec3 ROOM = vec3(0.20, 0.19, 0.19);

// Light from a direction that goes round the edge of what it falls on.
float wrapped(vec3 n, vec3 from, float around) {
	return max((dot(n, normalize(from)) + around) / (1.0 + around), 0.0);
}

void main() {
	paint_cut();
	vec3 z = paint_to_eye();
	vec3 x = normalize(cross(paint[0].xyz, z));
	vec3 y = cross(z, x);
	vec3 world = paint_normal();
	vec3 n = vec3(dot(world, x), dot(world, y), dot(world, z));

	float key = wrapped(n, vec3(-0.55, 0.75, 0.65), 0.25);
	vec3 light = ROOM * (0.7 + 0.3 * n.y) + WINDOW * key * key + WALL * wrapped(n, vec3(0.9, -0.3, 0.2), 0.5);
	// Half way between the window and the eye, rough.
	float gloss = pow(max(dot(n, normalize(vec3(-0.30, 0.42, 0.86))), 0.0), 24.0);
	float edge = 1.0 - clamp(n.z, 0.0, 1.0);
	// Edges are darker, but for a rim against the window's side.
	vec3 clay = CLAY * light * (1.0 - 0.35 * edge * edge) + 0.10 * gloss;
	clay += 0.25 * WALL * pow(edge, 4.0);
	color = vec4(min(clay, 1.0), 1.0);
}
