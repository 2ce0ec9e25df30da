// A material of glTF under light from all around and from single lights, in linear light.
// Sources: glTF 2.0, Appendix B; KHR_lights_punctual and the KHR_materials_* of Khronos' registry;
// Karis. Real Shading in Unreal Engine 4. SIGGRAPH 2013 (light from all around); Fdez-Aguera. A
// Multiple-Scattering Microfacet Model for Real-Time Image Based Lighting. JCGT 2019; Turquin.
// Practical Multiple Scattering Compensation for Microfacet Models. 2019 (single lights); Lagarde, de
// Rousiers. Moving Frostbite to Physically Based Rendering. SIGGRAPH 2014 (main_direction).
#include "bindings.glsl"
#include "variant.glsl"
#include "environment.glsl"
#include "material.glsl"

// The factor of light before tone mapping.
layout(location = UNIFORM_EXPOSURE) uniform float exposure;
layout(location = UNIFORM_LIGHT_COUNT) uniform int light_count;
layout(binding = TEXTURE_UNIT_LIGHT) uniform highp sampler3D light_around;
layout(binding = TEXTURE_UNIT_REFLECTION) uniform highp sampler2D reflection_table;
layout(std140, binding = BLOCK_IRRADIANCE) uniform Irradiance {
	vec4 irradiance[9];
};

// From the origin that to_origin goes to; w of direction is the cosine's factor, w of colour its
// term: of no cone they are 0 and 1.
struct Light {
	vec4 place;     // w = 0: xyz is the direction towards it
	vec4 direction; // where it shines
	vec4 color;
	vec4 range; // x: one over it, to the fourth power; 0 = it has none
};
layout(std140, binding = BLOCK_LIGHTS) uniform Lights {
	Light lights[SHADED_LIGHTS_MAX];
};

const float PI = 3.14159265358979;
// Below it a light of no size would be seen nowhere.
const float LEAST_ROUGHNESS = 0.05;

#include "ggx.glsl"
#include "film.glsl"
#include "key.glsl"
#include "tone.glsl"

// A fragment on its way to light.
struct Surface {
	vec3 color;      // of what is no metal, for light that goes in and comes out again
	vec3 front, edge; // reflection, seen from the front and at grazing angles
	vec3 dielectric_front;
	float dielectric_edge;
	float roughness;
	vec3 normal, eye;
	float normal_eye;
	vec3 table; // table_at()
	vec2 coat; // how much of it, and its roughness
	vec3 coat_normal;
	float coat_eye;
	vec4 sheen; // colour and roughness
	float thickness;
	float anisotropy;
	vec3 along, across; // unit: the way in which facets are rougher, and the other
};

// Light that goes back, apart from what lies above it.
struct Reflected {
	vec3 base, coat;
};

float greatest(vec3 v) {
	return max(v.r, max(v.g, v.b));
}

// The share of light from all directions that is reflected; see environment.comp.
vec3 table_at(float normal_eye, float roughness) {
	vec2 place = vec2(sqrt(normal_eye), roughness);
	// From the middle of the first entry to that of the last.
	const float SIZE = float(REFLECTION_SIZE);
	return textureLod(reflection_table, place * ((SIZE - 1.0) / SIZE) + 0.5 / SIZE, 0.0).xyz;
}

// A film changes what is reflected from the front.
void add_film(inout Surface s, vec3 base, float metal) {
	vec2 film = iridescence_of_material();
	float share = film.y > 0.0 ? film.x : 0.0, cosine = s.normal_eye;
	vec3 dielectric = film_front(
		cosine, film_reflection(cosine, material[7].y, film.y, s.dielectric_front));
	vec3 metallic =
		film_front(cosine, film_reflection(cosine, material[7].y, film.y, base));
	s.dielectric_front = mix(s.dielectric_front, dielectric, share);
	s.front = mix(s.dielectric_front, mix(base, metallic, share), metal);
}

// n: the surface's, not bent.
void add_anisotropy(inout Surface s, vec3 n) {
	vec3 stretched = anisotropy_of_material();
	s.anisotropy = clamp(stretched.x, 0.0, 1.0);
	s.along = stretched_along(n, stretched.yz);
	s.across = cross(n, s.along);
}

