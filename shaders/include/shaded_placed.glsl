// Skinned vertices of a figure -> where fragments are seen from, in the axes of the light from all
// around, and clip space. Behind bindings.glsl and variant.glsl.

layout(location = ATTRIBUTE_LOCATION_TEXCOORD) in vec2 texcoord;
layout(location = ATTRIBUTE_LOCATION_TEXCOORD_SECOND) in vec2 second_texcoord;
layout(location = ATTRIBUTE_LOCATION_COLOR) in vec4 color;
// Rows: where the figure stands, and how its normals go along (up to a factor).
layout(location = ATTRIBUTE_LOCATION_PLACEMENT) in mat3x4 placement;
layout(location = ATTRIBUTE_LOCATION_NORMAL_MAP) in mat3x4 normal_map;

layout(location = UNIFORM_VIEW_PROJECTION) uniform mat4 view_projection;
// w is 1; or 0 where lines of sight are parallel: then xyz is the direction towards the viewer.
layout(location = UNIFORM_EYE) uniform vec4 eye;
// From the world's axes to those of the light.
layout(location = UNIFORM_TURN) uniform mat3 turn;

out vec3 to_eye;
// To where lights are counted from: the eye's place, or the world's origin if it has none.
out vec3 to_origin;
out vec3 surface_normal;
out vec2 surface_texcoord;
out vec2 surface_second_texcoord;
out vec4 surface_color;
// The axes of normal maps, unit: along u, and against v.
out vec3 surface_tangent;
out vec3 surface_bitangent;

// Squared length below which a normal has vanished: its surface was flattened to a line.
const float VANISHED = 1e-20;

vec3 unit_or_none(vec3 v) {
	return v * inversesqrt(max(dot(v, v), VANISHED));
}

// Behind put(). A surface that is mirrored has its normal inwards here, and so the bitangent stays
// with the texture. Source: glTF 2.0, 3.7.2.1.
void put_tangent(vec4 tangent) {
	surface_tangent = unit_or_none(turn * (vec4(tangent.xyz, 0.0) * placement));
	surface_bitangent = tangent.w * unit_or_none(cross(surface_normal, surface_tangent));
}

vec3 world_of(vec3 position) {
	return vec4(position, 1.0) * placement;
}

vec3 normal_in_world(vec3 normal) {
	vec3 mapped = vec4(normal, 0.0) * normal_map;
	return dot(mapped, mapped) > VANISHED ? mapped : normal;
}

void put_at(vec3 world, vec3 normal) {
	to_eye = turn * (eye.xyz - eye.w * world);
	to_origin = turn * (eye.w * eye.xyz - world);
	surface_normal = turn * normal_in_world(normal);
	surface_texcoord = texcoord;
	surface_second_texcoord = second_texcoord;
	surface_color = color;
	gl_PointSize = 3.0;
	gl_Position = view_projection * vec4(world, 1.0);
}

void put(vec3 position, vec3 normal) {
	put_at(world_of(position), normal);
}
