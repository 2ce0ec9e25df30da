// Normals in the world as colours.
#include "shading/shading.h"

static bool paint(const struct shading_job *job, struct paint *out, struct error *err) {
	(void)job;
	(void)err;
	out->shader = "paint_normals.frag";
	out->bytes = true;
	return true;
}

const struct shading_mode shading_normals = {.paint = paint};
