// Pictures of many figures, a batch at a time.
#include "crowd/crowd.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/mat.h"
#include "base/memory.h"
#include "base/vec.h"
#include "crowd/batches.h"
#include "draw/material.h"
#include "interface/pictures.h"
#include "picture/ground.h"
#include "picture/key.h"
#include "picture/look.h"
#include "picture/picture.h"
#include "skinned/placement.h"
#include "skinned/prepare.h"
#include "state/context.h"
#include "state/state.h"
#include "view/camera.h"
#include "view/extent.h"

struct scene {
	struct crowd crowd;
	const struct crowd_member **order;   // [job->count] so that batches are long
	const struct crowd_member **blended; // [blended_count] farthest first
	size_t blended_count;
	struct crowd_batches batches;
	struct camera camera;
	struct footing footing; // of all figures, where the picture has a ground
	struct key_light key;   // that casts where casts_key says so
	bool casts_key;
	struct arena *spare; // for one batch's paint at a time
};

static const struct rig *rig_of(const struct scene *scene, const struct crowd_member *member) {
	return scene->crowd.job->instances[member->instance].subject.rig;
}

typedef bool (*batch_function)(struct scene *scene, const struct crowd_batch *batch,
	const void *context, struct error *err);

/* Calls a function for figures in their order, a batch at a time. */
static bool each_batch(struct scene *scene, const struct crowd_member *const *members, size_t count,
	batch_function function, const void *context, struct error *err) {
	while (count > 0) {
		const struct crowd_batch batch = crowd_next_batch(&scene->batches, members, count);
		if (!function(scene, &batch, context, err)) {
			return false;
		}
		members += batch.count;
		count -= batch.count;
	}
	return true;
}

/* The paint of a figure; *paint NULL = materials. In the spare arena. */
static bool paint_figure(struct scene *scene, const struct crowd_member *member, struct paint *out,
	const struct paint **paint, struct error *err) {
	const struct shading_job shading = {
		.renderer = scene->crowd.renderer,
		.rig = scene->crowd.plans[member->plan].plan.rig,
		.known = rig_of(scene, member),
		.camera = &scene->camera,
		.settings = &scene->crowd.job->picture.shading,
		.stop = scene->crowd.job->stop,
		.arena = scene->spare,
	};
	arena_reset(scene->spare);
	return picture_paint(&shading, out, paint, err);
}

/* The placements of a batch's figures; free() it. */
static struct drawn_figure *figures_of(const struct crowd_batch *batch) {
	struct drawn_figure *figures = xcalloc(batch->count, sizeof *figures);
	for (size_t i = 0; i < batch->count; i++) {
		figures[i] = placement_figure(&batch->members[i]->placement, i);
	}
	return figures;
}

/* The rig as a figure of it looks, which borrows everything. */
static void borrow_look(
	const struct scene *scene, const struct crowd_member *member, struct rig *out) {
	*out = *scene->crowd.plans[member->plan].shown;
	if (member->materials) {
		out->materials = (struct material *)member->materials;
	}
}

/* context is the pass. */
static bool draw_batch(struct scene *scene, const struct crowd_batch *batch, const void *context,
	struct error *err) {
	const enum draw_pass *pass = context;
	// The paint first: making it may skin.
	struct paint room;
	const struct paint *paint;
	struct drawn_rig *drawn = paint_figure(scene, batch->members[0], &room, &paint, err)
		? crowd_skin_batch(&scene->batches, batch, NULL, err)
		: NULL;
	if (!drawn) {
		return false;
	}
	struct drawn_figure *figures = figures_of(batch);
	const bool **mirrored = xcalloc(batch->count, sizeof *mirrored);
	for (size_t i = 0; i < batch->count; i++) {
		mirrored[i] = batch->members[i]->mirrored;
	}
	struct rig rig;
	borrow_look(scene, batch->members[0], &rig);
	struct draw_many_job many = {
		.job = picture_draw_job(&scene->crowd.job->picture, &rig, drawn, &scene->camera),
		.copies = scene->batches.copies,
		.figures = figures,
		.mirrored = mirrored,
		.count = (int)batch->count,
		.pass = *pass,
	};
	many.job.paint = paint;
	many.job.look.key = scene->casts_key ? &scene->key : NULL;
	many.job.look.time_s = batch->members[0]->time_s;
	struct renderer *renderer = scene->crowd.renderer;
	const bool ok = look_add_lights(renderer, scene->crowd.lights, scene->crowd.light_count,
				&many.job, err) &&
		renderer->back_end->kind->draw_many(renderer->back_end, &many, err);
	free(mirrored);
	free(figures);
	return ok;
}

