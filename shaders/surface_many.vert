// Skinned vertices of many figures.
#include "bindings.glsl"
#include "placed.glsl"
#include "copies.glsl"

void main() {
	put_copy();
}
