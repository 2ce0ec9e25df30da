// What every skinning shader shares: buffers, one vertex in and out, normals under a matrix.
// Constants that stand before it (see skin_on_gpu): normals_by, how normals are wanted as enum normals
// has it; stretched, whether any joint scales or shears; option0 to option7, choices and switches
// among the method's options in the order of its list.
// Rest-pose model space in, world space out.

layout(local_size_x = SKIN_GROUP_SIZE) in;

// The rig's vertices in streams: all positions, all normals, all tangents.
layout(std430, binding = BUFFER_VERTICES) readonly buffer Vertices {
	float vertices[];
};
// Influences: slots, two 16-bit numbers to a word; behind them the weights as float bits.
layout(std430, binding = BUFFER_INFLUENCES) readonly buffer Influences {
	uint influences[];
};
layout(std430, binding = BUFFER_PALETTE) readonly buffer Palette {
	vec4 palette[];
};
// The result, in the same streams as the vertices.
layout(std430, binding = BUFFER_SKINNED) buffer Skinned {
	float skinned[];
};

// First vertex, number of vertices, first palette slot, influences per vertex.
layout(location = UNIFORM_SPAN) uniform uvec4 span;
// First influence of the span, word at which the weights start.
layout(location = UNIFORM_INFLUENCES) uniform uvec2 influence_start;
// Vertices in the whole rig; 1 where tangents are wanted.
layout(location = UNIFORM_STREAMS) uniform uvec2 streams;

// Word of each section of the method's data, and of the normals' data.
layout(location = UNIFORM_SECTIONS) uniform uvec4 sections[2];
layout(location = UNIFORM_NORMALS_SECTIONS) uniform uvec4 normals_sections[2];
// The method's options in the order of its list.
layout(location = UNIFORM_PARAMETERS) uniform vec4 parameters[2];
// How often the same shader went before, in a row.
layout(location = UNIFORM_PASS) uniform uint pass;
// Where in the palette what lies behind the slots' entries begins.
layout(location = UNIFORM_EXTRA) uniform uint extra;

const float LEAST_SQUARE = 1e-20;
const uint NORMALS_SAME = 1u;
const uint NORMALS_COF = 2u;
const uint NORMALS_EXACT = 3u;

float parameter(int i) {
	return parameters[i >> 2][i & 3];
}

uint section(int i) {
	return sections[i >> 2][i & 3];
}

uint slot_of(uint influence) {
	uint word = influences[influence >> 1u];
	return span.z + ((influence & 1u) == 0u ? word & 0xffffu : word >> 16u);
}

float weight_of(uint influence) {
	return uintBitsToFloat(influences[influence_start.y + influence]);
}

// The matrix that begins at a vec4 of the palette, where it lies in rows.
mat4 palette_matrix(uint at) {
	return transpose(
		mat4(palette[at], palette[at + 1u], palette[at + 2u], vec4(0.0, 0.0, 0.0, 1.0)));
}

vec3 read3(uint at) {
	return vec3(vertices[at], vertices[at + 1u], vertices[at + 2u]);
}

void write3(uint at, vec3 v) {
	skinned[at] = v.x;
	skinned[at + 1u] = v.y;
	skinned[at + 2u] = v.z;
}

vec3 position_in(uint vertex) {
	return read3(vertex * 3u);
}

vec3 normal_in(uint vertex) {
	return read3((streams.x + vertex) * 3u);
}

uint tangent_at(uint vertex) {
	return streams.x * 6u + vertex * 4u;
}

// cof(A) n for the linear part A of m, not normalised (METHODS B2).
vec3 cofactor_times(mat4 m, vec3 n) {
	vec3 u = n.x * m[1].xyz - n.y * m[0].xyz;
	return cross(u, m[2].xyz) + n.z * cross(m[0].xyz, m[1].xyz);
}

// The unit normal under a blended matrix; where it vanishes, under the pivot's alone.
vec3 mapped_normal(mat4 m, mat4 pivot, vec3 n) {
	vec3 mapped = cofactor_times(m, n);
	float square = dot(mapped, mapped);
	if (square > LEAST_SQUARE) {
		return mapped * inversesqrt(square);
	}
	mapped = cofactor_times(pivot, n);
	square = dot(mapped, mapped);
	if (square > LEAST_SQUARE) {
		return mapped * inversesqrt(square);
	}
	mapped = mat3(pivot) * n;
	square = dot(mapped, mapped);
	return square > LEAST_SQUARE ? mapped * inversesqrt(square) : n;
}

// The same by the matrix itself (METHODS B1).
vec3 same_normal(mat4 m, mat4 pivot, vec3 n) {
	vec3 mapped = mat3(m) * n;
	float square = dot(mapped, mapped);
	return square > LEAST_SQUARE ? mapped * inversesqrt(square) : mapped_normal(pivot, pivot, n);
}

// As it is wanted, but for NORMALS_EXACT, whose matrix is another.
vec3 wanted_normal(mat4 m, mat4 pivot, vec3 n) {
	return normals_by == NORMALS_SAME ? same_normal(m, pivot, n) : mapped_normal(m, pivot, n);
}

// Makes a mapped tangent unit and at right angles to the normal; one that lies along the normal to
// within 1e-3 has no direction left across it, and takes any.
vec3 finished_tangent(vec3 n, vec3 t) {
	float mapped_square = dot(t, t);
	t -= dot(n, t) * n;
	float square = dot(t, t);
	if (square > LEAST_SQUARE && square > 1e-6 * mapped_square) {
		return t * inversesqrt(square);
	}
	vec3 axis = abs(n.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
	return normalize(axis - dot(n, axis) * n);
}

void write_vertex(uint vertex, vec3 position, vec3 normal) {
	write3(vertex * 3u, position);
	write3((streams.x + vertex) * 3u, normal);
}

void write_tangent(uint vertex, vec3 tangent) {
	uint at = tangent_at(vertex);
	write3(at, tangent);
	skinned[at + 3u] = vertices[at + 3u];
}
