// Streams of skinned vertices: where they go, and what is done to them.
#include "skinned/streams.h"

#include <stdint.h>
#include <string.h>

size_t streams_width(bool tangents) {
	return tangents ? 10 : 6;
}

struct streams streams_in(float *block, size_t count, bool tangents) {
	return (struct streams){
		.positions = block,
		.normals = block + count * 3,
		.tangents = tangents ? block + count * 6 : NULL,
	};
}

bool streams_check(const struct streams *streams, const struct rig *rig, struct error *err) {
	return !streams->tangents || rig->tangents ||
		error_at(err, ERROR_MISSING_DATA, "/attributes",
			"the rig has no tangents; ask for position and normal");
}

bool vertices_check(const float *numbers, size_t count, struct error *err) {
	// Compared as bits, which takes a fraction of the time that isfinite() does.
	unsigned found = 0;
	for (size_t i = 0; i < count; i++) {
		uint32_t bits;
		memcpy(&bits, &numbers[i], sizeof bits);
		found |= (bits & 0x7f800000u) == 0x7f800000u;
	}
	return !found ||
		error_set(err, ERROR_INVALID_VALUE,
			"the pose takes vertices farther than float32 reaches");
}

void streams_turn_outwards(
	const struct streams *streams, const struct rig *rig, const bool *mirrored) {
	for (int i = 0; i < rig->primitive_count; i++) {
		const size_t first = (size_t)rig->primitives[i].first_vertex;
		const size_t end = first + (size_t)rig->primitives[i].vertex_count;
		for (size_t v = first; mirrored[i] && v < end; v++) {
			for (size_t k = 0; streams->normals && k < 3; k++) {
				streams->normals[v * 3 + k] *= -1;
			}
			if (streams->tangents) {
				streams->tangents[v * 4 + 3] *= -1;
			}
		}
	}
}
