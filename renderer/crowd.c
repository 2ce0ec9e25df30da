// Pictures of many figures: batches of them are skinned into one buffer, then drawn from it.
#include <stdlib.h>

#include "base/clock.h"
#include "base/mat.h"
#include "base/memory.h"
#include "base/vec.h"
#include "crowd_internal.h"
#include "view/camera.h"
#include "view/extremes.h"

/* Bytes of skinned vertices that are there at a time, but for a figure that has more by itself:
 * some hundred figures, enough that a call for each batch costs nothing beside, and less than what
 * every driver takes as one storage buffer. */
#define BATCH_BYTES ((size_t)64 << 20)

/* Figures that are skinned and drawn together: of one plan. */
struct batch {
	const struct crowd_member *const *members; // [count]
	size_t count;
};

struct scene {
	struct crowd crowd;
	const struct crowd_member **order;   // [job->count] so that batches are long
	const struct crowd_member **blended; // [blended_count] farthest first
	size_t blended_count;
	struct gpu_copies copies;
	struct batch there; // what is in them; count 0 = nothing
	struct camera camera;
	struct footing footing; // of all figures, where the picture has a ground
	struct arena *spare;    // for one batch's paint at a time
};

/* Who wants to see posed vertices; NULL = nobody. */
struct sight {
	struct camera_extremes *extremes;
	struct footing *footing;
};

static const struct rig *rig_of(const struct scene *scene, const struct crowd_member *member) {
	return scene->crowd.job->instances[member->instance].rig;
}

/* Whether the tangents of a plan's figures are skinned. */
static bool takes_tangents(const struct scene *scene, size_t plan) {
	return picture_takes_tangents(
		&scene->crowd.job->picture, scene->crowd.plans[plan].plan.rig);
}

static size_t figure_bytes(const struct scene *scene, size_t plan) {
	return gpu_rig_stream_floats(scene->crowd.plans[plan].plan.rig) * sizeof(float);
}

static size_t most_figures(const struct scene *scene, size_t plan) {
	const size_t bytes = figure_bytes(scene, plan);
	return bytes == 0 || bytes > BATCH_BYTES ? 1 : BATCH_BYTES / bytes;
}

/* Whether a figure can be skinned together with others like it. */
static bool is_at_once(const struct scene *scene, const struct crowd_member *member) {
	const struct crowd_plan *plan = &scene->crowd.plans[member->plan];
	return plan->on_gpu && plan->at_once && !member->weights;
}

/* The figures from the first on that make one batch. */
static struct batch next_batch(
	const struct scene *scene, const struct crowd_member *const *members, size_t left) {
	const size_t plan = members[0]->plan, most = most_figures(scene, plan);
	const bool at_once = is_at_once(scene, members[0]);
	size_t count = 1;
	while (count < left && count < most && members[count]->plan == plan &&
		is_at_once(scene, members[count]) == at_once) {
		count++;
	}
	return (struct batch){members, count};
}

typedef bool (*batch_function)(
	struct scene *scene, const struct batch *batch, const void *context, struct error *err);

/* Calls a function for figures in their order, a batch at a time. */
static bool each_batch(struct scene *scene, const struct crowd_member *const *members, size_t count,
	batch_function function, const void *context, struct error *err) {
	while (count > 0) {
		const struct batch batch = next_batch(scene, members, count);
		if (!function(scene, &batch, context, err)) {
			return false;
		}
		members += batch.count;
		count -= batch.count;
	}
	return true;
}

/* Has posed vertices be seen, which are placed here. */
static bool see(const struct crowd_member *member, float *positions, size_t count,
	const struct sight *sight, struct error *err) {
	if (!vertices_check(positions, count * 3, err)) {
		return false;
	}
	placement_apply_points(&member->placement, positions, count);
	if (!vertices_check(positions, count * 3, err)) {
		return false;
	}
	if (sight->extremes) {
		camera_extremes_add(sight->extremes, positions, count);
	}
	if (sight->footing) {
		footing_add(sight->footing, positions, count);
	}
	return true;
}