Surface surface_of(vec4 base) {
	Surface s;
	vec2 metal = metal_of_material();
	vec4 reflection = reflection_of_material();
	s.color = base.rgb * (1.0 - metal.x);
	s.dielectric_front = reflection.rgb;
	s.dielectric_edge = reflection.w;
	s.front = mix(reflection.rgb, base.rgb, metal.x);
	s.edge = vec3(mix(reflection.w, 1.0, metal.x));
	s.roughness = metal.y;
	vec3 n = normal_of_surface();
	s.normal = s.coat_normal = n;
	if (has(MAP_NORMAL)) {
		vec2 place = place_of(MAP_NORMAL);
		s.normal = bent_normal(
			n, place, texture(TEXTURE(MAP_NORMAL), place).xyz, material[2].y);
	}
	s.eye = normalize(to_eye);
	s.normal_eye = clamp(dot(s.normal, s.eye), 1e-3, 1.0);
	s.table = table_at(s.normal_eye, s.roughness);
	if (does(SHADED_CLEARCOAT)) {
		s.coat = clearcoat_of_material();
		if (has(MAP_CLEARCOAT_NORMAL)) {
			vec2 place = place_of(MAP_CLEARCOAT_NORMAL);
			s.coat_normal = bent_normal(n, place,
				texture(TEXTURE(MAP_CLEARCOAT_NORMAL), place).xyz, material[4].z);
		}
		s.coat_eye = clamp(dot(s.coat_normal, s.eye), 1e-3, 1.0);
	}
	s.thickness = does(SHADED_VOLUME) ? thickness_of_material() : 0.0;
	s.sheen = does(SHADED_SHEEN) ? sheen_of_material() : vec4(0.0);
	if (does(SHADED_IRIDESCENCE)) {
		add_film(s, base.rgb, metal.x);
	}
	if (does(SHADED_ANISOTROPY)) {
		add_anisotropy(s, n);
	}
	return s;
}

vec3 light_from(vec3 direction, float roughness) {
	return textureLod(light_around, place_of_light(direction, roughness), 0.0).rgb;
}

// The same without the part of the key that is hidden.
vec3 light_seen(vec3 direction, float roughness, KeySeen key) {
	vec4 light = textureLod(light_around, place_of_light(direction, roughness), 0.0);
	return does(SHADED_CAST) ? light.rgb - key_color.rgb * (light.a * (1.0 - key.share))
				 : light.rgb;
}

// w: of the key alone, as radiance 1 all over it.
vec4 harmonics_at(vec3 n) {
	return irradiance[0] + irradiance[1] * n.y + irradiance[2] * n.z + irradiance[3] * n.x +
		irradiance[4] * (n.x * n.y) + irradiance[5] * (n.y * n.z) +
		irradiance[6] * (3.0 * n.z * n.z - 1.0) + irradiance[7] * (n.x * n.z) +
		irradiance[8] * (n.x * n.x - n.y * n.y);
}

vec3 irradiance_at(vec3 n) {
	return harmonics_at(n).rgb;
}

// The same with that part of the key that is seen.
vec3 irradiance_seen(vec3 n, KeySeen key) {
	vec4 all = harmonics_at(n);
	return does(SHADED_CAST) ? max(all.rgb - key_color.rgb * (all.w - key.light), 0.0) : all.rgb;
}

// Where most of the light comes from that facets send to the eye: the rougher, the nearer to the
// normal.
vec3 main_direction(vec3 eye, vec3 n, float roughness) {
	return mix(reflect(-eye, n), n, square_of(square_of(roughness)));
}

// The share of light that facets reflect to one another before it leaves, where once is the share
// that they reflect to the eye directly.
vec3 reflected_often(vec3 once, vec3 front, vec3 edge, float lost) {
	vec3 mean = mix(front, edge, 1.0 / 21.0);
	return once * mean * (lost / (1.0 - mean * lost));
}

