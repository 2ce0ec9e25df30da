// Skinned vertices in the world -> clip space.
#include "bindings.glsl"

layout(location = ATTRIBUTE_LOCATION_POSITION) in vec3 position;
layout(location = ATTRIBUTE_LOCATION_NORMAL) in vec3 normal;
layout(location = ATTRIBUTE_LOCATION_TEXCOORD) in vec2 texcoord;
layout(location = ATTRIBUTE_LOCATION_COLOR) in vec4 color;

layout(location = UNIFORM_VIEW_PROJECTION) uniform mat4 view_projection;

out vec3 world_position;
out vec3 world_normal;
out vec2 surface_texcoord;
out vec4 surface_color;

void main() {
	world_position = position;
	world_normal = normal;
	surface_texcoord = texcoord;
	surface_color = color;
	gl_PointSize = 3.0;
	gl_Position = view_projection * vec4(position, 1.0);
}
