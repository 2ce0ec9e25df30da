// Surfaces in linear light, premultiplied by alpha: the target encodes to sRGB, after blending.
#include "surface.glsl"

out vec4 color;

void main() {
	vec4 base = surface_base();
	color = vec4(surface_light(base.rgb) * base.a, base.a);
}
