/* A joint's local transform: scale first, then rotation, then translation (glTF's TRS). */
#pragma once

struct transform {
	float translation[3]; // metres, relative to the parent
	float rotation[4];    // unit quaternion x y z w
	float scale[3];
};

#define TRANSFORM_IDENTITY \
	{ \
		{0, 0, 0}, {0, 0, 0, 1}, { \
			1, 1, 1 \
		} \
	}
