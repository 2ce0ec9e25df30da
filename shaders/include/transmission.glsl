// Light that comes through a surface from what lies behind it: bent, blurred, tinted. Behind
// shaded.glsl's light_from().
// Sources: KHR_materials_transmission, KHR_materials_volume and KHR_materials_dispersion of Khronos'
// registry; levels of the picture by roughness as Khronos' viewer has them; Sigg, Hadwiger. Fast
// Third-Order Texture Filtering. GPU Gems 2, 2005 (B-splines of four bilinear fetches).

// The picture's opaque surfaces and background, in linear light before tone mapping.
layout(binding = TEXTURE_UNIT_BEHIND) uniform highp sampler2D behind;
layout(location = UNIFORM_VIEW_PROJECTION) uniform highp mat4 view_projection;
layout(location = UNIFORM_EYE) uniform highp vec4 eye;
layout(location = UNIFORM_TURN) uniform highp mat3 turn;

// The way of light through what lies behind the surface.
vec3 refracted(Surface s, float index) {
	float eta = 1.0 / index, cosine = dot(s.normal, s.eye);
	float down = sqrt(max(1.0 - eta * eta * (1.0 - cosine * cosine), 0.0)) - eta * cosine;
	return -s.thickness * normalize(s.eye * eta + s.normal * down);
}

// A cubic B-spline of a level.
vec4 level_at(vec2 place, int level) {
	vec2 size = vec2(textureSize(behind, level));
	vec2 along = place * size - 0.5, whole = floor(along), a = along - whole, b = 1.0 - a;
	vec2 first = b * b * b / 6.0, second = (4.0 - 3.0 * a * a * (2.0 - a)) / 6.0;
	vec2 third = (4.0 - 3.0 * b * b * (2.0 - b)) / 6.0, last = a * a * a / 6.0;
	vec2 low = first + second, high = third + last;
	vec2 from = (whole - 0.5 + second / low) / size, to = (whole + 1.5 + last / high) / size;
	float l = float(level);
	return low.y * (low.x * textureLod(behind, from, l) +
			high.x * textureLod(behind, vec2(to.x, from.y), l)) +
		high.y * (low.x * textureLod(behind, vec2(from.x, to.y), l) +
			high.x * textureLod(behind, to, l));
}

// What the picture shows in the direction of a ray behind the fragment.
vec4 behind_at(vec3 ray, float roughness, float index) {
	vec3 world = eye.w * eye.xyz + (ray - to_origin) * turn;
	vec4 clip = view_projection * vec4(world, 1.0);
	vec2 place = clamp(clip.xy * (0.5 / max(clip.w, 1e-6)) + 0.5, 0.0, 1.0);
	ivec2 size = textureSize(behind, 0);
	float last = floor(log2(float(max(size.x, size.y))) + 0.001);
	float level = min(log2(float(size.x)) * roughness * clamp(index * 2.0 - 2.0, 0.0, 1.0), last);
	int first = int(level);
	vec4 seen = level_at(place, first);
	float share = level - float(first);
	return share > 0.0 ? mix(seen, level_at(place, first + 1), share) : seen;
}

// The light from behind, and what the surface leaves of each colour.
vec4 seen_through(Surface s, out vec3 left) {
	float index = max(material[8].y, 1.0);
	vec3 ray = vec3(0.0);
	left = s.color;
	if (does(SHADED_VOLUME)) {
		ray = refracted(s, index);
		left *= pow(max(material[9].rgb, 1e-6), vec3(s.thickness * material[9].w));
	}
	vec4 seen = behind_at(ray, s.roughness, index);
	if (does(SHADED_DISPERSION)) {
		float spread = (index - 1.0) * 0.025 * material[8].z, least = max(index - spread, 1.0);
		vec4 red = behind_at(refracted(s, least), s.roughness, least);
		vec4 blue = behind_at(refracted(s, index + spread), s.roughness, index + spread);
		seen = vec4(red.r, seen.g, blue.b, (red.a + seen.a + blue.a) / 3.0);
	}
	return seen;
}

// Adds light from behind; returns the share of a background that shows through where the picture has
// nothing.
float add_transmission(Surface s, float transmission, inout vec3 base) {
	float share = transmission * goes_in_from_around(s, 1.0 - (s.table.x + s.table.y));
	vec3 left;
	vec4 seen = seen_through(s, left);
	// The copy has the exposure.
	base += share * left * seen.rgb / exposure;
	float nothing = share * (1.0 - seen.a);
	float least = min(left.r, min(left.g, left.b)) * (1.0 - s.roughness);
	if (does(SHADED_ENVIRONMENT)) {
		// That part of the colour that no background can give.
		base += nothing * (left - least) * light_from(-s.eye, s.roughness);
	}
	return nothing * least;
}
