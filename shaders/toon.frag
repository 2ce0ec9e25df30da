// Surfaces of MToon and their outlines, premultiplied by alpha; encoded to sRGB here where the target
// does not, which are opaque.
#include "shaded.glsl"
#include "toon.glsl"
#include "encode.glsl"

out vec4 color;

void main() {
	vec4 base = base_of_material();
	vec3 seen = toon_shaded(base.rgb);
	color = does(SHADED_ENCODED) ? vec4(encode(seen), base.a) : vec4(seen * base.a, base.a);
}
