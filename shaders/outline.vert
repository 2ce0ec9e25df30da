// Skinned vertices of one figure's outline.
#include "bindings.glsl"
#include "variant.glsl"
#include "shaded_placed.glsl"
#include "outline.glsl"

layout(location = ATTRIBUTE_LOCATION_POSITION) in vec3 position;
layout(location = ATTRIBUTE_LOCATION_NORMAL) in vec3 normal;

void main() {
	put_outline(position, normal);
}
