// Skinned vertices of one figure.
#include "bindings.glsl"
#include "variant.glsl"
#include "shaded_placed.glsl"

layout(location = ATTRIBUTE_LOCATION_POSITION) in vec3 position;
layout(location = ATTRIBUTE_LOCATION_NORMAL) in vec3 normal;
layout(location = ATTRIBUTE_LOCATION_TANGENT) in vec4 tangent;

void main() {
	put(position, normal);
	if (does(SHADED_TANGENTS)) {
		put_tangent(tangent);
	}
}
