// The data of delta mush, see renderer/skin/delta_mush.c.

const int RANGES = 0;
const int NEIGHBOURS = 1;
const int FANS = 2;
const int REST = 3;
const int ITERATIONS = 1;
const int LAMBDA = 2;

// Where in the scratch an even or an odd step leaves a vertex.
uint smoothed_at(uint vertex, uint step) {
	return ((step & 1u) * streams.x + vertex) * 3u;
}