/* So that batches are long and have few runs; for the rest as the request has them. */
static int by_kind(const void *a, const void *b) {
	const struct crowd_member *x = *(const struct crowd_member *const *)a;
	const struct crowd_member *y = *(const struct crowd_member *const *)b;
	const size_t keys[][2] = {
		{x->plan, y->plan},
		{x->weights != NULL, y->weights != NULL},
		{x->placement.mirrored, y->placement.mirrored},
		{x->instance, y->instance},
	};
	size_t i = 0;
	while (i < 3 && keys[i][0] == keys[i][1]) {
		i++;
	}
	return keys[i][0] > keys[i][1] ? 1 : -1;
}

static int by_depth(const void *a, const void *b) {
	const struct crowd_member *x = *(const struct crowd_member *const *)a;
	const struct crowd_member *y = *(const struct crowd_member *const *)b;
	return x->depth != y->depth         ? (x->depth > y->depth ? 1 : -1)
		: x->instance > y->instance ? 1
					    : -1;
}

static void sort(struct scene *scene) {
	const size_t count = scene->crowd.job->count;
	scene->order = arena_alloc(scene->crowd.arena, count, sizeof(struct crowd_member *));
	for (size_t i = 0; i < count; i++) {
		scene->order[i] = &scene->crowd.members[i];
	}
	qsort(scene->order, count, sizeof *scene->order, by_kind);
}

/* Lists the figures with anything blended, by the middles of their rest boxes where they stand. */
static void sort_blended(struct scene *scene) {
	const size_t count = scene->crowd.job->count;
	scene->blended = arena_alloc(scene->crowd.arena, count, sizeof(struct crowd_member *));
	for (size_t i = 0; i < count; i++) {
		struct crowd_member *member = &scene->crowd.members[i];
		const struct rig *rig = rig_of(scene, member);
		if (!rig_has_blended(rig) || rig->vertex_count == 0) {
			continue;
		}
		double middle[3];
		for (int k = 0; k < 3; k++) {
			middle[k] = (rig->bounds.min[k] + rig->bounds.max[k]) / 2;
		}
		mat_map_point(member->placement.map, middle, middle);
		vec3_sub(middle, scene->camera.eye, middle);
		member->depth = vec3_dot(middle, scene->camera.back);
		scene->blended[scene->blended_count++] = member;
	}
	qsort(scene->blended, scene->blended_count, sizeof *scene->blended, by_depth);
}

static bool see_rest_boxes(
	struct scene *scene, struct camera_extremes *extremes, struct error *err) {
	const struct crowd_sight sight = {.extremes = extremes};
	for (size_t i = 0; i < scene->crowd.job->count; i++) {
		const struct rig *rig = rig_of(scene, scene->order[i]);
		float corners[24];
		bounds_corners(&rig->bounds, corners);
		if (rig->vertex_count > 0 && !crowd_see(scene->order[i], corners, 8, &sight, err)) {
			return false;
		}
	}
	return true;
}

/* context is the sight. */
static bool see_batch(struct scene *scene, const struct crowd_batch *batch, const void *context,
	struct error *err) {
	return crowd_skin_batch(&scene->batches, batch, context, err);
}

