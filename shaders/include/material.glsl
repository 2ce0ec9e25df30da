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
// of normals, transmission; sheen and its roughness; the least alpha that is drawn, anisotropy with the
// cosine and sine of its rotation; iridescence, the film's index, least and greatest thickness in nm;
// thickness behind the surface, index, dispersion; the colour that light has there after a distance, and
// one over that.
layout(location = UNIFORM_MATERIAL) uniform vec4 material[10];
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
		base *= look_up(TEXTURE(MAP_BASE_COLOR), MAP_BASE_COLOR);
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
		metal *= look_up(TEXTURE(MAP_METALLIC_ROUGHNESS), MAP_METALLIC_ROUGHNESS).bg;
	}
	return clamp(metal, 0.0, 1.0);
}

vec3 emission_of_material() {
	vec3 emission = material[1].rgb;
	if (has(MAP_EMISSIVE)) {
		emission *= look_up(TEXTURE(MAP_EMISSIVE), MAP_EMISSIVE).rgb;
	}
	return emission;
}

// Light from all around that reaches the surface.
float occlusion_of_material() {
	return has(MAP_OCCLUSION)
		? 1.0 + material[2].z *
			(look_up(TEXTURE(MAP_OCCLUSION), MAP_OCCLUSION).r - 1.0)
		: 1.0;
}

// The reflection of what is no metal, seen from the front; w at grazing angles.
vec4 reflection_of_material() {
	vec4 reflection = material[3];
	if (has(MAP_SPECULAR_COLOR)) {
		reflection.rgb *= look_up(TEXTURE(MAP_SPECULAR_COLOR), MAP_SPECULAR_COLOR).rgb;
	}
	reflection.rgb = min(reflection.rgb, 1.0) * reflection.w;
	if (has(MAP_SPECULAR)) {
		reflection *= look_up(TEXTURE(MAP_SPECULAR), MAP_SPECULAR).a;
	}
	return reflection;
}

// Its factor and its roughness.
vec2 clearcoat_of_material() {
	vec2 coat = material[4].xy;
	if (has(MAP_CLEARCOAT)) {
		coat.x *= look_up(TEXTURE(MAP_CLEARCOAT), MAP_CLEARCOAT).r;
	}
	if (has(MAP_CLEARCOAT_ROUGHNESS)) {
		coat.y *= look_up(TEXTURE(MAP_CLEARCOAT_ROUGHNESS), MAP_CLEARCOAT_ROUGHNESS).g;
	}
	return coat;
}

// Colour, and roughness.
vec4 sheen_of_material() {
	vec4 sheen = material[5];
	if (has(MAP_SHEEN_COLOR)) {
		sheen.rgb *= look_up(TEXTURE(MAP_SHEEN_COLOR), MAP_SHEEN_COLOR).rgb;
	}
	if (has(MAP_SHEEN_ROUGHNESS)) {
		sheen.a *= look_up(TEXTURE(MAP_SHEEN_ROUGHNESS), MAP_SHEEN_ROUGHNESS).a;
	}
	return sheen;
}

float transmission_of_material() {
	float share = material[4].w;
	if (has(MAP_TRANSMISSION)) {
		share *= look_up(TEXTURE(MAP_TRANSMISSION), MAP_TRANSMISSION).r;
	}
	return share;
}

float thickness_of_material() {
	float thickness = material[8].x;
	if (has(MAP_THICKNESS)) {
		thickness *= look_up(TEXTURE(MAP_THICKNESS), MAP_THICKNESS).g;
	}
	return thickness;
}

// How much the reflection is stretched, and along which direction: by the tangent and the bitangent.
// Source: KHR_materials_anisotropy.
vec3 anisotropy_of_material() {
	vec3 stretched = material[6].yzw;
	if (has(MAP_ANISOTROPY)) {
		vec3 told = look_up(TEXTURE(MAP_ANISOTROPY), MAP_ANISOTROPY).rgb;
		vec2 along = told.rg * 2.0 - 1.0;
		float square = dot(along, along);
		along = square > 0.0 ? along * inversesqrt(square) : vec2(1.0, 0.0);
		stretched = vec3(stretched.x * told.b,
			stretched.y * along.x - stretched.z * along.y,
			stretched.z * along.x + stretched.y * along.y);
	}
	return stretched;
}

