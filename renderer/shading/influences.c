// The number of joints that move each vertex.
#include <math.h>

#include "base/srgb.h"
#include "image/canvas.h"
#include "shading/shading.h"
#include "skinned/influences.h"

/* Steps of the scale, at least and at most; the last stands for all that is more. */
#define STEPS_MIN 4
#define STEPS_MAX 8

static int greatest_count(const struct rig *rig) {
	int greatest = 0;
	for (int i = 0; i < rig->primitive_count; i++) {
		for (int v = 0; v < rig->primitives[i].vertex_count; v++) {
			const int count = influences_count(rig, &rig->primitives[i], (size_t)v);
			greatest = count > greatest ? count : greatest;
		}
	}
	return greatest;
}

static int steps_of(const struct rig *rig) {
	const int greatest = greatest_count(rig);
	return greatest < STEPS_MIN ? STEPS_MIN : greatest < STEPS_MAX ? greatest : STEPS_MAX;
}

static void color_of(int count, int steps, unsigned char rgb[static 3]) {
	const int step = count < 1 ? 1 : count < steps ? count : steps;
	heat_color((double)(step - 1) / (steps - 1), rgb);
}

static bool paint(const struct shading_job *job, struct paint *out, struct error *err) {
	(void)err;
	const struct rig *rig = job->rig;
	const int steps = steps_of(job->known);
	float *values = arena_alloc(job->arena, (size_t)rig->vertex_count, 3 * sizeof *values);
	float light[STEPS_MAX + 1][3];
	for (int count = 0; count <= steps; count++) {
		unsigned char rgb[3];
		color_of(count, steps, rgb);
		for (int k = 0; k < 3; k++) {
			light[count][k] = (float)srgb_to_linear(rgb[k] / 255.0);
		}
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		float *value = values + (size_t)primitive->first_vertex * 3;
		for (size_t v = 0; v < (size_t)primitive->vertex_count; v++, value += 3) {
			const int count = influences_count(rig, primitive, v);
			for (int k = 0; k < 3; k++) {
				value[k] = light[count < steps ? count : steps][k];
			}
		}
	}
	out->shader = "paint_colors.frag";
	out->values = values;
	out->width = 3;
	return true;
}

static bool explain(const struct shading_job *job, struct shading_legend *out, struct error *err) {
	(void)err;
	const int steps = steps_of(job->known);
	const bool goes_on = greatest_count(job->known) > steps;
	struct list_entry *colors = arena_alloc(job->arena, (size_t)steps, sizeof *colors);
	for (int i = 0; i < steps; i++) {
		color_of(i + 1, steps, colors[i].rgb);
		colors[i].label = arena_printf(
			job->arena, "%d%s", i + 1, goes_on && i + 1 == steps ? " or more" : "");
	}
	out->colors = colors;
	out->count = (size_t)steps;
	return true;
}

const struct shading_mode shading_influences = {.paint = paint, .explain = explain};
