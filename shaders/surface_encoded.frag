// Opaque surfaces, encoded to sRGB here: once for a pixel. Software drivers encode in the target once
// for each sample, which takes a fifth of the time of a picture.
#include "encode.glsl"
#include "surface.glsl"

out vec4 color;

void main() {
	vec4 base = surface_base();
	color = vec4(encode(surface_light(base.rgb)), base.a);
}
