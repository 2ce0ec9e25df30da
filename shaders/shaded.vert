// Skinned vertices of one figure.
#include "bindings.glsl"
#include "shaded_placed.glsl"

layout(location = ATTRIBUTE_LOCATION_POSITION) in vec3 position;
layout(location = ATTRIBUTE_LOCATION_NORMAL) in vec3 normal;

void main() {
	put(position, normal);
}
