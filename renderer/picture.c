// What all pictures share: what the driver can draw, the light, the target, drawing, reading and
// encoding.
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/srgb.h"
#include "base/vec.h"
#include "image/heat.h"
#include "renderer_internal.h"

bool picture_check(const struct renderer *renderer, const struct picture_settings *picture,
	struct error *err) {
	if (!renderer->egl) {
		return error_set(err, ERROR_NO_RENDERER,
			"the daemon has no graphics driver and draws no pictures");
	}
	const int most_samples = renderer_info(renderer)->max_samples;
	if (picture->samples > most_samples) {
		return error_at(err, ERROR_INVALID_VALUE, "/samples",
			"\"samples\" is %d, this driver offers at most %d", picture->samples,
			most_samples);
	}
	if (picture->width > renderer->max_size || picture->height > renderer->max_size) {
		return error_at(err, ERROR_INVALID_VALUE,
			picture->width > renderer->max_size ? "/width" : "/height",
			"%d x %d pixels, this driver draws at most %d a side", picture->width,
			picture->height, renderer->max_size);
	}
	return true;
}

struct draw_job picture_draw_job(const struct rig *rig, const struct gpu_rig *gpu,
	const bool *mirrored, const struct camera *camera) {
	struct draw_job job = {
		.rig = rig,
		.gpu = gpu,
		.mirrored = mirrored,
		.flipped = true,
	};
	for (int i = 0; i < 16; i++) {
		// Upside down in clip space, so that the top row is read back first.
		const double sign = i % 4 == 1 ? -1 : 1;
		job.view_projection[i] = (float)(sign * camera->view_projection[i]);
	}
	// The key light comes from over the viewer's left shoulder, whatever the yaw.
	double key[3];
	for (int i = 0; i < 3; i++) {
		key[i] = -0.5 * camera->right[i] + 0.8 * camera->up[i] + 0.75 * camera->back[i];
		job.eye[i] = (float)(camera->orthographic ? camera->back[i] : camera->eye[i]);
	}
	job.eye[3] = camera->orthographic ? 0 : 1;
	vec3_normalize(key);
	for (int i = 0; i < 3; i++) {
		job.key_direction[i] = (float)key[i];
	}
	return job;
}

/* Linear, premultiplied by alpha. */
static void background_of(const struct picture_settings *picture, float color[static 4]) {
	for (int i = 0; i < 3; i++) {
		color[i] = (float)(srgb_to_linear(picture->background[i]) * picture->background[3]);
	}
	color[3] = (float)picture->background[3];
}

bool picture_start(struct renderer *renderer, const struct picture_settings *picture, bool shaded,
	struct error *err) {
	const int width = picture->width, height = picture->height, samples = picture->samples;
	if (!renderer->target || !target_matches(renderer->target, width, height, samples)) {
		target_destroy(renderer->target);
		renderer->target = target_create(width, height, samples, err);
	}
	if (!renderer->target) {
		return false;
	}
	float color[4];
	background_of(picture, color);
	target_begin(renderer->target, color, shaded && draw_encodes(renderer->draw));
	return true;
}

static bool use_paint(struct renderer *renderer, struct error *err) {
	if (!renderer->paint) {
		unsigned char colors[PAINT_COLORS][4];
		for (int i = 0; i < PAINT_COLORS; i++) {
			heat_color((double)i / (PAINT_COLORS - 1), colors[i]);
			colors[i][3] = 255;
		}
		renderer->paint = paint_create((const unsigned char(*)[4])colors, err);
	}
	return renderer->paint != NULL;
}

bool picture_draw(struct renderer *renderer, const struct drawing *drawing, struct area *drawn,
	struct error *err) {
	const int width = drawing->picture->width, height = drawing->picture->height;
	*drawn = drawing->positions ? drawn_area(drawing->job.view_projection, drawing->positions,
					      (size_t)drawing->job.rig->vertex_count, width, height)
				    : (struct area){0, 0, width, height};
	if (!picture_start(renderer, drawing->picture, !drawing->shares, err)) {
		return false;
	}
	return drawing->shares ? use_paint(renderer, err) &&
			paint_rig(renderer->paint, &drawing->job, drawing->shares, err)
			       : draw_rig(renderer->draw, &drawing->job, err);
}

unsigned char *picture_memory(const struct picture_settings *picture) {
	return xcalloc((size_t)picture->width * (size_t)picture->height, 4);
}

bool picture_read(struct renderer *renderer, const struct picture_settings *picture,
	const struct area *drawn, unsigned char *rgba, struct error *err) {
	float background[4];
	background_of(picture, background);
	return target_read(renderer->target, renderer->resolver, background, drawn, rgba, err);
}

bool picture_pixels(struct renderer *renderer, const struct picture_settings *picture,
	const struct area *drawn, unsigned char *rgba, struct error *err) {
	const size_t pixels = (size_t)picture->width * (size_t)picture->height;
	if (!picture_read(renderer, picture, drawn, rgba, err)) {
		return false;
	}
	picture_unpremultiply(&renderer->srgb, rgba, pixels);
	return true;
}

bool picture_write(const struct picture_settings *settings, const struct picture *picture,
	struct buffer *out, struct error *err) {
	const struct picture_format *format =
		settings->format ? settings->format : picture_format(0);
	const struct picture_coding coding = {settings->quality, settings->lossy};
	return format->encode(picture, &coding, out, err);
}

bool picture_encode(struct renderer *renderer, const struct picture_settings *picture,
	const struct area *drawn, const struct stop *stop, struct buffer *out, double *mark,
	struct skinning_report *report, struct error *err) {
	unsigned char *rgba = picture_memory(picture);
	const struct picture whole = {
		.width = picture->width, .height = picture->height, .rgba = rgba};
	bool fine = picture_pixels(renderer, picture, drawn, rgba, err);
	report->times.read_s = clock_lap_s(mark);
	fine = fine && stop_check(stop, err) && picture_write(picture, &whole, out, err);
	report->times.encode_s = clock_lap_s(mark);
	free(rgba);
	return fine;
}
