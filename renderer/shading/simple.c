// Shadings that are one shader and a few numbers.
#include "base/vec.h"
#include "shading/shading.h"

/* Silhouettes: one colour. */
static bool paint_silhouette(const struct shading_job *job, struct paint *out, struct error *err) {
	(void)err;
	out->shader = "paint_silhouette.frag";
	out->bytes = true;
	for (int i = 0; i < 3; i++) {
		out->vectors[0][i] = (float)job->settings->color[i];
	}
	return true;
}

const struct shading_mode shading_silhouette = {.paint = paint_silhouette};

/* Normals in the world as colours. */
static bool paint_normals(const struct shading_job *job, struct paint *out, struct error *err) {
	(void)job;
	(void)err;
	out->shader = "paint_normals.frag";
	out->bytes = true;
	return true;
}

const struct shading_mode shading_normals = {.paint = paint_normals};

/* Distance along the view. */
static bool paint_depth(const struct shading_job *job, struct paint *out, struct error *err) {
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

const struct shading_mode shading_depth = {.pixels = PIXELS_DEPTH, .paint = paint_depth};

/* Clay whose light goes along with the camera. */
static bool paint_matcap(const struct shading_job *job, struct paint *out, struct error *err) {
	(void)err;
	out->shader = "paint_matcap.frag";
	for (int i = 0; i < 3; i++) {
		out->vectors[0][i] = (float)job->camera->up[i];
	}
	return true;
}

const struct shading_mode shading_matcap = {.paint = paint_matcap};
