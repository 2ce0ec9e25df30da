// What the key light sees: depth alone, with the holes of materials.
#include "surface.glsl"

void main() {
	surface_base();
}
