// A colour at each vertex, in linear light.
#include "painting.glsl"

void main() {
	paint_cut();
	color = vec4(painted.rgb * paint_shade(), 1.0);
}
