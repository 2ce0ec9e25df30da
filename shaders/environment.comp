// Light from all around, from a description of a few numbers, as surfaces need it: filtered for each
// roughness, its irradiance, and what share of it a surface reflects.
// Sources: Karis. Real Shading in Unreal Engine 4. SIGGRAPH 2013 (the sums for a rough surface, and
// their split); Ramamoorthi, Hanrahan. An Efficient Representation for Irradiance Environment Maps.
// SIGGRAPH 2001; Conty Estevez, Kulla. Production Friendly Microfacet Sheen BRDF. SIGGRAPH 2017.
#include "bindings.glsl"
#include "environment.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(rgba16f, binding = IMAGE_LIGHT) writeonly uniform highp image3D light;
layout(rgba16f, binding = IMAGE_REFLECTION) writeonly uniform highp image2D reflection;
layout(std430, binding = BUFFER_IRRADIANCE) writeonly buffer Irradiance {
	vec4 irradiance[9];
};

// The pass, PASS_*; the layer of PASS_LIGHT, and its samples.
layout(location = UNIFORM_ENVIRONMENT_PASS) uniform ivec3 pass;
// Radiance at the zenith, the horizon and the nadir.
layout(location = UNIFORM_GRADIENT) uniform vec3 gradient[3];
// Soft boxes: where the middle is and how soft the edge, two axes with half sizes, radiance.
layout(location = UNIFORM_BOXES) uniform vec4 boxes[ENVIRONMENT_BOXES * 4];
layout(location = UNIFORM_BOX_COUNT) uniform int box_count;

// Copies of the uniforms: in a loop llvmpipe reads a uniform again for each work item, at more than
// half of the shader's time.
vec3 sky[3];
vec4 box_rows[ENVIRONMENT_BOXES * 4];

const float PI = 3.14159265358979;
const int DIRECTIONS = 2048;
const int TABLE_SAMPLES = 256;

#include "ggx.glsl"

float inside(float place, float size, float soft) {
	return 1.0 - smoothstep(size - soft, size + soft, abs(place));
}

// Radiance from a direction, and how much of the first box is seen there.
vec4 radiance(vec3 d) {
	float height = smoothstep(0.0, 1.0, abs(d.y)), first = 0.0;
	vec3 sum = mix(sky[1], d.y > 0.0 ? sky[0] : sky[2], height);
	for (int i = 0; i < ENVIRONMENT_BOXES; i++) {
		vec4 middle = box_rows[i * 4], right = box_rows[i * 4 + 1], up = box_rows[i * 4 + 2];
		float along = max(dot(d, middle.xyz), 1e-3);
		float share = inside(dot(d, right.xyz) / along, right.w, middle.w) *
			inside(dot(d, up.xyz) / along, up.w, middle.w);
		share = i < box_count && along > 1e-3 ? share : 0.0;
		sum += share > 0.0 ? box_rows[i * 4 + 3].rgb * share : vec3(0.0);
		first = i == 0 ? share : first;
	}
	return vec4(sum, first);
}

// The i-th of count half vectors around +Z, as many as there are facets of such a surface.
vec3 half_vector(int i, int count, float alpha) {
	float u = (float(i) + 0.5) / float(count);
	float turn = 2.0 * PI * float(bitfieldReverse(uint(i))) / 4294967296.0;
	float cosine = sqrt((1.0 - u) / (1.0 + (alpha * alpha - 1.0) * u));
	float sine = sqrt(1.0 - cosine * cosine);
	return vec3(sine * cos(turn), sine * sin(turn), cosine);
}

// Seen from straight above, light from where the facets mirror it, by its cosine.
vec4 filtered(vec3 normal, float roughness, int count) {
	vec3 right = normalize(cross(abs(normal.y) < 0.9 ? vec3(0, 1, 0) : vec3(1, 0, 0), normal));
	vec3 up = cross(normal, right);
	vec4 sum = vec4(0.0);
	float total = 0.0;
	for (int i = 0; i < count; i++) {
		vec3 h = half_vector(i, count, roughness * roughness);
		vec3 l = 2.0 * h.z * h - vec3(0.0, 0.0, 1.0);
		if (l.z > 0.0) {
			sum += l.z * radiance(l.x * right + l.y * up + l.z * normal);
			total += l.z;
		}
	}
	return sum / total;
}

void write_light(ivec2 at, int layer, int samples) {
	vec3 d = direction_of_light(at);
	vec4 seen =
		layer == 0 ? radiance(d) : filtered(d, roughness_of_layer(float(layer)), samples);
	imageStore(light, ivec3(at, layer), seen);
}

