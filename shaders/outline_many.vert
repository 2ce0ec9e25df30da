// Skinned vertices of many figures' outlines, whose streams lie one behind the other.
#include "bindings.glsl"
#include "variant.glsl"
#include "shaded_placed.glsl"
#include "outline.glsl"

layout(std430, binding = BUFFER_COPIES) readonly buffer Copies {
	float streams[];
};

// Vertices, and floats, of a figure.
layout(location = UNIFORM_FIGURE) uniform uvec2 figure;

vec3 stream_at(uint at) {
	return vec3(streams[at], streams[at + 1u], streams[at + 2u]);
}

void main() {
	uint start = uint(normal_map[0].w) * figure.y;
	uint vertex = uint(gl_VertexID);
	put_outline(stream_at(start + vertex * 3u), stream_at(start + (figure.x + vertex) * 3u));
}
