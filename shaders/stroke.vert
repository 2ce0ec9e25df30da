// Strokes: capsules between two points of the world, as wide as is said in pixels, whatever widths of
// lines the driver has. One instance is one stroke, its outline a strip of UNIFORM_STROKE_CORNERS
// vertices: half of them around each end; with 4 the ends are straight.
#include "bindings.glsl"

layout(location = ATTRIBUTE_LOCATION_STROKE_START) in vec4 start; // w: radius
layout(location = ATTRIBUTE_LOCATION_STROKE_END) in vec4 end;
layout(location = ATTRIBUTE_LOCATION_STROKE_COLOR) in vec4 color; // linear, premultiplied
layout(location = ATTRIBUTE_LOCATION_STROKE_LIFT) in float lift;

layout(location = UNIFORM_VIEW_PROJECTION) uniform mat4 view_projection;
// Half the target's width and height, what radii are multiplied by, what colours are multiplied by.
layout(location = UNIFORM_STROKE_SCALE) uniform vec4 scale;
// Pixels of the smallest radius.
layout(location = UNIFORM_STROKE_LEAST) uniform float least;
layout(location = UNIFORM_STROKE_CORNERS) uniform int corners;

out vec4 stroke_color;

const float HALF_TURN = 3.14159265;

// The minimum distance of a stroke from the eye, relative to that of its farther end.
const float NEAREST = 1e-3;

vec4 row(int i) {
	return vec4(view_projection[0][i], view_projection[1][i], view_projection[2][i],
		view_projection[3][i]);
}

// The depth of a clip-space place so many pixels' worth nearer to the eye: what lies on a surface shall be seen
// there. Near and far planes are where the figure ends, and cut no stroke off.
float lifted_depth(vec4 clip) {
	float depth = clip.z / clip.w;
	float pixels_per_unit = length(row(1).xyz) * scale.y / clip.w;
	float depth_per_unit = length(row(2).xyz - depth * row(3).xyz) / clip.w;
	return depth - lift * depth_per_unit / pixels_per_unit;
}

void main() {
	vec4 from = view_projection * vec4(start.xyz, 1.0);
	vec4 to = view_projection * vec4(end.xyz, 1.0);
	vec2 radii = max(vec2(start.w, end.w) * scale.z, least);
	vec2 ahead = vec2(from.w, to.w) - NEAREST * max(from.w, to.w);
	stroke_color = color * scale.w;
	if (max(ahead.x, ahead.y) <= 0.0) {
		gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // behind the eye: outside of the picture
		return;
	}
	// Parts behind the eye are clipped before the division by w.
	vec2 cut = clamp(ahead / (ahead - ahead.yx), 0.0, 1.0);
	vec4 whole = to - from;
	float widening = radii.y - radii.x;
	if (ahead.x < 0.0) {
		from += cut.x * whole;
		radii.x += cut.x * widening;
	} else if (ahead.y < 0.0) {
		to -= cut.y * whole;
		radii.y -= cut.y * widening;
	}
	vec2 along = (to.xy / to.w - from.xy / from.w) * scale.xy;
	float size = length(along);
	vec2 axis = size > 1e-6 ? along / size : vec2(1.0, 0.0);

	int pair = gl_VertexID >> 1;
	bool at_end = (gl_VertexID & 1) == 0;
	float angle = (float(pair) / float(corners / 2 - 1) - 0.5) * HALF_TURN;
	vec2 arc = vec2(at_end ? cos(angle) : -cos(angle), sin(angle));
	vec2 offset = arc.x * axis + arc.y * vec2(-axis.y, axis.x);
	if (corners == 4) {
		offset = arc.y * vec2(-axis.y, axis.x);
	}
	vec4 place = at_end ? to : from;
	float radius = at_end ? radii.y : radii.x;
	// The round ends go on into the depth as the stroke does, so that strokes in one line have
	// their rims behind all of them.
	float slope = (to.z / to.w - from.z / from.w) / max(size, radius);
	float depth = lifted_depth(place) + slope * arc.x * radius;
	gl_Position = vec4(place.xy + offset * radius / scale.xy * place.w,
		clamp(depth, -1.0, 1.0) * place.w, place.w);
}
