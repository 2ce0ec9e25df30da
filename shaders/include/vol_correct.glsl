// The data of volume correction, see renderer/skin/methods/vol_correct_data.h, and what its passes leave for
// those behind them in the scratch: directions, three floats to a vertex; behind them eight floats to
// a chunk of faces: coefficients of the volume, volume at rest, longest square, lambda of its part and
// whether that stops short of its volume (of a part's first chunk).

const int RANGES = 0;
const int FANS = 1;
const int FACES = 2;
const int CHUNKS = 3;
const int PARTS = 4;
const uint NO_PART = 0xffffffffu;

uint chunk_count() {
	return data_word(CHUNKS, 0u);
}

uint part_count() {
	return data_word(CHUNKS, 1u);
}

uint part_of(uint vertex) {
	return data_word(RANGES, vertex * 4u + 2u);
}

// Posed lengths times this are of a size that float32 can raise to the sixth power: directions, sums
// and lambda are in such a unit, of which the palette has a row for each part.
float inverse_unit(uint part) {
	return part == NO_PART ? 1.0 : palette_at(part).w;
}

uint first_chunk(uint part) {
	return data_word(PARTS, part * 4u);
}

uint chunk_at(uint chunk) {
	return streams.x * 3u + chunk * 8u;
}

// The vertex that a part's positions are counted from.
uint origin_of(uint part) {
	return data_word(FACES, data_word(CHUNKS, (first_chunk(part) + 1u) * 2u) * 3u);
}
