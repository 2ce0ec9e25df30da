// Rigid parts, and curved bridges between their borders (METHODS A3). Twin of
// renderer/skin/methods/bridge_blend.c. A palette entry is a matrix. Vertices of parts have one influence,
// those of bridges the two parts that they go between.
#include "skin.glsl"
#include "data.glsl"

const int ROWS = 0;
const int VARIANT_LINEAR = 1;

mat4 matrix_of(uint influence) {
	return palette_matrix(slot_of(influence) * 4u);
}

// A direction under a matrix, unit; zero where it vanishes.
vec3 unit_or_zero(mat4 m, vec3 direction) {
	vec3 v = mat3(m) * direction;
	return make_unit(m, v) ? v : vec3(0.0);
}

// a x b, unit; zero where it vanishes against the lengths of both.
vec3 unit_across(vec3 a, vec3 b) {
	vec3 v = cross(a, b);
	float square = dot(v, v), size_square = dot(a, a) * dot(b, b);
	if (square > LEAST_SQUARE * size_square + SAFE_SQUARE && size_square < 1.0 / SAFE_SQUARE) {
		return v * inversesqrt(square);
	}
	float along = greatest_of(a), aside = greatest_of(b);
	a /= along > 0.0 ? along : 1.0;
	b /= aside > 0.0 ? aside : 1.0;
	v = cross(a, b);
	square = dot(v, v);
	return square > LEAST_SQUARE * (dot(a, a) * dot(b, b)) ? v * inversesqrt(square) : vec3(0.0);
}

// The vertex, its normal by the pivot's matrix unless it has one, its tangent likewise.
surface rigid_surface(uint vertex, mat4 pivot, vec3 position, vec3 own, bool has_own) {
	vec3 normal = has_own ? own : wanted_normal(pivot, pivot, normal_in(vertex));
	return surface(position, normal, mapped_tangent(pivot, vertex));
}

// Of a strip: both ends and their directions, posed.
struct strip {
	vec3 start, across, start_along, end_along, start_border, end_border;
	float u, width;
};

strip strip_of(uint vertex, uint influence, mat4 pivot) {
	vec4 first = data_vec4(ROWS, vertex * 3u);
	vec4 second = data_vec4(ROWS, vertex * 3u + 1u);
	vec3 border = data_vec4(ROWS, vertex * 3u + 2u).xyz;
	mat4 other = matrix_of(influence + 1u);
	// The first part is the pivot up to the middle.
	mat4 a = first.w <= 0.5 ? pivot : other, b = first.w <= 0.5 ? other : pivot;
	vec4 v = vec4(position_in(vertex), 1.0);
	vec3 start = (a * v).xyz, across = (b * v).xyz - start;
	return strip(start, across, unit_or_zero(a, first.xyz),
		unit_or_zero(b, second.xyz), mat3(a) * border, mat3(b) * border, first.w,
		length(across));
}

// p(u), and its derivatives by u and along the border.
struct spot {
	vec3 position, along, border;
};

spot linear_spot(strip s) {
	return spot(s.start + s.u * s.across, s.across, mix(s.start_border, s.end_border, s.u));
}

spot hermite_spot(strip s) {
	float u = s.u, rest = 1.0 - u, h01 = u * u * (3.0 - 2.0 * u);
	vec3 bow = u * rest * rest * s.start_along - u * u * rest * s.end_along;
	vec3 slope = rest * (1.0 - 3.0 * u) * s.start_along + u * (3.0 * u - 2.0) * s.end_along;
	float widening =
		s.width > 0.0 ? dot(s.across, s.end_border - s.start_border) / s.width : 0.0;
	return spot(s.start + h01 * s.across + s.width * bow,
		6.0 * u * rest * s.across + s.width * slope,
		mix(s.start_border, s.end_border, h01) + widening * bow);
}

surface skin_vertex(uint vertex, uint influence) {
	mat4 pivot = matrix_of(influence);
	if (span.w == 1u) {
		vec3 position = (pivot * vec4(position_in(vertex), 1.0)).xyz;
		return rigid_surface(vertex, pivot, position, vec3(0.0), false);
	}
	strip s = strip_of(vertex, influence, pivot);
	spot p = linear_spot(s);
	if (option1 != VARIANT_LINEAR) {
		p = hermite_spot(s);
	}
	vec3 normal = unit_across(p.border, p.along);
	bool open = s.width > data_vec4(ROWS, vertex * 3u + 1u).w && normal != vec3(0.0);
	return rigid_surface(vertex, pivot, p.position, normal, open);
}

#include "each_vertex.glsl"
