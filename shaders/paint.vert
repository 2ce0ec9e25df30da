// Skinned vertices of one figure, with what is painted on them.
#include "bindings.glsl"
#include "placed.glsl"
#include "painted.glsl"

layout(location = ATTRIBUTE_LOCATION_POSITION) in vec3 position;
layout(location = ATTRIBUTE_LOCATION_NORMAL) in vec3 normal;

void main() {
	put(position, normal);
	pass_paint();
}