float harmonic(int i, vec3 d) {
	return i == 0 ? 0.282095
		: i == 1 ? 0.488603 * d.y
		: i == 2 ? 0.488603 * d.z
		: i == 3 ? 0.488603 * d.x
		: i == 4 ? 1.092548 * d.x * d.y
		: i == 5 ? 1.092548 * d.y * d.z
		: i == 6 ? 0.315392 * (3.0 * d.z * d.z - 1.0)
		: i == 7 ? 1.092548 * d.x * d.z
			 : 0.546274 * (d.x * d.x - d.y * d.y);
}

// Factors of 1, y, z, x, xy, yz, 3zz-1, xz and xx-yy; their sum for a normal is what a white surface
// that reflects evenly gives back.
void write_irradiance(int i) {
	vec4 sum = vec4(0.0);
	for (int k = 0; k < DIRECTIONS; k++) {
		float y = 1.0 - (float(k) + 0.5) * 2.0 / float(DIRECTIONS);
		float turn = 2.0 * PI * fract(float(k) * 0.381966011250105);
		vec3 d = vec3(sqrt(1.0 - y * y) * vec2(cos(turn), sin(turn)), y).xzy;
		sum += radiance(d) * harmonic(i, d);
	}
	float factor = harmonic(i, i == 0 ? vec3(0.0)
			: i == 1	 ? vec3(0, 1, 0)
			: i == 2	 ? vec3(0, 0, 1)
			: i == 3	 ? vec3(1, 0, 0)
			: i == 4	 ? vec3(1, 1, 0)
			: i == 5	 ? vec3(0, 1, 1)
			: i == 6	 ? vec3(0.0, 0.0, sqrt(2.0 / 3.0))
			: i == 7	 ? vec3(1, 0, 1)
					 : vec3(1, 0, 0));
	float band = i == 0 ? 1.0 : i < 4 ? 2.0 / 3.0 : 0.25;
	irradiance[i] = sum * (band * factor * 4.0 * PI / float(DIRECTIONS));
}

// Of light from a direction, what a cloth of this roughness reflects by its fibres' distribution.
float sheen(vec3 l, float roughness, float eye) {
	vec3 v = vec3(sqrt(1.0 - eye * eye), 0.0, eye);
	vec3 h = normalize(l + v);
	float inverse = 1.0 / max(roughness * roughness, 1e-3);
	float fibres =
		(2.0 + inverse) * pow(max(1.0 - h.z * h.z, 1e-4), inverse * 0.5) / (2.0 * PI);
	return fibres * PI / (2.0 * (l.z + eye - l.z * eye)) * l.z;
}

// The i-th of directions that are spread evenly.
vec3 direction_above(int i) {
	float y = (float(i) + 0.5) / float(TABLE_SAMPLES);
	float turn = 2.0 * PI * float(bitfieldReverse(uint(i))) / 4294967296.0;
	return vec3(sqrt(1.0 - y * y) * vec2(cos(turn), sin(turn)), y);
}

// The share of light that is reflected: what is times the colour seen from the front, what comes
// at grazing angles besides, what a sheen takes, and what is lost at grazing angles to light that
// goes in. Across is the square root of the cosine, upwards the roughness, both from 0 to 1.
void write_reflection(ivec2 at) {
	vec2 place = vec2(at) / float(REFLECTION_SIZE - 1);
	float eye = max(place.x * place.x, 1e-4), alpha = max(place.y * place.y, 1e-3);
	vec3 v = vec3(sqrt(1.0 - eye * eye), 0.0, eye);
	vec3 sum = vec3(0.0);
	for (int i = 0; i < TABLE_SAMPLES; i++) {
		vec3 h = half_vector(i, TABLE_SAMPLES, alpha);
		float eye_half = dot(v, h);
		float light = 2.0 * eye_half * h.z - eye;
		if (light > 0.0 && eye_half > 0.0) {
			float share = 4.0 * light * eye_half / h.z *
				ggx_visibility(alpha * alpha, light, eye);
			float more = grazing(eye_half);
			sum.xy += share * vec2(1.0 - more, more);
		}
		sum.z += sheen(direction_above(i), place.y, eye);
	}
	imageStore(reflection, at, vec4(sum / float(TABLE_SAMPLES), 0.0));
}

void copy_uniforms() {
	for (int i = 0; i < 3; i++) {
		sky[i] = gradient[i];
	}
	for (int i = 0; i < ENVIRONMENT_BOXES * 4; i++) {
		box_rows[i] = boxes[i];
	}
}

void main() {
	copy_uniforms();
	int index = int(gl_LocalInvocationIndex);
	if (pass.x == ENVIRONMENT_PASS_LIGHT) {
		write_light(ivec2(gl_GlobalInvocationID.xy), pass.y, pass.z);
	} else if (pass.x == ENVIRONMENT_PASS_REFLECTION) {
		write_reflection(ivec2(gl_GlobalInvocationID.xy));
	} else if (index < 9) {
		write_irradiance(index);
	}
}
