// Inputs of skinning functions in a vertex shader of ES 3.0: textures with rows of any width, one
// behind the other; uniforms; and the vertex at rest, which the shader sets.

// An entry for each slot of the rig, then what the method has beside. RGBA32F: a texel is a vec4.
uniform highp sampler2D palette_texture;
// Influences: slots, two 16-bit numbers to a word; behind them the weights as float bits. R32UI.
uniform highp usampler2D influences_texture;
// The data of the method: words in sections. R32UI.
uniform highp usampler2D data_texture;
// For exact normals: gradients of all weights of the rig, three floats an influence. R32F.
uniform highp sampler2D gradients_texture;

// The data and the palette of the stage that moves vertices at rest by examples, where there is one.
uniform highp usampler2D displacement_data_texture;
uniform highp sampler2D displacement_palette_texture;
uniform uvec4 displacement_sections[2];

// First vertex, number of vertices, first palette slot, influences per vertex.
uniform uvec4 span;
// First influence of the span, word at which the weights start.
uniform uvec2 influence_start;
// Vertices in the whole rig; 1 where tangents are wanted.
uniform uvec2 streams;
// Word of each section of the method's data.
uniform uvec4 sections[2];
// The method's options in the order of its list.
uniform vec4 parameters[2];
// The position in the palette of the data behind the slots' entries.
uniform uint extra;
// Slots of the rig, vec4 behind the entries; the rest is of no use here.
uniform uvec4 copy;

// To be set before any function is called: the vertex after morphing.
surface rest_vertex;

uint copy_index() {
	return 0u;
}

ivec2 texel_of(uint i, ivec2 size) {
	return ivec2(int(i) % size.x, int(i) / size.x);
}

vec4 palette_at(uint i) {
	return texelFetch(palette_texture, texel_of(i, textureSize(palette_texture, 0)), 0);
}

uint influence_word(uint i) {
	return texelFetch(influences_texture, texel_of(i, textureSize(influences_texture, 0)), 0).x;
}

uint data_word_at(uint i) {
	return texelFetch(data_texture, texel_of(i, textureSize(data_texture, 0)), 0).x;
}

uint displacement_word(int part, uint i) {
	uint at = displacement_sections[part >> 2][part & 3] + i;
	ivec2 size = textureSize(displacement_data_texture, 0);
	return texelFetch(displacement_data_texture, texel_of(at, size), 0).x;
}

vec4 displacement_vector(uint i) {
	ivec2 size = textureSize(displacement_palette_texture, 0);
	return texelFetch(displacement_palette_texture, texel_of(i, size), 0);
}

float gradient_at(uint i) {
	return texelFetch(gradients_texture, texel_of(i, textureSize(gradients_texture, 0)), 0).x;
}

vec3 position_in(uint vertex) {
	return rest_vertex.position;
}

vec3 normal_in(uint vertex) {
	return rest_vertex.normal;
}

vec3 tangent_in(uint vertex) {
	return rest_vertex.tangent;
}