// The share of light from all around that goes into what is no metal.
float goes_in_from_around(Surface s, float lost) {
	vec3 front = vec3(greatest(s.dielectric_front)), edge = vec3(s.dielectric_edge);
	vec3 once = front * s.table.x + edge * s.table.y;
	return 1.0 - (once + reflected_often(once, front, edge, lost)).r;
}

// The normal that light from all around is mirrored at: bent to the way in which facets are stretched.
// Source: KHR_materials_anisotropy.
vec3 mirror_normal(Surface s) {
	if (!does(SHADED_ANISOTROPY)) {
		return s.normal;
	}
	vec3 bent = normalize(cross(cross(s.across, s.eye), s.across));
	float share = square_of(square_of(1.0 - s.anisotropy * (1.0 - s.roughness)));
	return normalize(mix(bent, s.normal, share));
}

Reflected reflected_environment(Surface s, float transmission, KeySeen key) {
	// Even perfect mirrors send this share to other facets.
	float lost = 1.0 - (s.table.x + s.table.y);
	float occlusion = occlusion_of_material();
	vec3 around = irradiance_seen(s.normal, key);
	vec3 mirrored =
		light_seen(main_direction(s.eye, mirror_normal(s), s.roughness), s.roughness, key);
	float goes_in = goes_in_from_around(s, lost);
	vec3 once = s.front * s.table.x + s.edge * s.table.y;
	vec3 inside = s.color * (goes_in * (1.0 - transmission));
	Reflected r;
	// Occluded surfaces reflect less light, too.
	float share = 1.0;
	if (has(MAP_OCCLUSION)) {
		float seen = pow(s.normal_eye + occlusion, exp2(-16.0 * s.roughness - 1.0));
		share = clamp(seen - 1.0 + occlusion, 0.0, 1.0);
	}
	r.base = inside * around * occlusion +
		(mirrored * once + around * reflected_often(once, s.front, s.edge, lost)) * share;
	if (does(SHADED_SHEEN)) {
		float own = table_at(s.normal_eye, s.sheen.a).z;
		r.base = r.base * (1.0 - greatest(s.sheen.rgb) * own) +
			s.sheen.rgb * (own * occlusion) * around;
	}
	r.coat = vec3(0.0);
	if (does(SHADED_CLEARCOAT)) {
		vec3 coat = table_at(s.coat_eye, s.coat.y);
		r.coat = (0.04 * coat.x + coat.y) *
			light_seen(main_direction(s.eye, s.coat_normal, s.coat.y), s.coat.y, key);
	}
	return r;
}

// The light that a lobe of facets sends to the eye, without its colour; its cosine included.
float lobe(vec3 n, float normal_eye, vec3 l, vec3 h, float roughness) {
	float alpha = square_of(max(roughness, LEAST_ROUGHNESS));
	float normal_light = max(dot(n, l), 0.0);
	return normal_light * ggx_distribution(alpha * alpha, max(dot(n, h), 0.0)) *
		ggx_visibility(alpha * alpha, normal_light, normal_eye);
}

// The same of facets that are stretched. Source: KHR_materials_anisotropy.
float stretched_lobe(Surface s, vec3 l, vec3 h) {
	float across = square_of(max(s.roughness, LEAST_ROUGHNESS));
	float along = mix(across, 1.0, square_of(s.anisotropy)), area = along * across;
	float normal_light = max(dot(s.normal, l), 0.0);
	vec3 f = vec3(across * dot(s.along, h), along * dot(s.across, h),
		area * max(dot(s.normal, h), 0.0));
	float facets = area * square_of(area / max(dot(f, f), 1e-20)) / PI;
	vec3 to_eye = vec3(along * dot(s.along, s.eye), across * dot(s.across, s.eye), s.normal_eye);
	vec3 to_light = vec3(along * dot(s.along, l), across * dot(s.across, l), normal_light);
	float both = normal_light * length(to_eye) + s.normal_eye * length(to_light);
	return normal_light * facets * 0.5 / max(both, 1e-7);
}

