// MToon: light that falls off in a step, a rim, a picture of a sphere that is added. Behind shaded.glsl.
// Source: VRMC_materials_mtoon-1.0, github.com/vrm-c/vrm-specification.

#define TOON_TEXTURE(map) look_up(TEXTURE(map), map)

// An outline shows the insides of its surface, which is lit as if they were its outside.
vec3 toon_normal() {
	vec3 n = does(SHADED_OUTLINE) ? outward * normalize(surface_normal) : normal_of_surface();
	if (has(MAP_NORMAL)) {
		vec2 place = place_of(MAP_NORMAL);
		n = bent_normal(n, place, texture(TEXTURE(MAP_NORMAL), place).xyz, material[2].y);
	}
	return n;
}

// Light from all around, the same from all sides as far as the material wants it.
vec3 toon_light_around(vec3 n) {
	const vec3 UP = vec3(0.0, 1.0, 0.0);
	vec3 equal = (irradiance_at(UP) + irradiance_at(-UP)) * 0.5;
	return mix(irradiance_at(n), equal, toon[3].z);
}

vec3 toon_matcap(vec3 n, vec3 v) {
	// Level, and at right angles to the view: there is none for a view straight up or down.
	vec3 level = vec3(v.z, 0.0, -v.x);
	float square = dot(level, level);
	vec3 x = square > 1e-12 ? level * inversesqrt(square) : vec3(1.0, 0.0, 0.0);
	vec3 y = cross(v, x);
	vec2 place = 0.5 + 0.495 * vec2(dot(x, n), -dot(y, n));
	return toon[1].rgb * texture(TEXTURE(MAP_MATCAP), moved(MAP_MATCAP, place)).rgb;
}

vec3 toon_rim(vec3 n, vec3 v) {
	float edge = clamp(1.0 - dot(n, v) + toon[3].x, 0.0, 1.0);
	vec3 rim = toon[2].rgb * pow(edge, toon[2].w);
	if (has(MAP_MATCAP)) {
		rim += toon_matcap(n, v);
	}
	return has(MAP_RIM_MULTIPLY) ? rim * TOON_TEXTURE(MAP_RIM_MULTIPLY).rgb : rim;
}

vec3 toon_shade() {
	return has(MAP_SHADE_MULTIPLY) ? toon[0].rgb * TOON_TEXTURE(MAP_SHADE_MULTIPLY).rgb
				       : toon[0].rgb;
}

float toon_shift() {
	return has(MAP_SHADING_SHIFT)
		? toon[0].w + TOON_TEXTURE(MAP_SHADING_SHIFT).r * toon[5].x
		: toon[0].w;
}

// The visible colour of a base colour in the screen's encoding.
vec3 toon_shaded(vec3 base) {
	vec3 n = toon_normal(), v = normalize(to_eye);
	vec3 shade = toon_shade(), sum = vec3(0.0), light = vec3(0.0);
	float shift = toon_shift();
	if (does(SHADED_ENVIRONMENT)) {
		light = toon_light_around(n);
		sum = light * base;
	}
	float seen = does(SHADED_CAST) ? key_seen(to_origin, n, n).mean : 1.0;
	for (int i = 0; does(SHADED_LIT) && i < light_count; i++) {
		vec3 l, strength = arriving(lights[i], l) / PI;
		float lit = clamp((dot(n, l) + shift + toon[1].w) * toon[3].w, 0.0, 1.0);
		if (does(SHADED_CAST) && i == int(key_numbers.w)) {
			lit *= seen;
		}
		sum += strength * mix(shade, base, lit);
		light += strength;
	}
	sum += toon_rim(n, v) * mix(vec3(1.0), light, toon[3].y) + emission_of_material();
	if (does(SHADED_OUTLINE)) {
		sum = toon[4].rgb * mix(vec3(1.0), sum, toon[4].w);
	}
	return tone_mapped(sum * exposure);
}
