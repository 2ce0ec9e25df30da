// The mean of a pixel's samples, in linear light: reading decodes sRGB, the target encodes again.
#include "bindings.glsl"

layout(location = UNIFORM_SAMPLES) uniform int samples;
layout(binding = TEXTURE_UNIT_SAMPLES) uniform highp sampler2DMS sampled;

out vec4 color;

void main() {
	vec4 sum = vec4(0.0);
	for (int i = 0; i < samples; i++) {
		sum += texelFetch(sampled, ivec2(gl_FragCoord.xy), i);
	}
	color = sum / float(samples);
}
