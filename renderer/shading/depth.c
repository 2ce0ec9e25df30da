// Distance along the view.
#include "base/vec.h"
#include "shading/shading.h"

static bool paint(const struct shading_job *job, struct paint *out, struct error *err) {
	(void)err;
	const struct camera *camera = job->camera;
	out->shader = "paint_depth.frag";
	out->bytes = true;
	for (int i = 0; i < 3; i++) {
		out->vectors[0][i] = (float)-camera->back[i];
	}
	out->vectors[0][3] = (float)vec3_dot(camera->back, camera->eye);
	return true;
}

const struct shading_mode shading_depth = {.pixels = PIXELS_DEPTH, .paint = paint};
