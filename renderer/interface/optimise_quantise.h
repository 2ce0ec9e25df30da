/* GLBs whose vertices are integers (KHR_mesh_quantization). */
#pragma once

#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "interface/optimise.h"
#include "model/rig.h"

struct quantise_job {
	const struct rig *rig; // of the same bytes, as renderer_import() reads them
	const void *bytes;     // a GLB, borrowed
	size_t size;
	double tolerance_m;      // > 0, for each vertex in the poses that are measured
	int normal_bits;         // of normals' and tangents' numbers: 8 or 16
	const struct stop *stop; // NULL = never
};

/* One mesh's result. Bytes that meshes share are counted for each. */
struct optimise_quantised {
	char name[64];          // as it stands in the file, or "mesh 3"
	const char *left;       // why it stays as it is, a constant; NULL = it is quantised
	uint64_t before, after; // bytes
	double max_m;           // the farthest that a vertex is off
	double normal_deg;      // the greatest angle between normals
};

struct optimise_quantising {
	struct optimise_quantised *list; // [count] malloc memory
	int count;
};

/* Appends the file with positions and morph targets as normalised int16 within a cube, normals and
 * tangents as normalised integers, texture coordinates in [0, 1] as normalised uint16, weights as
 * normalised uint8, or as uint16 where these are not within the tolerance, and joints as uint8
 * where they fit. The cube's place and size are in the inverse bind matrices of skinned meshes; of
 * others in a node below the mesh's own, or in that itself where morph weights must stay with it
 * and nothing else depends on its transform. Meshes and skins that belong together have one cube.
 * A mesh stays as it is where its vertices are not plain floats, where others depend on their
 * numbers or their node, and where it would be off by more than the tolerance. All stay where the
 * file would not be smaller. All else of the file stays byte for byte, but for positions of bytes.
 *
 * Vertices are measured against the file's own, skinned linearly, at rest and at moments of each
 * clip, in the file that was made, read back.
 *
 * report  the caller's; filled also where this fails
 * Fails with ERROR_UNSUPPORTED_ASSET for what is no GLB, ERROR_TOO_LARGE, the reader's error and
 * the stop's. Any thread. */
bool renderer_optimise_quantise(const struct quantise_job *job, optimise_reader *read,
	struct optimise_quantising *report, struct buffer *out, struct error *err);
