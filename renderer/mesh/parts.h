/* The pieces that a surface falls into, and which of them enclose a volume. */
#pragma once

#include "mesh/surface.h"

struct parts {
	int count;
	int *points;  // [point_count] each point's part; -1 = no triangle is there
	bool *closed; // [count] every edge is passed as often one way as the other
};

/* Parts are numbered in the order of their lowest points. Fails with ERROR_TOO_LARGE, and leaves
 * *parts zero then. parts_finish frees what it holds. */
bool parts_init(struct parts *parts, const struct mesh_surface *surface, struct error *err);
void parts_finish(struct parts *parts); // takes a zeroed one
