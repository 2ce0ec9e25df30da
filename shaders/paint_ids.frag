// Numbers up to 2^24: red has the highest bits, blue the lowest.
#include "painting.glsl"

void main() {
	paint_cut();
	uint id = uint(painted_flat.x + of_primitive);
	color = unpackUnorm4x8((id >> 16) | (id & 0xff00u) | (id & 0xffu) << 16 | 0xff000000u);
}
