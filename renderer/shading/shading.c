// The table of what surfaces can be coloured by.
#include "shading/shading.h"

static const struct shading_mode shading_material, shading_plain; // materials as they are

#define ROW(id, name, title) [SHADING_##id] = &shading_##name,
static const struct shading_mode *const modes[SHADING_COUNT] = {SHADINGS(ROW)};
#undef ROW

const struct shading_mode *shading_mode(enum shading mode) {
	return modes[mode];
}
