/* GLBs whose vertices and indices are packed without loss. */
#pragma once

#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

/* One mesh's result. Bytes that meshes share are counted for each. */
struct optimise_mesh {
	char name[64]; // as it stands in the file, or "mesh 3"
	uint64_t before, after;
};

struct optimise_meshes {
	struct optimise_mesh *list; // [count] malloc memory
	int count;
};

/* Appends the file with EXT_meshopt_compression of the buffer views that hold vertices, inverse
 * bind matrices or indices and nothing else, where that is fewer bytes: without filters, and with
 * indices in their order, so that the decoded bytes are those of the file. All else stays byte for
 * byte, but for places in the buffer.
 * Fails with ERROR_UNSUPPORTED_ASSET for what is no GLB, ERROR_TOO_LARGE. Any thread. */
bool renderer_optimise_meshes(const void *bytes, size_t size, struct optimise_meshes *report,
	struct buffer *out, struct error *err);
