// Vertices moved until their part has its volume (METHODS A22). Twin of finish() in
// renderer/skin/methods/vol_correct.c.
#include "skin.glsl"
#include "data.glsl"
#include "posed.glsl"
#include "scratch.glsl"
#include "vol_correct.glsl"

void vol_correct(uint vertex) {
	uint part = part_of(vertex);
	if (part == NO_PART) {
		return;
	}
	float lambda = scratch[chunk_at(first_chunk(part)) + 6u] * palette_at(part).z;
	write3(vertex * 3u, posed_position(vertex) + lambda * scratch3(vertex * 3u));
}

void main() {
	if (gl_GlobalInvocationID.x < span.y) {
		vol_correct(span.x + gl_GlobalInvocationID.x);
	}
}
