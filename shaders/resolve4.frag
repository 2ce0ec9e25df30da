// The mean of just four samples, as resolve.frag makes it; without a loop it takes half of its time
// on software drivers.
#include "bindings.glsl"

layout(binding = TEXTURE_UNIT_SAMPLES) uniform highp sampler2DMS sampled;

out vec4 color;

void main() {
	ivec2 at = ivec2(gl_FragCoord.xy);
	vec4 sum = texelFetch(sampled, at, 0) + texelFetch(sampled, at, 1);
	sum += texelFetch(sampled, at, 2) + texelFetch(sampled, at, 3);
	color = sum * 0.25;
}
