// Skinned vertices -> a line along the normal of each, as strokes take them.
#include "bindings.glsl"

layout(local_size_x = SEGMENT_GROUP_SIZE) in;

layout(std430, binding = BUFFER_SEGMENTS) writeonly buffer Segments {
	float segments[];
};
layout(std430, binding = BUFFER_SEGMENT_VERTICES) readonly buffer Skinned {
	float skinned[];
};

// The first to make here, and how many there are: as many as vertices.
layout(location = UNIFORM_SEGMENTS) uniform uvec2 segment;
layout(location = UNIFORM_SEGMENT_LENGTH) uniform float size;

void main() {
	uint i = gl_GlobalInvocationID.x + segment.x;
	if (i >= segment.y) {
		return;
	}
	for (uint k = 0u; k < 3u; k++) {
		float place = skinned[i * 3u + k];
		segments[i * 6u + k] = place;
		segments[i * 6u + 3u + k] = place + size * skinned[(segment.y + i) * 3u + k];
	}
}
