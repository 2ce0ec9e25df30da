/* Ways to make normals that a request may choose: the rows behind enum normals. */
#pragma once

#include "skin/method.h"

struct normals_mode {
	const char *id;                   // METHODS' name without its prefix
	const struct skin_recipe *recipe; // its data; NULL = it needs none
	struct skin_finish_stage finish;  // over the posed mesh; empty where the kernel makes them
};

/* The row of a way, but for NORMALS_OWN: NULL. */
const struct normals_mode *normals_mode(enum normals normals);