/* Has the camera see the rest boxes or the posed vertices, and the ground these. */
static bool see_all(struct scene *scene, struct camera_extremes *extremes, struct error *err) {
	const struct picture_settings *picture = &scene->crowd.job->picture;
	const bool fits = camera_needs_points(&picture->camera);
	const struct crowd_sight sight = {
		.extremes = fits && picture->fit == FIT_POSE ? extremes : NULL,
		.footing = picture_has_ground(picture) ? &scene->footing : NULL,
	};
	scene->footing = FOOTING_NONE;
	return (!fits || picture->fit != FIT_REST || see_rest_boxes(scene, extremes, err)) &&
		((!sight.extremes && !sight.footing) ||
			each_batch(scene, scene->order, scene->crowd.job->count, see_batch, &sight,
				err));
}

static bool make_camera(struct scene *scene, struct error *err) {
	const struct picture_settings *picture = &scene->crowd.job->picture;
	const double aspect = (double)picture->width / picture->height;
	struct camera_extremes extremes;
	camera_extremes_begin(&picture->camera, aspect, &extremes);
	if (!see_all(scene, &extremes, err)) {
		return false;
	}
	camera_extremes_end(&extremes);
	return camera_make(
		&picture->camera, aspect, extremes.points[0], extremes.count, &scene->camera, err);
}

/* context is the ground. */
static bool cast_batch(struct scene *scene, const struct crowd_batch *batch, const void *context,
	struct error *err) {
	const struct crowd_ground *ground = context;
	struct drawn_rig *drawn = crowd_skin_batch(&scene->batches, batch, NULL, err);
	if (!drawn) {
		return false;
	}
	struct drawn_figure *figures = figures_of(batch);
	const struct draw_many_job many = {
		.job = {.rig = scene->crowd.plans[batch->members[0]->plan].shown, .drawn = drawn},
		.copies = scene->batches.copies,
		.figures = figures,
		.count = (int)batch->count,
	};
	struct back_end *back_end = scene->crowd.renderer->back_end;
	const bool ok = (!scene->casts_key ||
				back_end->kind->cast_key_many(back_end, &many, &scene->key, err)) &&
		back_end->kind->cast_many(
			back_end, &many, &ground->square, scene->footing.size, err);
	free(figures);
	return ok;
}

/* Casts the shadow of all figures. */
static bool cast(struct scene *scene, const struct crowd_ground *ground, struct error *err) {
	struct back_end *back_end = scene->crowd.renderer->back_end;
	return each_batch(scene, scene->order, scene->crowd.job->count, cast_batch, ground, err) &&
		back_end->kind->end_shadow(back_end, &ground->square, scene->footing.size, err);
}

/* The light and the camera of the picture, of no figure. */
static bool begin_light(struct scene *scene, struct draw_job *out, struct error *err) {
	const struct crowd *crowd = &scene->crowd;
	*out = picture_draw_job(&crowd->job->picture, crowd->plans[scene->order[0]->plan].plan.rig,
		NULL, &scene->camera);
	const bool ok =
		look_add_lights(crowd->renderer, crowd->lights, crowd->light_count, out, err) &&
		picture_begin_key(crowd->renderer, &crowd->job->picture, &scene->footing.box,
			&scene->footing, out, &scene->key, err);
	scene->casts_key = ok && out->look.key;
	return ok;
}

/* True when surfaces of any figure show what lies behind them. */
static bool any_transmits(const struct scene *scene) {
	bool any = false;
	for (size_t i = 0; !any && i < scene->crowd.job->count; i++) {
		any = rig_transmits(rig_of(scene, &scene->crowd.members[i]));
	}
	return any;
}

