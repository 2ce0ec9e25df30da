// A number at each vertex as a colour of a scale, in linear light.
#include "painting.glsl"

layout(binding = TEXTURE_UNIT_SCALE) uniform sampler2D scale;

void main() {
	paint_cut();
	// The colour of 0 is in the middle of the first texel, that of 1 in that of the last.
	float texels = float(textureSize(scale, 0).x);
	float at = (painted.x * (texels - 1.0) + 0.5) / texels;
	color = vec4(texture(scale, vec2(at, 0.5)).rgb * paint_shade(), 1.0);
}
