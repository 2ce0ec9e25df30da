// Ways to make normals.
#include "skin/normals_modes.h"

#include <stddef.h>

extern const struct normals_mode normals_exact_mode, normals_recompute_mode;

static const struct normals_mode same_mode = {.id = "same"}, cof_mode = {.id = "cof"};

static const struct normals_mode *const modes[NORMALS_COUNT] = {
	[NORMALS_SAME] = &same_mode,
	[NORMALS_COF] = &cof_mode,
	[NORMALS_EXACT] = &normals_exact_mode,
	[NORMALS_RECOMPUTE] = &normals_recompute_mode,
};

const struct normals_mode *normals_mode(enum normals normals) {
	return modes[normals];
}
