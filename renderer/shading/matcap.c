// Clay whose light goes along with the camera.
#include "shading/shading.h"

static bool paint(const struct shading_job *job, struct paint *out, struct error *err) {
	(void)err;
	out->shader = "paint_matcap.frag";
	for (int i = 0; i < 3; i++) {
		out->vectors[0][i] = (float)job->camera->up[i];
	}
	return true;
}

const struct shading_mode shading_matcap = {.paint = paint};
