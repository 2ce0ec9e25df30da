// Steps that all pictures share: the driver's limits, light, target, drawing, reading and encoding.
#include "picture/picture.h"
#include "skinned/for_picture.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/srgb.h"
#include "base/vec.h"
#include "draw/material.h"
#include "interface/sequences.h"
#include "overlay/overlays.h"
#include "picture/framing.h"
#include "picture/ground.h"
#include "picture/key.h"
#include "picture/look.h"
#include "shading/depth_pixels.h"
#include "state/context.h"
#include "state/state.h"

bool picture_check(const struct renderer *renderer, const struct picture_settings *picture,
	struct error *err) {
	if (!renderer->back_end) {
		return context_refuse(renderer, err);
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
	return picture_check_ground(picture, err);
}

bool picture_check_look(
	const struct picture_settings *picture, const struct rig *rig, struct error *err) {
	return rig->look_requires[0] == '\0' || shading_mode(picture->shading.mode)->paint ||
		error_set(err, ERROR_UNSUPPORTED_ASSET,
			"the rig's file requires %s, which posed does not have, for its materials "
			"to be drawn as they are meant; it can be drawn in other shadings, such as "
			"\"matcap\", and vertices are as in any rig",
			rig->look_requires);
}

struct draw_job picture_draw_job(const struct picture_settings *picture, const struct rig *rig,
	const struct drawn_rig *drawn, const struct camera *camera) {
	struct draw_job job = {
		.rig = rig,
		.drawn = drawn,
		.tangents = picture_takes_tangents(picture, rig),
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
		job.back[i] = (float)camera->view[i * 4 + 2];
	}
	job.eye[3] = camera->orthographic ? 0 : 1;
	vec3_normalize(key);
	for (int i = 0; i < 3; i++) {
		job.key_direction[i] = (float)key[i];
	}
	look_begin(picture, camera, &job);
	return job;
}

static enum shading_pixels pixels_of(const struct picture_settings *picture) {
	return shading_mode(picture->shading.mode)->pixels;
}

/* The clear colour of the target: light premultiplied by alpha, or numbers. */
static void background_of(const struct picture_settings *picture, float color[static 4]) {
	const enum shading_pixels pixels = pixels_of(picture);
	const double *background = picture->background;
	for (int i = 0; i < 4; i++) {
		color[i] = pixels == PIXELS_DEPTH ? 1
			: pixels == PIXELS_NUMBERS || i == 3
			? (float)background[i]
			: (float)(srgb_to_linear(background[i]) * background[3]);
	}
}

static struct picture_start start_of(
	const struct picture_settings *picture, const struct paint *paint) {
	const bool plain = pixels_of(picture) != PIXELS_COLORS;
	struct picture_start start = {
		.target =
			{
				.width = picture->width,
				.height = picture->height,
				.samples = plain ? 1 : picture->samples,
				.plain = plain,
			},
		.paint = paint,
		.has_ground = picture_has_ground(picture),
	};
	background_of(picture, start.color);
	return start;
}

bool picture_start(struct renderer *renderer, const struct picture_settings *picture,
	const struct paint *paint, bool transmits, struct error *err) {
	struct picture_start start = start_of(picture, paint);
	start.transmits = transmits && picture->shading.mode == SHADING_MATERIAL;
	return renderer->back_end->kind->begin(renderer->back_end, &start, err);
}

bool picture_paint(const struct shading_job *job, struct paint *out, const struct paint **paint,
	struct error *err) {
	const struct shading_mode *mode = shading_mode(job->settings->mode);
	*out = (struct paint){0};
	*paint = mode->paint ? out : NULL;
	return !mode->paint || mode->paint(job, out, err);
}

/* Draws, with the paint that the shading is unless the drawing has some. */
static bool draw(struct renderer *renderer, const struct drawing *drawing, struct area *drawn,
	struct arena *arena, struct error *err) {
	const struct shading_job shading = {
		.renderer = renderer,
		.rig = drawing->job.rig,
		.known = drawing->known,
		.camera = drawing->camera,
		.settings = &drawing->picture->shading,
		.stop = drawing->stop,
		.arena = arena,
	};
	struct draw_job job = drawing->job;
	struct key_light key;
	struct paint paint;
	return (job.paint || picture_paint(&shading, &paint, &job.paint, err)) &&
		picture_begin_ground(renderer, drawing, &job, &key, err) &&
		picture_start(renderer, drawing->picture, job.paint,
			!job.paint && rig_transmits(job.rig), err) &&
		picture_draw_ground(renderer, drawing, &job, drawn, err) &&
		overlays_draw_behind(drawing->overlays, drawing, err) &&
		renderer->back_end->kind->draw(renderer->back_end, &job, err) &&
		overlays_draw(drawing->overlays, drawing, drawn, err);
}

bool picture_draw(struct renderer *renderer, const struct drawing *drawing, struct area *drawn,
	struct error *err) {
	const int width = drawing->picture->width, height = drawing->picture->height;
	const bool known = drawing->positions && !renderer->back_end->kind->reads_all;
	*drawn = known ? drawn_area(drawing->job.view_projection, drawing->positions,
				 (size_t)drawing->job.rig->vertex_count, width, height)
		       : (struct area){0, 0, width, height};
	struct arena *arena = arena_create();
	const bool ok = draw(renderer, drawing, drawn, arena, err);
	arena_destroy(arena);
	return ok;
}

unsigned char *picture_memory(const struct picture_settings *picture) {
	return xcalloc((size_t)picture->width * (size_t)picture->height, 4);
}

/* Pictures of fewer pixels are drawn before another thread has woken up. */
#define HELPED_PIXELS ((size_t)1 << 19)

/* Help for a picture, as a back end asks for it. */
struct lent_help {
	const struct sequence_help *from;
	void (*work)(void *task);
	void *task;
};

static bool run_lent(void *task, struct renderer *renderer) {
	const struct lent_help *lent = task;
	(void)renderer;
	lent->work(lent->task);
	return true;
}

static void ask_lent(void *context, void (*work)(void *task), void *task) {
	struct lent_help *lent = context;
	if (!lent->work) {
		lent->work = work;
		lent->task = task;
	}
	lent->from->ask(lent->from->context, run_lent, lent);
}

static bool lent_is_wanted(void *context) {
	const struct lent_help *lent = context;
	return lent->from->is_wanted(lent->from->context);
}

static void end_lent(void *context) {
	const struct lent_help *lent = context;
	lent->from->end(lent->from->context);
}

bool picture_pixels(struct renderer *renderer, const struct picture_settings *picture,
	const struct area *drawn, unsigned char *rgba, struct error *err) {
	const size_t pixels = (size_t)picture->width * (size_t)picture->height;
	const struct back_end_kind *kind = renderer->back_end->kind;
	struct lent_help lent = {.from = renderer->help};
	const struct draw_help help = {&lent, ask_lent, lent_is_wanted, end_lent};
	struct picture_start start = start_of(picture, NULL);
	start.help = renderer->help && pixels >= HELPED_PIXELS ? &help : NULL;
	if (!kind->read(renderer->back_end, &start, drawn, rgba, err)) {
		return false;
	}
	if (pixels_of(picture) == PIXELS_COLORS && !kind->leaves_straight_alpha) {
		picture_unpremultiply(&renderer->srgb, rgba, pixels);
	}
	return true;
}

static const struct picture_format *format_of(const struct picture_settings *settings) {
	return settings->format ? settings->format : picture_format(0);
}

bool picture_write(const struct picture_settings *settings, const struct picture *picture,
	struct buffer *out, struct error *err) {
	const struct picture_coding coding = {settings->quality, settings->lossy};
	return format_of(settings)->encode(picture, &coding, out, err);
}

static struct depth_range find_depth(const struct picture_settings *picture,
	const unsigned char *rgba, struct skinning_report *report) {
	const size_t pixels = (size_t)picture->width * (size_t)picture->height;
	const struct depth_range range = depth_range_of(&picture->shading, rgba, pixels);
	report->has_depth = true;
	report->depth_near = range.near;
	report->depth_far = range.far;
	return range;
}

void picture_to_colors(const struct picture_settings *picture, unsigned char *rgba,
	struct skinning_report *report) {
	if (pixels_of(picture) == PIXELS_DEPTH) {
		const struct depth_range range = find_depth(picture, rgba, report);
		depth_to_colors(&range, picture->background, rgba,
			(size_t)picture->width * (size_t)picture->height);
	}
}

void picture_to_grey16(const struct picture_settings *picture, unsigned char *rgba,
	struct skinning_report *report) {
	const struct depth_range range = find_depth(picture, rgba, report);
	depth_to_grey16(
		&range, rgba, (size_t)picture->width * (size_t)picture->height, (uint16_t *)rgba);
}

bool picture_is_depth(const struct picture_settings *picture) {
	return pixels_of(picture) == PIXELS_DEPTH;
}

/* True when the file has 16 bits of grey. */
static bool is_grey(const struct picture_settings *picture) {
	return picture_is_depth(picture) && format_of(picture)->supports_grey16;
}

bool picture_write_pixels(const struct picture_settings *settings, unsigned char *rgba,
	struct buffer *out, struct skinning_report *report, struct error *err) {
	struct picture picture = {
		.width = settings->width, .height = settings->height, .rgba = rgba};
	if (is_grey(settings)) {
		picture_to_grey16(settings, rgba, report);
		picture.grey16 = (const uint16_t *)rgba;
		picture.near = report->depth_near;
		picture.far = report->depth_far;
	} else {
		picture_to_colors(settings, rgba, report);
	}
	return picture_write(settings, &picture, out, err);
}

bool picture_check_overlays(const struct picture_settings *picture, struct error *err) {
	return pixels_of(picture) == PIXELS_COLORS || !picture->overlays.shown ||
		error_at(err, ERROR_INVALID_VALUE, "/overlays",
			"there are no \"overlays\" over depth and ids, whose pixels are numbers");
}

bool picture_check_ground(const struct picture_settings *picture, struct error *err) {
	const char *name = picture->look.shadow != SHADOW_NONE ? "shadow" : "grid";
	char place[16];
	snprintf(place, sizeof place, "/%s", name);
	if (pixels_of(picture) != PIXELS_COLORS && picture_has_ground(picture)) {
		return error_at(err, ERROR_INVALID_VALUE, place,
			"there is no \"%s\" under depth and ids, whose pixels are numbers", name);
	}
	return picture_check_key(picture, err);
}

bool picture_check_legend(const struct picture_settings *picture, struct error *err) {
	return !picture->shading.legend ||
		error_at(err, ERROR_INVALID_VALUE, "/shading/legend",
			"only single pictures of one figure have a \"legend\": ask for a frame of "
			"it");
}

bool picture_check_exposure(const struct picture_settings *picture, struct error *err) {
	return !picture->look.auto_exposure ||
		error_at(err, ERROR_INVALID_VALUE, "/auto_exposure",
			"a crowd has no \"auto_exposure\": set its \"exposure\"");
}

/* True when a pixel may come out of the file as another. */
static bool is_lossy(const struct picture_settings *picture) {
	const struct picture_format *format = format_of(picture);
	return format->is_lossy || (format->lossy_on_request && picture->lossy);
}

bool picture_check_loss(
	const struct picture_settings *picture, const char *media_type, struct error *err) {
	return pixels_of(picture) != PIXELS_NUMBERS ||
		error_at(err, ERROR_INVALID_VALUE, "/shading",
			"these pixels are numbers, of which %s would make others; ask for PNG or "
			"APNG, or for WebP with \"lossless\"",
			media_type);
}

bool picture_check_background(const struct picture_settings *picture, struct error *err) {
	const double *color = picture->background;
	return pixels_of(picture) != PIXELS_NUMBERS ||
		(color[0] == 0 && color[1] == 0 && color[2] == 0) ||
		error_at(err, ERROR_INVALID_VALUE, "/background",
			"this \"background\" would be an id: where nothing is, the number is 0");
}

bool picture_check_grey(const struct picture_settings *picture, struct error *err) {
	return picture->background[3] == 0 ||
		error_at(err, ERROR_INVALID_VALUE, "/background",
			"there is no \"background\" in depth of 16 bits: where nothing is, it is "
			"65535");
}

bool picture_check_file(const struct picture_settings *picture, struct error *err) {
	return (!is_grey(picture) || picture_check_grey(picture, err)) &&
		picture_check_background(picture, err) &&
		(!is_lossy(picture) ||
			picture_check_loss(picture, format_of(picture)->media_type, err));
}

bool picture_encode(struct renderer *renderer, const struct picture_settings *picture,
	const struct area *drawn, const struct stop *stop, struct buffer *out, double *mark,
	struct skinning_report *report, struct error *err) {
	unsigned char *rgba = picture_memory(picture);
	bool ok = picture_pixels(renderer, picture, drawn, rgba, err);
	report->times.read_s = clock_lap_s(mark);
	ok = ok && stop_check(stop, err) && picture_write_pixels(picture, rgba, out, report, err);
	report->times.encode_s = clock_lap_s(mark);
	free(rgba);
	return ok;
}
