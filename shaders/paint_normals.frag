// Normals in the world as colours: -1 to 1 are 0 to 255.
#include "painting.glsl"

void main() {
	paint_cut();
	color = paint_bytes(paint_normal() * 0.5 + 0.5);
}
