// The part of the key light that a place sees: see renderer/draw/key_light.h. Behind bindings.glsl.

// A place on a map is (across, up, depth) / w of what goes to the origin, and 1.
struct KeyMap {
	vec4 across, up, depth, w;
	vec4 direction; // towards it; w: its share
};
layout(std140, binding = BLOCK_KEY) uniform Key {
	vec4 key_color;   // of the environment's key; w: irradiance by radiance
	vec4 key_numbers; // lift, and by w; texels of a map's side; index of the light, or -1
	vec4 key_ground;  // its share of the light there; 1 = by cosine
	KeyMap key_maps[KEY_MAPS];
};
layout(binding = TEXTURE_UNIT_KEY) uniform highp sampler2DArray key_depths;

// What the depths of a surface and of its map may differ by for their rounding.
const float KEY_ROUNDING = 2e-5;
// A sum of cosines below which a surface counts as turned away.
const float KEY_LEAST_SHARE = 1e-3;

struct KeySeen {
	float light; // by cosines: that radiance 1 would have a white surface give back
	float share; // of what its cosines would let through
	float mean;  // of all small lights
};

// 1 where a small light is seen, else 0. Around what casts maps are empty.
float key_visible(int i, vec3 to_origin) {
	KeyMap map = key_maps[i];
	vec4 at = vec4(to_origin, 1.0);
	float per_w = 1.0 / max(dot(map.w, at), 1e-30);
	float side = key_numbers.z;
	vec2 texel = clamp(vec2(dot(map.across, at), dot(map.up, at)) * (per_w * side), 0.0,
		side - 1.0);
	float depth = dot(map.depth, at) * per_w - KEY_ROUNDING;
	return min(depth, 1.0) <= texelFetch(key_depths, ivec3(ivec2(texel), i), 0).r ? 1.0 : 0.0;
}

// Of a surface with this normal, which lights count by, and that of its shape. All is in the axes
// of the light.
KeySeen key_seen(vec3 to_origin, vec3 n, vec3 shape) {
	// All maps of a light at a place are as far away.
	float w = max(dot(key_maps[0].w, vec4(to_origin, 1.0)), 0.0);
	vec3 at = to_origin - shape * (key_numbers.x + key_numbers.y * w);
	float seen = 0.0, all = 0.0, mean = 0.0;
	for (int i = 0; i < KEY_MAPS; i++) {
		vec4 direction = key_maps[i].direction;
		float visible = key_visible(i, at);
		float cosine = max(dot(direction.xyz, n), 0.0) * direction.w;
		seen += cosine * visible;
		all += cosine;
		mean += direction.w * visible;
	}
	return KeySeen(seen * key_color.w, seen / (all + KEY_LEAST_SHARE), mean);
}
