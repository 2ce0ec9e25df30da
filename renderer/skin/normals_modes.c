// Ways to make normals.
#include "skin/normals_modes.h"

#include <stddef.h>

static const struct normals_mode modes[NORMALS_COUNT] = {
	[NORMALS_SAME] = {.id = "same"},
	[NORMALS_COF] = {.id = "cof"},
};

const struct normals_mode *normals_mode(enum normals normals) {
	return modes[normals].id ? &modes[normals] : NULL;
}