/* Skins a batch on the CPU, figure by figure: each goes through the cache on its way. */
static bool skin_batch_on_cpu(struct scene *scene, const struct batch *batch,
	const struct sight *sight, struct error *err) {
	struct renderer *renderer = scene->crowd.renderer;
	const struct skin_room room = {&renderer->morphed, &renderer->displaced};
	const bool tangents = takes_tangents(scene, batch->members[0]->plan);
	for (size_t i = 0; i < batch->count; i++) {
		const struct prepared prepared = crowd_prepared(&scene->crowd, batch->members[i]);
		const size_t count = (size_t)prepared.rig->vertex_count;
		float *vertices = scratch_get(&renderer->vertices, count * streams_width(tangents));
		const struct streams streams = streams_in(vertices, count, tangents);
		skin_on_cpu(&prepared, &room, &streams);
		gpu_rig_put(prepared.rig, scene->copies.skinned, i, streams.positions,
			streams.normals, streams.tangents);
		if (sight ? !see(batch->members[i], vertices, count, sight, err)
			  : !vertices_check(vertices, count * 3, err)) {
			return false;
		}
	}
	return true;
}

/* Skins a batch in one go into the copies. */
static bool skin_at_once(
	struct scene *scene, const struct batch *batch, struct gpu_rig *gpu, struct error *err) {
	const struct rig *rig = scene->crowd.plans[batch->members[0]->plan].plan.rig;
	struct prepared *prepared = xcalloc(batch->count, sizeof *prepared);
	for (size_t i = 0; i < batch->count; i++) {
		prepared[i] = crowd_prepared(&scene->crowd, batch->members[i]);
	}
	struct gpu_loan loan = gpu_copies_lend(&scene->copies, gpu, batch->count);
	const bool tangents = takes_tangents(scene, batch->members[0]->plan);
	const bool fine = skin_on_gpu(scene->crowd.renderer, prepared, tangents, gpu, err);
	gpu_copies_take_back(&loan, rig);
	free(prepared);
	return fine;
}

static bool skin_one_by_one(
	struct scene *scene, const struct batch *batch, struct gpu_rig *gpu, struct error *err) {
	const bool tangents = takes_tangents(scene, batch->members[0]->plan);
	for (size_t i = 0; i < batch->count; i++) {
		const struct prepared prepared = crowd_prepared(&scene->crowd, batch->members[i]);
		if (!skin_on_gpu(scene->crowd.renderer, &prepared, tangents, gpu, err)) {
			return false;
		}
		gpu_copies_keep(&scene->copies, gpu, prepared.rig, i);
	}
	return true;
}

/* Reads the positions of a batch back. */
static bool see_copies(struct scene *scene, const struct batch *batch, struct gpu_rig *gpu,
	const struct sight *sight, struct error *err) {
	const struct rig *rig = scene->crowd.plans[batch->members[0]->plan].plan.rig;
	const size_t count = (size_t)rig->vertex_count, stride = gpu_rig_stream_floats(rig);
	float *positions = scratch_get(&scene->crowd.renderer->vertices, count * 6);
	struct gpu_loan loan = gpu_copies_lend(&scene->copies, gpu, batch->count);
	bool fine = true;
	for (size_t i = 0; fine && i < batch->count; i++) {
		fine = gpu_skin_read(gpu, i * stride, count * 3, positions, err) &&
			see(batch->members[i], positions, count, sight, err);
	}
	gpu_copies_take_back(&loan, rig);
	return fine;
}

/* Brings a batch's vertices into the copies, unless they are there. sight may be NULL. Returns the
 * rig on the GPU, borrowed until the next call. */
static struct gpu_rig *skin_batch(struct scene *scene, const struct batch *batch,
	const struct sight *sight, struct error *err) {
	const struct crowd_plan *plan = &scene->crowd.plans[batch->members[0]->plan];
	struct gpu_rig *gpu = gpu_rigs_get(scene->crowd.renderer, plan->plan.rig, err);
	const bool there =
		scene->there.members == batch->members && scene->there.count == batch->count;
	if (!gpu || (there && !sight)) {
		return gpu;
	}
	scene->there = (struct batch){0};
	if (!stop_check(scene->crowd.job->stop, err)) {
		return NULL;
	}
	if (!plan->on_gpu) {
		if (!skin_batch_on_cpu(scene, batch, sight, err)) {
			return NULL;
		}
	} else if (!(is_at_once(scene, batch->members[0]) ? skin_at_once : skin_one_by_one)(
			   scene, batch, gpu, err) ||
		(sight && !see_copies(scene, batch, gpu, sight, err))) {
		return NULL;
	}
	scene->there = *batch;
	return gpu;
}

