// The light that a vertex gives back, in front and at its back. Behind placed.glsl.
// Source: C6E5v_skin4m in Fernando, Kilgard. The Cg Tutorial. 2003, chapter 6.
#include "surface_uniforms.glsl"

// The light's place, w = 1, or w = 0 where it shines as the key light; ambient light; the light's
// colour; the specular colour with the exponent.
layout(location = UNIFORM_PAINT) uniform vec4 paint[4];
// 1 where the primitive emits light of its own.
layout(location = UNIFORM_PAINT_PRIMITIVE) uniform float of_primitive;

out vec3 front_light;
out vec3 back_light;

// Zero where v is.
vec3 unit(vec3 v) {
	vec3 sizes = abs(v);
	float greatest = max(sizes.x, max(sizes.y, sizes.z));
	return greatest > 0.0 ? normalize(v / greatest) : vec3(0.0);
}

// c = ke + ka la + kd ll max(n.l, 0) + ks ll [n.l > 0] max(n.h, 0)^s, with ka = kd.
vec3 light_on(vec3 n, vec3 l, vec3 h, vec3 base, vec3 emitted) {
	float cosine = dot(n, l);
	float half_cosine = max(dot(n, h), 0.0);
	float gloss = paint[3].w > 0.0 ? pow(half_cosine, paint[3].w) : 1.0;
	vec3 reflected = base * max(cosine, 0.0) + (cosine > 0.0 ? paint[3].rgb * gloss : vec3(0.0));
	return emitted + base * paint[1].rgb + paint[2].rgb * reflected;
}

void light_vertex() {
	vec3 base = base_color.rgb * color.rgb;
	vec3 emitted = emissive * of_primitive;
	front_light = back_light = base + emitted;
	if (lit > 0.0) {
		vec3 n = outward * normalize(world_normal);
		vec3 l = paint[0].w > 0.0 ? unit(paint[0].xyz - world_position) : key_direction;
		vec3 h = unit(l + unit(eye.xyz - eye.w * world_position));
		front_light = light_on(n, l, h, base, emitted);
		back_light = light_on(-n, l, h, base, emitted);
	}
}
