// A translucent figure of one colour, paint[0], darker where it turns away from the eye; linear,
// premultiplied.
#include "painting.glsl"

void main() {
	paint_cut();
	float facing = abs(dot(normalize(world_normal), paint_to_eye()));
	color = vec4(paint[0].rgb * (0.35 + 0.65 * facing), paint[0].a);
}
