// Skinned vertices of one figure, with the light that each gives back.
#include "bindings.glsl"
#include "placed.glsl"
#include "lit_vertex.glsl"

layout(location = ATTRIBUTE_LOCATION_POSITION) in vec3 position;
layout(location = ATTRIBUTE_LOCATION_NORMAL) in vec3 normal;

void main() {
	put(position, normal);
	light_vertex();
}
