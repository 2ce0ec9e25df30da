// Strips, fans and loops -> lists. Source: glTF 2.0 specification, 3.7.2.1, and its winding orders.
#include "import/gltf_topology.h"

static const struct {
	enum topology topology;
	size_t corners; // of one triangle, line or point
	bool separate;  // each takes corners of its own; else one more than the one before
} modes[] = {
	[GLTF_POINTS] = {TOPOLOGY_POINTS, 1, true},
	[GLTF_LINES] = {TOPOLOGY_LINES, 2, true},
	[GLTF_LINE_LOOP] = {TOPOLOGY_LINES, 2, false},
	[GLTF_LINE_STRIP] = {TOPOLOGY_LINES, 2, false},
	[GLTF_TRIANGLES] = {TOPOLOGY_TRIANGLES, 3, true},
	[GLTF_TRIANGLE_STRIP] = {TOPOLOGY_TRIANGLES, 3, false},
	[GLTF_TRIANGLE_FAN] = {TOPOLOGY_TRIANGLES, 3, false},
};

enum topology gltf_topology(enum gltf_mode mode) {
	return modes[mode].topology;
}

/* Triangles, lines or points. */
static size_t piece_count(enum gltf_mode mode, size_t source_count) {
	const size_t corners = modes[mode].corners;
	if (source_count < corners) {
		return 0;
	}
	if (modes[mode].separate) {
		return source_count / corners;
	}
	const size_t closing = mode == GLTF_LINE_LOOP ? 1 : 0;
	return source_count - (corners - 1) + closing;
}

size_t gltf_topology_count(enum gltf_mode mode, size_t source_count) {
	return piece_count(mode, source_count) * modes[mode].corners;
}

/* Position in the source of a corner of a piece. */
static size_t corner_of(enum gltf_mode mode, size_t piece, size_t corner, size_t source_count) {
	switch (mode) {
	case GLTF_LINE_LOOP:
		return (piece + corner) % source_count;
	case GLTF_LINE_STRIP:
		return piece + corner;
	case GLTF_TRIANGLE_STRIP:
		// Every second triangle is turned round, so that all face the same way.
		return corner == 0 ? piece : piece + (corner == 1 ? 1 + piece % 2 : 2 - piece % 2);
	case GLTF_TRIANGLE_FAN:
		return corner == 2 ? 0 : piece + corner + 1;
	case GLTF_POINTS:
	case GLTF_LINES:
	case GLTF_TRIANGLES:
	case GLTF_MODE_COUNT:
		break;
	}
	return piece * modes[mode].corners + corner;
}

void gltf_topology_fill(
	enum gltf_mode mode, const uint32_t *source, size_t source_count, uint32_t *out) {
	const size_t pieces = piece_count(mode, source_count);
	for (size_t piece = 0; piece < pieces; piece++) {
		for (size_t corner = 0; corner < modes[mode].corners; corner++) {
			const size_t at = corner_of(mode, piece, corner, source_count);
			*out++ = source ? source[at] : (uint32_t)at;
		}
	}
}
