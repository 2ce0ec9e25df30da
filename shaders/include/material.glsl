// The values of a material's numbers and textures at a fragment. Behind bindings.glsl and
// variant.glsl. Source: glTF 2.0, 3.9, and the KHR_materials_* of Khronos' registry.

in vec3 to_eye;
in vec3 to_origin;
in vec3 surface_normal;
in vec2 surface_texcoord;
in vec2 surface_second_texcoord;
in vec4 surface_color;
in vec3 surface_tangent;
in vec3 surface_bitangent;

// Colour with alpha; emission and metallic; roughness, scale of normals, strength of occlusion, alpha
// that is a hole; reflection from the front and at grazing angles; clearcoat, its roughness and scale
// of normals, transmission; sheen and its roughness; the least alpha that is drawn.
layout(location = UNIFORM_MATERIAL) uniform vec4 material[7];
// -1 where the pose mirrors the surface: its normals follow the winding and point inwards then.
layout(location = UNIFORM_OUTWARD) uniform float outward;

#include "map_places.glsl"

vec2 place_of(int map) {
	return map_place(map, surface_texcoord, surface_second_texcoord);
}

vec4 look_up(sampler2D map, int which) {
	return texture(map, place_of(which));
}

// The base colour with its alpha; ends the fragment where there is a hole.
vec4 base_of_material() {
	vec4 base = material[0];
	if (does(SHADED_COLORS)) {
		base *= surface_color;
	}
	if (has(MAP_BASE_COLOR)) {
		base *= look_up(textures[MAP_BASE_COLOR], MAP_BASE_COLOR);
	}
	if (does(SHADED_CUT) && base.a < material[2].w) {
		discard;
	}
	base.a = max(base.a, material[6].x);
	return base;
}

// Metallic and roughness.
vec2 metal_of_material() {
	vec2 metal = vec2(material[1].w, material[2].x);
	if (has(MAP_METALLIC_ROUGHNESS)) {
		metal *= look_up(textures[MAP_METALLIC_ROUGHNESS], MAP_METALLIC_ROUGHNESS).bg;
	}
	return clamp(metal, 0.0, 1.0);
}

vec3 emission_of_material() {
	vec3 emission = material[1].rgb;
	if (has(MAP_EMISSIVE)) {
		emission *= look_up(textures[MAP_EMISSIVE], MAP_EMISSIVE).rgb;
	}
	return emission;
}

// Light from all around that reaches the surface.
float occlusion_of_material() {
	return has(MAP_OCCLUSION)
		? 1.0 + material[2].z *
			(look_up(textures[MAP_OCCLUSION], MAP_OCCLUSION).r - 1.0)
		: 1.0;
}

// The reflection of what is no metal, seen from the front; w at grazing angles.
vec4 reflection_of_material() {
	vec4 reflection = material[3];
	if (has(MAP_SPECULAR_COLOR)) {
		reflection.rgb *= look_up(textures[MAP_SPECULAR_COLOR], MAP_SPECULAR_COLOR).rgb;
	}
	reflection.rgb = min(reflection.rgb, 1.0) * reflection.w;
	if (has(MAP_SPECULAR)) {
		reflection *= look_up(textures[MAP_SPECULAR], MAP_SPECULAR).a;
	}
	return reflection;
}

// Its factor and its roughness.
vec2 clearcoat_of_material() {
	vec2 coat = material[4].xy;
	if (has(MAP_CLEARCOAT)) {
		coat.x *= look_up(textures[MAP_CLEARCOAT], MAP_CLEARCOAT).r;
	}
	if (has(MAP_CLEARCOAT_ROUGHNESS)) {
		coat.y *= look_up(textures[MAP_CLEARCOAT_ROUGHNESS], MAP_CLEARCOAT_ROUGHNESS).g;
	}
	return coat;
}

// Colour, and roughness.
vec4 sheen_of_material() {
	vec4 sheen = material[5];
	if (has(MAP_SHEEN_COLOR)) {
		sheen.rgb *= look_up(textures[MAP_SHEEN_COLOR], MAP_SHEEN_COLOR).rgb;
	}
	if (has(MAP_SHEEN_ROUGHNESS)) {
		sheen.a *= look_up(textures[MAP_SHEEN_ROUGHNESS], MAP_SHEEN_ROUGHNESS).a;
	}
	return sheen;
}

float transmission_of_material() {
	float share = material[4].w;
	if (has(MAP_TRANSMISSION)) {
		share *= look_up(textures[MAP_TRANSMISSION], MAP_TRANSMISSION).r;
	}
	return share;
}

// Towards the viewer's side: the back of a double-sided surface is lit as if it were its front.
vec3 normal_of_surface() {
	vec3 n = outward * normalize(surface_normal);
	return gl_FrontFacing ? n : -n;
}

// A normal out of a texture, by axes that come from how the texture lies on the screen.
// Source: Schueler. Normal Mapping without Precomputed Tangents. ShaderX 5, 2006.
vec3 bent_on_screen(vec3 n, vec2 place, vec3 bend) {
	// Both grow against the way that the surface goes, which turns round twice and is no matter.
	vec3 across = dFdx(to_origin), down = dFdy(to_origin);
	vec2 place_across = dFdx(place), place_down = dFdy(place);
	vec3 down_side = cross(n, down), across_side = cross(across, n);
	// Pictures may be drawn upside down.
	float side = sign(dot(n, cross(across, down)));
	// Along u, and against v, which grows downwards.
	vec3 tangent = side * (down_side * place_across.x + across_side * place_down.x);
	vec3 bitangent = -side * (down_side * place_across.y + across_side * place_down.y);
	float longest = max(dot(tangent, tangent), dot(bitangent, bitangent));
	// Without texture coordinates there is no side to bend to.
	float unit = longest > 0.0 ? inversesqrt(longest) : 0.0;
	return normalize(tangent * (bend.x * unit) + bitangent * (bend.y * unit) + n * bend.z);
}

vec3 bent_by_tangents(vec3 n, vec3 bend) {
	// Between vertices whose axes are opposite they vanish.
	const float LEAST_SQUARE = 1e-12;
	vec3 tangent = surface_tangent, bitangent = surface_bitangent;
	tangent *= inversesqrt(max(dot(tangent, tangent), LEAST_SQUARE));
	bitangent *= inversesqrt(max(dot(bitangent, bitangent), LEAST_SQUARE));
	return normalize(tangent * bend.x + bitangent * bend.y + n * bend.z);
}

// A normal out of a texture; n as normal_of_surface() has it. Source: glTF 2.0, 3.9.3.
vec3 bent_normal(vec3 n, vec2 place, vec3 told, float scale) {
	// The back has the front's normals turned round: what rises there falls here.
	float along = gl_FrontFacing ? scale : -scale;
	vec3 bend = (told * 2.0 - 1.0) * vec3(along, along, 1.0);
	return does(SHADED_TANGENTS) ? bent_by_tangents(n, bend) : bent_on_screen(n, place, bend);
}
