// Inputs and outputs of skinning functions in a compute shader of ES 3.1: storage buffers. The
// daemon's own are bound in renderer/gl/gpu_skin.c.
#include "skin_bindings.glsl"

layout(local_size_x = SKIN_GROUP_SIZE) in;

// The rig's vertices in streams: all positions, all normals, all tangents (x, y, z, w).
layout(std430, binding = BUFFER_VERTICES) readonly buffer Vertices {
	float vertices[];
};
// Influences: slots, two 16-bit numbers to a word; behind them the weights as float bits.
layout(std430, binding = BUFFER_INFLUENCES) readonly buffer Influences {
	uint influences[];
};
// An entry for each slot of the rig, then what the method has beside.
layout(std430, binding = BUFFER_PALETTE) readonly buffer Palette {
	vec4 palette[];
};
// The result, in the same streams as the vertices.
layout(std430, binding = BUFFER_SKINNED) buffer Skinned {
	float skinned[];
};
// The data of the method: words in sections.
layout(std430, binding = BUFFER_DATA) readonly buffer Data {
	uint data_words[];
};
// For exact normals: gradients of all weights of the rig, three floats an influence.
layout(std430, binding = BUFFER_NORMALS_DATA) readonly buffer Gradients {
	float gradients[];
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
// The number of earlier runs of the same shader in a row.
layout(location = UNIFORM_PASS) uniform uint pass;
// The position in the palette of the data behind the slots' entries.
layout(location = UNIFORM_EXTRA) uniform uint extra;
// Several poses may be skinned at once, each a copy: gl_WorkGroupID.y. How much of each a copy has:
// slots, vec4 behind the entries, floats that are read of vertices (0 = all read the same), floats
// that are written.
layout(location = UNIFORM_COPY) uniform uvec4 copy;

uint copy_index() {
	return gl_WorkGroupID.y;
}

vec4 palette_at(uint i) {
	return palette[i];
}

uint influence_word(uint i) {
	return influences[i];
}

uint data_word_at(uint i) {
	return data_words[i];
}

// The same of the displacement, which is a dispatch of its own here.
uint displacement_word(int part, uint i) {
	return data_words[section(part) + i];
}

vec4 displacement_vector(uint i) {
	return palette[extra_at(i)];
}

float gradient_at(uint i) {
	return gradients[i];
}

float read1(uint at) {
	return vertices[copy_index() * copy.z + at];
}

vec3 read3(uint at) {
	return vec3(read1(at), read1(at + 1u), read1(at + 2u));
}

vec3 position_in(uint vertex) {
	return read3(vertex * 3u);
}

vec3 normal_in(uint vertex) {
	return read3((streams.x + vertex) * 3u);
}

// Zero where tangents are not wanted.
vec3 tangent_in(uint vertex) {
	return streams.y != 0u ? read3(tangent_at(vertex)) : vec3(0.0);
}

void write1(uint at, float x) {
	skinned[copy_index() * copy.w + at] = x;
}

void write3(uint at, vec3 v) {
	write1(at, v.x);
	write1(at + 1u, v.y);
	write1(at + 2u, v.z);
}

void write_surface(uint vertex, surface s) {
	write3(vertex * 3u, s.position);
	write3((streams.x + vertex) * 3u, s.normal);
	if (streams.y != 0u) {
		uint at = tangent_at(vertex);
		write3(at, s.tangent);
		write1(at + 3u, read1(at + 3u));
	}
}
