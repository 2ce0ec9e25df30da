// Skinned vertices of a figure -> the world, and clip space. Behind bindings.glsl.

layout(location = ATTRIBUTE_LOCATION_TEXCOORD) in vec2 texcoord;
layout(location = ATTRIBUTE_LOCATION_COLOR) in vec4 color;
// Rows: where the figure stands, and how its normals go along (up to a factor).
layout(location = ATTRIBUTE_LOCATION_PLACEMENT) in mat3x4 placement;
layout(location = ATTRIBUTE_LOCATION_NORMAL_MAP) in mat3x4 normal_map;

layout(location = UNIFORM_VIEW_PROJECTION) uniform mat4 view_projection;

out vec3 world_position;
out vec3 world_normal;
out vec2 surface_texcoord;
out vec4 surface_color;

// Squared length below which a normal has vanished: its surface was flattened to a line.
const float VANISHED = 1e-20;

void put(vec3 position, vec3 normal) {
	vec3 mapped = vec4(normal, 0.0) * normal_map;
	world_position = vec4(position, 1.0) * placement;
	world_normal = dot(mapped, mapped) > VANISHED ? mapped : normal;
	surface_texcoord = texcoord;
	surface_color = color;
	gl_PointSize = 3.0;
	gl_Position = view_projection * vec4(world_position, 1.0);
}
