/* Surfaces in other colours than their materials'. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Colours of a scale; between them they are mixed. */
#define PAINT_COLORS 256

/* Vectors that a shader is told for all surfaces. */
#define PAINT_VECTORS 4

/* Corners of a primitive in one colour. */
struct paint_range {
	int primitive;
	int first,
		count;  // of the rig's corners; of its vertices where the primitive has no indices
	float color[3]; // in linear light
};

/* Everything is borrowed. Alpha is only looked at where it makes holes: of masks as glTF has it, of
 * blended surfaces where there is none of it. All else is opaque. */
struct paint {
	const char *shader; // file of the fragment shader: see shaders/include/painting.glsl
	/* Files of the vertex shaders that go with it, for one figure and for many; NULL =
	 * paint.vert and paint_many.vert. */
	const char *const *vertex_shaders;
	float vectors[PAINT_VECTORS][4]; // as the shader has them
	const unsigned char (*scale)[4]; // [PAINT_COLORS] sRGB, for 0 to 1; NULL = none
	const float *values; // [vertex_count][width] of each vertex; NULL = 0, 0, 0, 1 of all
	int width;           // 1 to 4; what is missing is 0, 0, 1
	const float *of_primitives; // [primitive_count] of all that a primitive has; NULL = 0
	/* [rig->index_count] in the place of rig->indices, but counted from the rig's first vertex;
	 * NULL = the rig's. */
	const uint32_t *corners;
	/* [range_count] What primitives are drawn as, one after another, with the colour as what
	 * each vertex has; NULL = each as a whole. */
	const struct paint_range *ranges;
	size_t range_count;
	bool bytes;      // the shader makes numbers that are written as they are, not light
	bool both_sides; // materials do not say whether backs are seen: they are
};