// A sheen's, by the distribution of its fibres.
float sheen_lobe(Surface s, float normal_light, vec3 h) {
	float inverse = 1.0 / max(square_of(s.sheen.a), 1e-3);
	float cosine = dot(s.normal, h);
	float fibres =
		(2.0 + inverse) * pow(max(1.0 - cosine * cosine, 1e-4), inverse * 0.5) / (2.0 * PI);
	return fibres * normal_light /
		(4.0 * max(normal_light + s.normal_eye - normal_light * s.normal_eye, 1e-4));
}

// A light of this strength, from that direction.
Reflected reflected_light(Surface s, vec3 l, vec3 strength, float transmission) {
	vec3 h = normalize(l + s.eye);
	float eye_half = dot(s.eye, h), more = grazing(eye_half);
	float normal_light = clamp(dot(s.normal, l), 0.0, 1.0);
	vec3 inside = s.color * ((1.0 - transmission) / PI) *
		(1.0 - greatest(mix(s.dielectric_front, vec3(s.dielectric_edge), more)));
	// With what facets reflect to one another.
	vec3 often = 1.0 + s.front * (1.0 / (s.table.x + s.table.y) - 1.0);
	float facets = does(SHADED_ANISOTROPY) ? stretched_lobe(s, l, h)
		: lobe(s.normal, s.normal_eye, l, h, s.roughness);
	Reflected r;
	r.base = strength * (inside * normal_light +
		often * mix(s.front, s.edge, more) * facets);
	if (does(SHADED_SHEEN)) {
		float taken = max(table_at(s.normal_eye, s.sheen.a).z,
			table_at(max(normal_light, 1e-3), s.sheen.a).z);
		r.base = r.base * (1.0 - greatest(s.sheen.rgb) * taken) +
			strength * s.sheen.rgb * sheen_lobe(s, normal_light, h);
	}
	r.coat = does(SHADED_CLEARCOAT)
		? strength * (mix(0.04, 1.0, more) * lobe(s.coat_normal, s.coat_eye, l, h, s.coat.y))
		: vec3(0.0);
	return r;
}

// The amount of a light that arrives, and its direction.
vec3 arriving(Light light, out vec3 l) {
	vec3 way = light.place.xyz + light.place.w * to_origin;
	float square = max(dot(way, way), 1e-12);
	l = way * inversesqrt(square);
	float cone = clamp(dot(light.direction.xyz, -l) * light.direction.w + light.color.w, 0.0, 1.0);
	float window = clamp(1.0 - square * square * light.range.x, 0.0, 1.0);
	return light.color.rgb * (cone * cone * (light.place.w > 0.0 ? window / square : 1.0));
}

#include "transmission.glsl"

// The visible colour of a base colour as the screen shows it. through is the share of the
// background that shows through.
vec3 shaded(vec4 base, out float through) {
	through = 0.0;
	if (does(SHADED_UNLIT)) {
		return base.rgb + (does(SHADED_EMISSIVE) ? emission_of_material() : vec3(0.0));
	}
	Surface s = surface_of(base);
	float transmission = does(SHADED_TRANSMISSION) ? transmission_of_material() : 0.0;
	Reflected sum = Reflected(vec3(0.0), vec3(0.0));
	KeySeen key = KeySeen(0.0, 1.0, 1.0);
	if (does(SHADED_CAST)) {
		key = key_seen(to_origin, s.normal, normal_of_surface());
	}
	if (does(SHADED_ENVIRONMENT)) {
		sum = reflected_environment(s, transmission, key);
	}
	for (int i = 0; does(SHADED_LIT) && i < light_count; i++) {
		vec3 l, strength = arriving(lights[i], l);
		if (does(SHADED_CAST) && i == int(key_numbers.w)) {
			strength *= key.mean;
		}
		Reflected one = reflected_light(s, l, strength, transmission);
		sum.base += one.base;
		sum.coat += one.coat;
	}
	sum.base += emission_of_material();
	if (does(SHADED_TRANSMISSION)) {
		through = add_transmission(s, transmission, sum.base);
	}
	if (does(SHADED_CLEARCOAT)) {
		float above = s.coat.x * mix(0.04, 1.0, grazing(s.coat_eye));
		sum.base = sum.base * (1.0 - above) + s.coat.x * sum.coat;
		through *= 1.0 - above;
	}
	return tone_mapped(sum.base * exposure);
}
