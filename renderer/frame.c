// Pictures: pose, skin, frame, draw, read, encode.
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/srgb.h"
#include "base/vec.h"
#include "image/encode.h"
#include "renderer_internal.h"
#include "view/camera.h"

static bool check_picture(const struct renderer *renderer, const struct picture_settings *picture,
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

/* Skins into gpu->skinned. *positions are the posed positions, valid until the next request; NULL
 * where they are on the GPU and the camera does not want them. */
static bool skin(struct renderer *renderer, const struct prepared *prepared, bool want_positions,
	struct gpu_rig *gpu, const float **positions, struct error *err) {
	const size_t count = (size_t)prepared->rig->vertex_count;
	float *vertices = scratch_get(&renderer->vertices, count * 6);
	*positions = prepared->on_gpu && !want_positions ? NULL : vertices;
	if (!prepared->on_gpu) {
		const struct streams streams = {
			.positions = vertices, .normals = vertices + count * 3};
		const struct skin_room room = {&renderer->morphed, &renderer->displaced};
		skin_on_cpu(prepared, &room, &streams);
		gpu_rig_set_skinned(gpu, prepared->rig, streams.positions, streams.normals);
		return vertices_check(vertices, count * 3, err);
	}
	return skin_on_gpu(renderer, prepared, false, gpu, err) &&
		(!want_positions ||
			(gpu_skin_read(gpu, 0, count * 3, vertices, err) &&
				vertices_check(vertices, count * 3, err)));
}

/* Makes the camera that fits what the request says: the posed positions, or a box. */
static bool make_camera(struct renderer *renderer, const struct frame_job *job,
	const struct prepared *prepared, const float *positions, struct camera *camera,
	struct error *err) {
	const struct picture_settings *picture = &job->picture;
	const double aspect = (double)picture->width / picture->height;
	float corners[24];
	struct bounds bounds = job->rig->bounds;
	size_t count = (size_t)job->rig->vertex_count;
	if (picture->fit == FIT_CLIP && camera_needs_points(&picture->camera) &&
		!expression_bounds(renderer, &prepared->plan, job->pose, job->stop, &bounds, err)) {
		return false;
	}
	if (picture->fit != FIT_POSE && count > 0) {
		bounds_corners(&bounds, corners);
		positions = corners;
		count = 8;
	}
	return camera_make(&picture->camera, aspect, positions, count, camera, err);
}

static struct draw_job draw_job(const struct prepared *prepared, const struct gpu_rig *gpu,
	const struct camera *camera, struct arena *arena) {
	struct draw_job job = {
		.rig = prepared->rig,
		.gpu = gpu,
		.mirrored = prepared_mirrored(prepared, arena),
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
		job.eye[i] = (float)camera->eye[i];
	}
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

static bool use_target(
	struct renderer *renderer, const struct picture_settings *picture, struct error *err) {
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
	target_begin(renderer->target, color, draw_encodes(renderer->draw));
	return true;
}

/* Draws, and says which pixels may have changed; positions may be NULL. */
static bool draw(struct renderer *renderer, const struct picture_settings *picture,
	const struct draw_job *job, const float *positions, struct area *drawn, struct error *err) {
	const int width = picture->width, height = picture->height;
	*drawn = positions ? drawn_area(job->view_projection, positions,
				     (size_t)job->rig->vertex_count, width, height)
			   : (struct area){0, 0, width, height};
	return use_target(renderer, picture, err) && draw_rig(renderer->draw, job, err);
}

static bool read_and_encode(struct renderer *renderer, const struct frame_job *job,
	const struct area *drawn, struct buffer *png, double *mark, struct skinning_report *report,
	struct error *err) {
	const struct picture_settings *settings = &job->picture;
	const size_t pixels = (size_t)settings->width * (size_t)settings->height;
	unsigned char *rgba = xcalloc(pixels, 4);
	const struct picture picture = {
		.width = settings->width, .height = settings->height, .rgba = rgba};
	float background[4];
	background_of(settings, background);
	bool fine = target_read(renderer->target, renderer->resolver, background, drawn, rgba, err);
	report->times.read_s = clock_lap_s(mark);
	if (fine) {
		picture_unpremultiply(&renderer->srgb, rgba, pixels);
		fine = stop_check(job->stop, err) && picture_format(0)->encode(&picture, png, err);
	}
	report->times.encode_s = clock_lap_s(mark);
	free(rgba);
	return fine;
}

/* From a prepared pose to the encoded picture. */
static bool finish_frame(struct renderer *renderer, const struct frame_job *job,
	const struct prepared *prepared, struct arena *arena, double *mark, struct buffer *png,
	struct skinning_report *report, struct error *err) {
	struct gpu_rig *gpu = gpu_rigs_get(renderer, prepared->rig, err);
	const bool want_positions =
		job->picture.fit == FIT_POSE && camera_needs_points(&job->picture.camera);
	const float *positions;
	if (!gpu || !stop_check(job->stop, err) ||
		!skin(renderer, prepared, want_positions, gpu, &positions, err)) {
		return false;
	}
	report->times.skin_s = clock_lap_s(mark);
	struct camera camera;
	if (!make_camera(renderer, job, prepared, positions, &camera, err)) {
		return false;
	}
	const struct draw_job drawing = draw_job(prepared, gpu, &camera, arena);
	struct area drawn;
	if (!stop_check(job->stop, err) ||
		!draw(renderer, &job->picture, &drawing, positions, &drawn, err)) {
		return false;
	}
	report->times.draw_s = clock_lap_s(mark);
	return read_and_encode(renderer, job, &drawn, png, mark, report, err);
}

static bool frame(struct renderer *renderer, const struct frame_job *job, struct arena *arena,
	struct buffer *png, struct skinning_report *report, struct error *err) {
	double mark = clock_now_s();
	struct prepared prepared;
	const struct prepare_wish wish = {
		job->rig, job->pose, &job->skinning, job->examples, job->stop};
	if (!stop_check(job->stop, err) || !check_picture(renderer, &job->picture, err) ||
		!prepare(renderer, &wish, arena, &prepared, err)) {
		return false;
	}
	*report = prepared_report(&prepared);
	report->times.pose_s = clock_lap_s(&mark);
	const bool fine = finish_frame(renderer, job, &prepared, arena, &mark, png, report, err);
	prepared_finish(&prepared);
	return fine;
}

bool renderer_frame(struct renderer *renderer, const struct frame_job *job, struct buffer *png,
	struct skinning_report *report, struct error *err) {
	struct arena *arena = arena_create();
	const bool fine = context_check(renderer, err) &&
		context_settle(renderer, frame(renderer, job, arena, png, report, err), err);
	if (fine) {
		counters_add(&renderer->counters.frames_drawn, 1);
		counters_add_skinned(renderer, report->method, job->rig->vertex_count);
	}
	arena_destroy(arena);
	return fine;
}
