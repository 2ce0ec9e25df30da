/* What the current context's driver is able to do, where drivers differ and rigs and pictures
 * care. */
#pragma once

struct gl_limits {
	int texture_size;        // greatest side, pixels
	int storage_mib;         // greatest storage buffer, which holds all vertices of a rig
	int compute_invocations; // of one work group
	int compute_blocks;      // storage buffers that a compute shader sees
	int vertex_blocks;       // the same for a vertex shader, which need not see any
};

void gl_limits_get(struct gl_limits *out);
