// One colour, paint[0], whatever the light.
#include "painting.glsl"

void main() {
	paint_cut();
	color = paint_bytes(paint[0].rgb);
}