/* What a figure is painted with; *paint NULL = materials. In the spare arena. */
static bool paint_figure(struct scene *scene, const struct crowd_member *member, struct paint *out,
	const struct paint **paint, struct error *err) {
	const struct shading_job shading = {
		.renderer = scene->crowd.renderer,
		.rig = scene->crowd.plans[member->plan].plan.rig,
		.known = rig_of(scene, member),
		.camera = &scene->camera,
		.settings = &scene->crowd.job->picture.shading,
		.arena = scene->spare,
	};
	arena_reset(scene->spare);
	return picture_paint(&shading, out, paint, err);
}

/* Where a batch's figures stand; free() it. */
static struct gpu_figure *figures_of(const struct batch *batch) {
	struct gpu_figure *figures = xcalloc(batch->count, sizeof *figures);
	for (size_t i = 0; i < batch->count; i++) {
		figures[i] = placement_figure(&batch->members[i]->placement, i);
	}
	return figures;
}

/* context is whether blended surfaces are drawn, or else the others. */
static bool draw_batch(
	struct scene *scene, const struct batch *batch, const void *context, struct error *err) {
	const bool *blended = context;
	// The paint first: making it may skin.
	struct paint room;
	const struct paint *paint;
	struct gpu_rig *gpu = paint_figure(scene, batch->members[0], &room, &paint, err)
		? skin_batch(scene, batch, NULL, err)
		: NULL;
	if (!gpu) {
		return false;
	}
	struct gpu_figure *figures = figures_of(batch);
	const bool **mirrored = xcalloc(batch->count, sizeof *mirrored);
	for (size_t i = 0; i < batch->count; i++) {
		mirrored[i] = batch->members[i]->mirrored;
	}
	const struct rig *rig = scene->crowd.plans[batch->members[0]->plan].plan.rig;
	struct draw_many_job many = {
		.job = picture_draw_job(&scene->crowd.job->picture, rig, gpu, &scene->camera),
		.copies = &scene->copies,
		.figures = figures,
		.mirrored = mirrored,
		.count = (int)batch->count,
		.blended = *blended,
	};
	many.job.paint = paint;
	struct renderer *renderer = scene->crowd.renderer;
	const bool fine = look_add_lights(renderer, scene->crowd.lights, scene->crowd.light_count,
				  &many.job, err) &&
		draw_many(renderer->draw, &many, err);
	free(mirrored);
	free(figures);
	return fine;
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
		if (!draw_has_blended(rig) || rig->vertex_count == 0) {
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
	const struct sight sight = {.extremes = extremes};
	for (size_t i = 0; i < scene->crowd.job->count; i++) {
		const struct rig *rig = rig_of(scene, scene->order[i]);
		float corners[24];
		bounds_corners(&rig->bounds, corners);
		if (rig->vertex_count > 0 && !see(scene->order[i], corners, 8, &sight, err)) {
			return false;
		}
	}
	return true;
}

/* context is the sight. */
static bool see_batch(
	struct scene *scene, const struct batch *batch, const void *context, struct error *err) {
	return skin_batch(scene, batch, context, err);
}

/* Has the camera see the rest boxes or the posed vertices, and the ground these. */
static bool see_all(struct scene *scene, struct camera_extremes *extremes, struct error *err) {
	const struct picture_settings *picture = &scene->crowd.job->picture;
	const bool fits = camera_needs_points(&picture->camera);
	const struct sight sight = {
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

/* Room for the largest batch. */
static bool make_room(struct scene *scene, struct error *err) {
	size_t most = 0;
	for (size_t i = 0; i < scene->crowd.job->count;) {
		const struct batch batch =
			next_batch(scene, scene->order + i, scene->crowd.job->count - i);
		const size_t bytes = batch.count * figure_bytes(scene, batch.members[0]->plan);
		most = bytes > most ? bytes : most;
		i += batch.count;
	}
	return gpu_copies_create(&scene->copies, most, err);
}

/* context is the ground. */
static bool cast_batch(
	struct scene *scene, const struct batch *batch, const void *context, struct error *err) {
	const struct crowd_ground *ground = context;
	struct gpu_rig *gpu = skin_batch(scene, batch, NULL, err);
	if (!gpu) {
		return false;
	}
	struct gpu_figure *figures = figures_of(batch);
	const struct draw_many_job many = {
		.job = {.rig = scene->crowd.plans[batch->members[0]->plan].plan.rig, .gpu = gpu},
		.copies = &scene->copies,
		.figures = figures,
		.count = (int)batch->count,
	};
	const bool fine = ground_cast_many(
		scene->crowd.renderer->ground, &many, &ground->square, scene->footing.size, err);
	free(figures);
	return fine;
}

/* Casts the shadow of all figures. */
static bool cast(struct scene *scene, const struct crowd_ground *ground, struct error *err) {
	return each_batch(scene, scene->order, scene->crowd.job->count, cast_batch, ground, err) &&
		ground_end_cast(
			scene->crowd.renderer->ground, &ground->square, scene->footing.size, err);
}

static bool draw_ground(struct scene *scene, const struct crowd_ground *ground, struct error *err) {
	const struct draw_job job = picture_draw_job(&scene->crowd.job->picture,
		scene->crowd.plans[scene->order[0]->plan].plan.rig, NULL, &scene->camera);
	return picture_draw_crowd_ground(scene->crowd.renderer, ground, job.view_projection, err);
}

static bool draw(struct scene *scene, struct error *err) {
	static const bool opaque = false, blended = true;
	const struct crowd_job *job = scene->crowd.job;
	struct renderer *renderer = scene->crowd.renderer;
	struct crowd_ground ground;
	struct paint room;
	const struct paint *paint;
	if (!paint_figure(scene, scene->order[0], &room, &paint, err) ||
		!picture_begin_crowd_ground(
			renderer, &job->picture, &scene->footing, &ground, err) ||
		(ground.casts && !cast(scene, &ground, err)) ||
		!picture_start(renderer, &job->picture, paint, err) ||
		!draw_ground(scene, &ground, err) ||
		!each_batch(scene, scene->order, job->count, draw_batch, &opaque, err)) {
		return false;
	}
	if (paint) {
		return true; // nothing that is painted is blended
	}
	sort_blended(scene);
	return each_batch(scene, scene->blended, scene->blended_count, draw_batch, &blended, err);
}

/* What is to be said of all plans together. */
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
	}
	return all;
}

static bool finish(struct scene *scene, struct buffer *out, double *mark,
	struct skinning_report *report, struct error *err) {
	const struct crowd_job *job = scene->crowd.job;
	sort(scene);
	if (!make_room(scene, err) || !make_camera(scene, err)) {
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

static bool make(struct scene *scene, struct buffer *out, struct skinning_report *report,
	size_t *culprit, struct error *err) {
	const struct crowd_job *job = scene->crowd.job;
	double mark = clock_now_s();
	if (!picture_check(scene->crowd.renderer, &job->picture, err) ||
		!picture_check_file(&job->picture, err) ||
		!picture_check_legend(&job->picture, err) ||
		!crowd_prepare(&scene->crowd, culprit, err)) {
		return false;
	}
	*culprit = job->count;
	*report = report_of(scene);
	report->times.pose_s = clock_lap_s(&mark);
	const bool fine = finish(scene, out, &mark, report, err);
	gpu_copies_finish(&scene->copies);
	return context_settle(scene->crowd.renderer, fine, err);
}

bool renderer_crowd(struct renderer *renderer, const struct crowd_job *job, struct buffer *out,
	struct skinning_report *report, size_t *culprit, struct error *err) {
	struct scene scene = {.crowd = {.renderer = renderer, .job = job}, .spare = arena_create()};
	*culprit = job->count;
	const bool fine = context_check(renderer, err) && make(&scene, out, report, culprit, err);
	if (fine) {
		counters_add(&renderer->counters.frames_drawn, 1);
		counters_add_skinned(renderer, report->method, report->vertices);
	}
	crowd_finish(&scene.crowd);
	arena_destroy(scene.spare);
	return fine;
}
