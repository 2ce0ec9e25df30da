// Silhouettes: one colour.
#include "shading/shading.h"

static bool paint(const struct shading_job *job, struct paint *out, struct error *err) {
	(void)err;
	out->shader = "paint_silhouette.frag";
	out->bytes = true;
	for (int i = 0; i < 3; i++) {
		out->vectors[0][i] = (float)job->settings->color[i];
	}
	return true;
}

const struct shading_mode shading_silhouette = {.paint = paint};
