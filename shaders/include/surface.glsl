// Base colour under a key light and a soft sky, in linear light. CUT, defined at compile time, tells
// that surfaces may have holes: without it a fragment's depth is known before its colour.
#include "bindings.glsl"
#include "surface_uniforms.glsl"

in vec3 world_position;
in vec3 world_normal;
in vec2 surface_texcoord;
in vec4 surface_color;

// Rows that place the base colour's texture.
layout(location = UNIFORM_BASE_COLOR_MAP) uniform mat2x3 base_color_map;
layout(binding = TEXTURE_UNIT_BASE_COLOR) uniform sampler2D base_color_texture;

const vec3 KEY = vec3(2.05, 1.97, 1.85);
const vec3 SKY = vec3(0.60, 0.66, 0.76);
const vec3 GROUND = vec3(0.30, 0.27, 0.25);
const float SHEEN = 0.05;
const float SHOULDER = 0.6;
const float LEAST_SQUARE = 1e-6;

// Squaring four times: a general power costs a logarithm and an exponential per pixel.
float power16(float x) {
	x *= x;
	x *= x;
	x *= x;
	return x * x;
}

// Bends light above SHOULDER so that it reaches 1 only at infinity, keeping hue and slope: white
// surfaces keep their shape under the key light.
vec3 below_one(vec3 light) {
	float peak = max(light.r, max(light.g, light.b));
	float room = 1.0 - SHOULDER;
	float bent = 1.0 - room * room / (max(peak - SHOULDER, 0.0) + room);
	return peak > SHOULDER ? light * (bent / peak) : light;
}

vec4 surface_texture() {
	return texture(base_color_texture, vec3(surface_texcoord, 1.0) * base_color_map);
}

// The base colour with its alpha; ends the fragment where there is a hole.
vec4 surface_base() {
	vec4 base = base_color * surface_color * surface_texture();
	if (CUT && base.a < alpha.x) {
		discard;
	}
	base.a = max(base.a, alpha.y);
	return base;
}

// The visible colour of a base colour.
vec3 surface_light(vec3 base) {
	vec3 n = outward * normalize(world_normal);
	// The back of a double-sided surface is lit as if it were its front.
	n = gl_FrontFacing ? n : -n;
	vec3 away = eye.xyz - eye.w * world_position;
	float per_length = inversesqrt(dot(away, away));
	float to_key = dot(n, key_direction);
	float to_eye = dot(n, away) * per_length;

	vec3 sky = mix(GROUND, SKY, 0.5 + 0.5 * n.y);
	float key = max(to_key, 0.0);
	// The square of the cosine to the direction half way between key and eye. Two opposite
	// directions have none between them.
	float between = max(to_key + to_eye, 0.0);
	float square = 2.0 + 2.0 * dot(key_direction, away) * per_length;
	float gloss = power16(between * between / max(square, LEAST_SQUARE)) * key;
	float rim = 1.0 - max(to_eye, 0.0);
	rim *= rim;
	rim *= rim;
	vec3 light = base * (sky + KEY * key * 0.42) + SHEEN * (gloss * 2.0 + rim * sky);
	return mix(base + emissive, below_one(light + emissive), lit);
}
