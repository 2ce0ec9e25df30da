// The data of the method that skins: words in sections, see model/skin_data.h. Behind skin.glsl.

uint data_word(int part, uint i) {
	return data_word_at(section(part) + i);
}

float data_float(int part, uint i) {
	return uintBitsToFloat(data_word_at(section(part) + i));
}

vec3 data_vec3(int part, uint row) {
	uint at = row * 3u;
	return vec3(data_float(part, at), data_float(part, at + 1u), data_float(part, at + 2u));
}

vec4 data_vec4(int part, uint row) {
	uint at = row * 4u;
	return vec4(data_float(part, at), data_float(part, at + 1u), data_float(part, at + 2u),
		data_float(part, at + 3u));
}
