// The data of delta mush, see renderer/skin/methods/delta_mush.c.

const int RANGES = 0;
const int NEIGHBOURS = 1;
const int FANS = 2;
const int REST = 3;
const int ITERATIONS = 1;
const int LAMBDA = 2;

// Positions in the scratch of the displacements after even and odd steps. They are relative to the
// posed vertex, so that they are small and keep their digits.
uint moved_at(uint vertex, uint step) {
	return ((step & 1u) * streams.x + vertex) * 3u;
}

// Position in the scratch of the posed vertex, written by the first step; the last pass overwrites
// it.
vec3 posed_before(uint vertex) {
	return scratch3((2u * streams.x + vertex) * 3u);
}

// From a vertex, moved so far, to another behind an odd or an even step.
vec3 way_to(uint other, uint vertex, vec3 moved, uint step) {
	return (posed_before(other) - posed_before(vertex)) + (scratch3(moved_at(other, step)) - moved);
}
