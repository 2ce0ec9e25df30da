// Vertices of a surface -> those of its outline, which lies farther out. Behind shaded_placed.glsl.
// Source: VRMC_materials_mtoon-1.0, github.com/vrm-c/vrm-specification.
#include "map_places.glsl"

layout(location = UNIFORM_OUTWARD) uniform float outward;
// Of a width on the screen, beside w.
layout(location = UNIFORM_OUTLINE_SCALE) uniform float outline_scale;

void put_outline(vec3 position, vec3 normal) {
	vec3 world = world_of(position);
	float width = toon[5].y;
	if (has(MAP_OUTLINE_WIDTH)) {
		vec2 place = map_place(MAP_OUTLINE_WIDTH, texcoord, second_texcoord);
		width *= textureLod(TEXTURE(MAP_OUTLINE_WIDTH), place, 0.0).g;
	}
	if (toon[5].z > 0.0) {
		width *= (view_projection * vec4(world, 1.0)).w * outline_scale;
	}
	put_at(world + unit_or_none(normal_in_world(normal)) * (outward * width), normal);
}
