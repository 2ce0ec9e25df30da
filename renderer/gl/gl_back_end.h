/* The back end that draws with OpenGL ES 3.1, on a GPU or a software driver. */
#pragma once

#include "draw/back_end.h"

struct gl_back_end {
	struct back_end base;
	struct egl *egl;
	struct gpu_skin *skin;
	struct draw *draw;
	struct lines *lines;   // NULL = were not needed so far
	struct ground *ground; // likewise
	struct behind *behind; // likewise
	bool transmits;        // the picture has a copy of what lies behind
	struct key_maps *key;  // likewise
	struct resolver *resolver;
	struct target *target; // of the last picture's size; NULL = there was none
};
