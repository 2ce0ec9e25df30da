// Distance along the view, the bits of a float as the bytes of a pixel, the lowest in red.
#include "painting.glsl"

void main() {
	paint_cut();
	// paint[0] is the plane that distance is counted from.
	float distance = dot(paint[0].xyz, world_position) + paint[0].w;
	color = unpackUnorm4x8(floatBitsToUint(distance));
}
