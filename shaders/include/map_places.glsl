// Where a material's textures are looked up. Behind bindings.glsl and variant.glsl.

// The place of a texture among those that the material has: a unit is only taken by these. That of one
// that it has not is never looked at, and lies among them.
#define SLOTS max(bitCount(MAPS), 1)
#define SLOT(map) min(bitCount(MAPS & ((1 << (map)) - 1)), SLOTS - 1)
#define TEXTURE(map) textures[SLOT(map)]

// Rows that place each texture.
layout(location = UNIFORM_MAPS) uniform mat2x3 maps[SLOTS];
layout(binding = TEXTURE_UNIT_MATERIAL) uniform sampler2D textures[SLOTS];
// Of MToon: shade and shift; matcap and half the ramp; rim and its power; its lift and share of light,
// equalisation, one over the ramp; outline and its share of light; scale of the texture of shifts, width
// of the outline and 1 if it is the screen's; shift and angle of animated texture coordinates.
layout(location = UNIFORM_TOON) uniform vec4 toon[7];

vec2 set_of(int map, vec2 first, vec2 second) {
	return (SECOND >> map & 1) != 0 ? second : first;
}

vec2 moved(int map, vec2 place) {
	return (MOVED >> map & 1) != 0 ? vec3(place, 1.0) * maps[SLOT(map)] : place;
}

// Turned and shifted by as much of the animation as the mask lets through.
vec2 animated(vec2 place, vec2 first, vec2 second) {
	const int MASK = MAP_UV_ANIMATION_MASK;
	vec2 at = moved(MASK, set_of(MASK, first, second));
	float share = texture(TEXTURE(MASK), at).b;
	float s = sin(toon[6].z * share), c = cos(toon[6].z * share);
	vec2 middle = place - 0.5;
	return vec2(c * middle.x + s * middle.y, c * middle.y - s * middle.x) + 0.5 +
		toon[6].xy * share;
}

vec2 map_place(int map, vec2 first, vec2 second) {
	vec2 place = set_of(map, first, second);
	if (does(SHADED_ANIMATED) && map != MAP_UV_ANIMATION_MASK) {
		place = animated(place, first, second);
	}
	return moved(map, place);
}
