// Surfaces premultiplied by alpha; encoded to sRGB here where the target does not, which are opaque.
#include "shaded.glsl"
#include "encode.glsl"

out vec4 color;

void main() {
	vec4 base = base_of_material();
	float through;
	vec3 seen = shaded(base, through);
	color = does(SHADED_ENCODED) ? vec4(encode(seen), base.a)
				     : vec4(seen * base.a, base.a * (1.0 - through));
}