static bool draw(struct scene *scene, struct error *err) {
	static const enum draw_pass opaque = DRAW_OPAQUE, transmissive = DRAW_TRANSMISSIVE,
				    blended = DRAW_BLENDED;
	const struct crowd_job *job = scene->crowd.job;
	struct renderer *renderer = scene->crowd.renderer;
	struct crowd_ground ground;
	struct draw_job light;
	struct paint room;
	const struct paint *paint;
	const bool transmits = any_transmits(scene);
	if (!paint_figure(scene, scene->order[0], &room, &paint, err) ||
		!picture_begin_crowd_ground(
			renderer, &job->picture, &scene->footing, &ground, err) ||
		!begin_light(scene, &light, err) || (ground.casts && !cast(scene, &ground, err)) ||
		!picture_start(renderer, &job->picture, paint, transmits && !paint, err) ||
		!picture_draw_crowd_ground(renderer, &ground, &light, err) ||
		!each_batch(scene, scene->order, job->count, draw_batch, &opaque, err)) {
		return false;
	}
	if (paint) {
		return true; // nothing that is painted is blended
	}
	if (transmits &&
		!each_batch(scene, scene->order, job->count, draw_batch, &transmissive, err)) {
		return false;
	}
	sort_blended(scene);
	return each_batch(scene, scene->blended, scene->blended_count, draw_batch, &blended, err);
}

/* The report of all plans together. */
static struct skinning_report report_of(const struct scene *scene) {
	const struct crowd *crowd = &scene->crowd;
	struct skinning_report all = {0};
	for (size_t i = 0; i < crowd->job->count; i++) {
		const struct prepared prepared = crowd_prepared(crowd, &crowd->members[i]);
		const struct skinning_report one = prepared_report(&prepared);
		all.method = one.method;
		all.device = one.device;
		all.vertices += one.vertices;
		all.flags |= one.flags;
		all.fallback_vertices += one.fallback_vertices;
		skin_batch_counts_add(&all.batches, &one.batches);
	}
	return all;
}

static bool finish(struct scene *scene, struct buffer *out, double *mark,
	struct skinning_report *report, struct error *err) {
	const struct crowd_job *job = scene->crowd.job;
	sort(scene);
	if (!crowd_batches_begin(&scene->batches, &scene->crowd, scene->order, job->count, err) ||
		!make_camera(scene, err)) {
		return false;
	}
	report->times.skin_s = clock_lap_s(mark);
	if (!draw(scene, err)) {
		return false;
	}
	report->times.draw_s = clock_lap_s(mark);
	const struct area all = {0, 0, job->picture.width, job->picture.height};
	return picture_encode(
		scene->crowd.renderer, &job->picture, &all, job->stop, out, mark, report, err);
}

static bool check_looks(const struct crowd_job *job, size_t *culprit, struct error *err) {
	size_t i = 0;
	while (i < job->count &&
		picture_check_look(&job->picture, job->instances[i].subject.rig, err)) {
		i++;
	}
	*culprit = i;
	return i == job->count;
}

static bool make(struct scene *scene, struct buffer *out, struct skinning_report *report,
	size_t *culprit, struct error *err) {
	const struct crowd_job *job = scene->crowd.job;
	double mark = clock_now_s();
	if (!picture_check(scene->crowd.renderer, &job->picture, err) ||
		!picture_check_file(&job->picture, err) ||
		!picture_check_exposure(&job->picture, err) ||
		!picture_check_legend(&job->picture, err) || !check_looks(job, culprit, err) ||
		!crowd_prepare(&scene->crowd, culprit, err)) {
		return false;
	}
	*culprit = job->count;
	*report = report_of(scene);
	report->times.pose_s = clock_lap_s(&mark);
	const bool ok = finish(scene, out, &mark, report, err);
	for (size_t i = 0; i < job->count; i++) {
		report->flags |= *scene->crowd.members[i].palette.outcome;
	}
	crowd_batches_finish(&scene->batches);
	return context_settle(scene->crowd.renderer, ok, err);
}

bool renderer_crowd(struct renderer *renderer, const struct crowd_job *job, struct buffer *out,
	struct skinning_report *report, size_t *culprit, struct error *err) {
	struct scene scene = {.crowd = {.renderer = renderer, .job = job}, .spare = arena_create()};
	*culprit = job->count;
	const bool ok = context_check(renderer, err) && make(&scene, out, report, culprit, err);
	if (ok) {
		counters_add(&renderer->counters.frames_drawn, 1);
		counters_add_skinned(renderer, report->method, report->vertices);
	}
	crowd_finish(&scene.crowd);
	arena_destroy(scene.spare);
	return ok;
}
