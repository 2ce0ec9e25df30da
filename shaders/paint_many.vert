// Skinned vertices of many figures, with what is painted on them.
#include "bindings.glsl"
#include "placed.glsl"
#include "copies.glsl"
#include "painted.glsl"

void main() {
	put_copy();
	pass_paint();
}
