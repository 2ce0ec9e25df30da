// Skinned vertices of many figures, with the light that each gives back.
#include "bindings.glsl"
#include "placed.glsl"
#include "copies.glsl"
#include "lit_vertex.glsl"

void main() {
	put_copy();
	light_vertex();
}
