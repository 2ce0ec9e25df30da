// One direction of two Gaussians: a narrow one of red, a wide one of green.
#include "bindings.glsl"

layout(location = UNIFORM_GROUND_STEP) uniform ivec2 direction; // (1, 0) or (0, 1)
layout(location = UNIFORM_GROUND_SIGMAS) uniform vec2 sigmas;   // texels
layout(binding = TEXTURE_UNIT_GROUND) uniform mediump sampler2D source;

out vec2 shade;

void main() {
	ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(source, 0) - 1;
	// Weights e^(-i^2 k) by two products each.
	vec2 ratio = exp(-0.5 / (sigmas * sigmas)), square = ratio * ratio, weight = ratio;
	int reach = int(ceil(3.0 * sigmas.y));
	vec2 sum = texelFetch(source, here, 0).rg, total = vec2(1.0);
	for (int i = 1; i <= reach; i++) {
		// Nothing stands at the edge, so that what lies beyond it may be taken from there.
		ivec2 away = direction * i;
		sum += weight * (texelFetch(source, clamp(here + away, ivec2(0), last), 0).rg +
			texelFetch(source, clamp(here - away, ivec2(0), last), 0).rg);
		total += 2.0 * weight;
		ratio *= square;
		weight *= ratio;
	}
	shade = sum / total;
}
