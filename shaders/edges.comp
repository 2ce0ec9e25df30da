// Skinned vertices -> the two ends of each edge of a list, as strokes take them.
#include "bindings.glsl"

layout(local_size_x = SEGMENT_GROUP_SIZE) in;

layout(std430, binding = BUFFER_SEGMENTS) writeonly buffer Segments {
	float segments[];
};
layout(std430, binding = BUFFER_SEGMENT_VERTICES) readonly buffer Skinned {
	float skinned[];
};
layout(std430, binding = BUFFER_EDGES) readonly buffer Edges {
	uint ends[];
};

// The first to make here, and how many there are.
layout(location = UNIFORM_SEGMENTS) uniform uvec2 segment;

void main() {
	uint i = gl_GlobalInvocationID.x + segment.x;
	if (i >= segment.y) {
		return;
	}
	for (uint k = 0u; k < 6u; k++) {
		segments[i * 6u + k] = skinned[ends[i * 2u + k / 3u] * 3u + k % 3u];
	}
}