// Its share and the film's thickness in nanometres.
vec2 iridescence_of_material() {
	vec2 film = material[7].xw;
	if (has(MAP_IRIDESCENCE)) {
		film.x *= look_up(TEXTURE(MAP_IRIDESCENCE), MAP_IRIDESCENCE).r;
	}
	if (has(MAP_IRIDESCENCE_THICKNESS)) {
		film.y = mix(material[7].z, material[7].w,
			look_up(TEXTURE(MAP_IRIDESCENCE_THICKNESS), MAP_IRIDESCENCE_THICKNESS).g);
	}
	return film;
}

// Towards the viewer's side: the back of a double-sided surface is lit as if it were its front.
vec3 normal_of_surface() {
	vec3 n = outward * normalize(surface_normal);
	return gl_FrontFacing ? n : -n;
}

// The axes of textures, along u and against v, by how one lies on the screen; returns the factor that
// makes the longer of them unit.
// Source: Schueler. Normal Mapping without Precomputed Tangents. ShaderX 5, 2006.
float axes_on_screen(vec3 n, vec2 place, out vec3 tangent, out vec3 bitangent) {
	// Both grow against the way that the surface goes, which turns round twice and is no matter.
	vec3 across = dFdx(to_origin), down = dFdy(to_origin);
	vec2 place_across = dFdx(place), place_down = dFdy(place);
	vec3 down_side = cross(n, down), across_side = cross(across, n);
	// Pictures may be drawn upside down.
	float side = sign(dot(n, cross(across, down)));
	// Along u, and against v, which grows downwards.
	tangent = side * (down_side * place_across.x + across_side * place_down.x);
	bitangent = -side * (down_side * place_across.y + across_side * place_down.y);
	float longest = max(dot(tangent, tangent), dot(bitangent, bitangent));
	// Without texture coordinates there is no side to bend to.
	return longest > 0.0 ? inversesqrt(longest) : 0.0;
}

vec3 bent_on_screen(vec3 n, vec2 place, vec3 bend) {
	vec3 tangent, bitangent;
	float unit = axes_on_screen(n, place, tangent, bitangent);
	return normalize(tangent * (bend.x * unit) + bitangent * (bend.y * unit) + n * bend.z);
}

// The vertices' axes, unit.
void axes_of_tangents(out vec3 tangent, out vec3 bitangent) {
	// Between vertices whose axes are opposite they vanish.
	const float LEAST_SQUARE = 1e-12;
	tangent = surface_tangent;
	bitangent = surface_bitangent;
	tangent *= inversesqrt(max(dot(tangent, tangent), LEAST_SQUARE));
	bitangent *= inversesqrt(max(dot(bitangent, bitangent), LEAST_SQUARE));
}

vec3 bent_by_tangents(vec3 n, vec3 bend) {
	vec3 tangent, bitangent;
	axes_of_tangents(tangent, bitangent);
	return normalize(tangent * bend.x + bitangent * bend.y + n * bend.z);
}

// A normal out of a texture; n as normal_of_surface() has it. Source: glTF 2.0, 3.9.3.
vec3 bent_normal(vec3 n, vec2 place, vec3 told, float scale) {
	// The back has the front's normals turned round: what rises there falls here.
	float along = gl_FrontFacing ? scale : -scale;
	vec3 bend = (told * 2.0 - 1.0) * vec3(along, along, 1.0);
	return does(SHADED_TANGENTS) ? bent_by_tangents(n, bend) : bent_on_screen(n, place, bend);
}

// The direction along which reflection is stretched: at right angles to n as far as the axes are.
vec3 stretched_along(vec3 n, vec2 along) {
	vec3 tangent, bitangent;
	if (does(SHADED_TANGENTS)) {
		axes_of_tangents(tangent, bitangent);
	} else {
		float unit = axes_on_screen(n,
			has(MAP_NORMAL) ? place_of(MAP_NORMAL) : place_of(MAP_ANISOTROPY), tangent,
			bitangent);
		tangent *= unit;
		bitangent *= unit;
	}
	vec3 sum = tangent * along.x + bitangent * along.y;
	sum -= n * dot(n, sum);
	float square = dot(sum, sum);
	// Where no texture lies on the surface any direction does that stays with it.
	vec3 other = abs(n.y) < 0.9 ? vec3(n.z, 0.0, -n.x) : vec3(0.0, -n.z, n.y);
	return square > 1e-12 ? sum * inversesqrt(square) : normalize(other);
}
