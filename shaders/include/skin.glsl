// Functions that all skinning shaders share: one vertex in and out, normals under a matrix. Inputs
// come through interface.glsl, which stands for storage.glsl in the daemon (see
// renderer/gl/source.h). Constants defined before it (see skin_on_gpu): normals_by, the mode of
// normals as in enum normals; stretched, true if any joint scales or shears; option0 to option7,
// the choices and switches among the method's options in the order of its list. Rest-pose model
// space in, world space out.

struct surface {
	vec3 position, normal, tangent;
};

// The position of a vertex' tangent in streams of floats.
uint tangent_at(uint vertex);
// The position in the data at which a section begins.
uint section(int i);
// The position in the palette of the i-th vec4 behind the entries.
uint extra_at(uint i);

#include "interface.glsl"

// At or below the square of 1e-10, against what a matrix makes of others, a vector has vanished;
// above the next square float32 has not lost digits, and below the last it can be squared.
const float LEAST_SQUARE = 1e-20;
const float SAFE_SQUARE = 1e-30;
const float MOST_SQUARE = 1e18;
const uint NORMALS_SAME = 1u;
const uint NORMALS_COF = 2u;
const uint NORMALS_EXACT = 3u;

float parameter(int i) {
	return parameters[i >> 2][i & 3];
}

uint tangent_at(uint vertex) {
	return streams.x * 6u + vertex * 4u;
}

uint section(int i) {
	return sections[i >> 2][i & 3];
}

// A slot of the rig among those of all copies.
uint slot_at(uint slot) {
	return copy_index() * copy.x + slot;
}

// A vertex' first influence.
uint influence_of(uint vertex) {
	return influence_start.x + (vertex - span.x) * span.w;
}

uint slot_of(uint influence) {
	uint word = influence_word(influence >> 1u);
	return slot_at(span.z) + ((influence & 1u) == 0u ? word & 0xffffu : word >> 16u);
}

float weight_of(uint influence) {
	return uintBitsToFloat(influence_word(influence_start.y + influence));
}

// The matrix that begins at a vec4 of the palette, where it lies in rows.
mat4 palette_matrix(uint at) {
	return transpose(mat4(palette_at(at), palette_at(at + 1u), palette_at(at + 2u),
		vec4(0.0, 0.0, 0.0, 1.0)));
}

uint extra_at(uint i) {
	return extra + copy_index() * copy.y + i;
}

vec4 palette_extra(uint i) {
	return palette_at(extra_at(i));
}

surface surface_in(uint vertex) {
	return surface(position_in(vertex), normal_in(vertex), tangent_in(vertex));
}

// cof(A) n for the linear part A of m, not normalised (METHODS B2).
vec3 cofactor_times(mat4 m, vec3 n) {
	vec3 u = n.x * m[1].xyz - n.y * m[0].xyz;
	return cross(u, m[2].xyz) + n.z * cross(m[0].xyz, m[1].xyz);
}

// The sum of the squares of m's linear part.
float size_square_of(mat4 m) {
	return dot(m[0].xyz, m[0].xyz) + dot(m[1].xyz, m[1].xyz) + dot(m[2].xyz, m[2].xyz);
}

float greatest_of(vec3 v) {
	vec3 size = abs(v);
	return max(max(size.x, size.y), size.z);
}

// The divisor that makes the largest number of the linear part 1; 1 where all are 0.
float divisor_of(mat4 m) {
	float greatest = max(max(greatest_of(m[0].xyz), greatest_of(m[1].xyz)), greatest_of(m[2].xyz));
	return greatest > 0.0 ? greatest : 1.0;
}

// The square of the length of the longest row.
float longest_row(mat3 m) {
	vec3 rows = m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
	return max(max(rows.x, rows.y), rows.z);
}

// Makes v unit, which m, or several matrices of its size, have made of a unit vector; false where it
// has vanished. This and what follows are the twins of functions in renderer/skin/normal.h.
bool make_unit(mat4 m, inout vec3 v) {
	float square = dot(v, v);
	float size_square = size_square_of(m);
	if (square > LEAST_SQUARE * size_square + SAFE_SQUARE && size_square < MOST_SQUARE) {
		v *= inversesqrt(square);
		return true;
	}
	float divisor = divisor_of(m);
	v /= divisor;
	square = dot(v, v);
	v *= inversesqrt(square);
	return square > LEAST_SQUARE * longest_row(mat3(m) / divisor);
}

// Makes n the unit normal under m's cofactors; false where it has vanished.
bool make_unit_cofactor(mat4 m, inout vec3 n) {
	vec3 mapped = cofactor_times(m, n);
	float square = dot(mapped, mapped), size_square = size_square_of(m);
	if (square > LEAST_SQUARE * (size_square * size_square) + SAFE_SQUARE &&
		size_square < MOST_SQUARE) {
		n = mapped * inversesqrt(square);
		return true;
	}
	mat3 small = mat3(m) / divisor_of(m);
	float row = longest_row(small);
	n = cofactor_times(mat4(small), n);
	square = dot(n, n);
	n *= inversesqrt(square);
	return square > LEAST_SQUARE * row * row;
}

// The replacement of a vanished normal: the one under the pivot's matrix.
vec3 normal_of_pivot(mat4 pivot, vec3 n) {
	vec3 mapped = n;
	if (make_unit_cofactor(pivot, mapped)) {
		return mapped;
	}
	mapped = mat3(pivot) * n;
	return make_unit(pivot, mapped) ? mapped : n;
}

// The unit normal under a blended matrix; where it vanishes, under the pivot's alone.
vec3 mapped_normal(mat4 m, mat4 pivot, vec3 n) {
	vec3 mapped = n;
	return make_unit_cofactor(m, mapped) ? mapped : normal_of_pivot(pivot, n);
}

// The same by the matrix itself (METHODS B1).
vec3 same_normal(mat4 m, mat4 pivot, vec3 n) {
	vec3 mapped = mat3(m) * n;
	return make_unit(m, mapped) ? mapped : normal_of_pivot(pivot, n);
}

// As it is wanted, but for NORMALS_EXACT, whose matrix is another.
vec3 wanted_normal(mat4 m, mat4 pivot, vec3 n) {
	return normals_by == NORMALS_SAME ? same_normal(m, pivot, n) : mapped_normal(m, pivot, n);
}

// The part of t perpendicular to n, unit; false if it is too short, or its square below the
// minimum.
bool make_across(vec3 n, float least, inout vec3 t) {
	float mapped_square = dot(t, t);
	t -= dot(n, t) * n;
	float square = dot(t, t);
	t *= inversesqrt(square);
	return square > least && square > 1e-6 * mapped_square;
}

// Makes a mapped tangent unit and at right angles to the normal; one that lies along the normal to
// within 1e-3 has no direction left across it, and takes any.
vec3 finished_tangent(vec3 n, vec3 t) {
	vec3 across = t;
	if (make_across(n, SAFE_SQUARE, across)) {
		return across;
	}
	float greatest = greatest_of(t);
	across = greatest > 0.0 ? t / greatest : t;
	if (make_across(n, 0.0, across)) {
		return across;
	}
	vec3 axis = abs(n.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
	return normalize(axis - dot(n, axis) * n);
}

// Its tangent made unit and across its normal, where tangents are wanted.
surface finished_surface(surface s) {
	if (streams.y != 0u) {
		s.tangent = finished_tangent(s.normal, s.tangent);
	}
	return s;
}

// The vertex' tangent under a matrix, not finished.
vec3 mapped_tangent(mat4 m, uint vertex) {
	return streams.y != 0u ? mat3(m) * tangent_in(vertex) : vec3(0.0);
}
