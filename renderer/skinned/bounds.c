// Boxes around a rig's vertices: of its rest pose, and over the whole of a clip.
#include "skinned/bounds.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "interface/vertices.h"
#include "pose/sample/sample.h"
#include "skinned/body_part.h"
#include "skinned/prepare.h"
#include "skinned/skin.h"
#include "state/scratch.h"
#include "state/state.h"
#include "view/camera.h"

/* How often a clip is looked at besides its keys. */
#define RATE_HZ 60

/* Most and least moments of a clip that are looked at. Up to half of them are spread evenly, up to
 * a quarter come from keys; the rest is for refinement. */
#define MOMENTS_MAX 65536
#define MOMENTS_LEAST 64

/* Vertices and joints that all clips of a rig together may cost, shared out evenly: half a minute.
 * A few minutes of motion of a usual rig need a tenth. */
#define WORK ((size_t)1 << 30)

/* Halvings of an interval in which the box may grow, and by how much of its diagonal it may stay
 * too small. */
#define REFINEMENTS 12
#define TOLERANCE 1e-5

/* Seconds that moments are apart at least, but at an edge. */
#define APART_S 1e-6

/* Least, then greatest coordinate, all so that more is farther out. */
#define SIDES 6

/* A clip at one time. */
struct moment {
	double time_s;
	bool edge; // the last instant before a step
	double reach[SIDES];
};

struct search {
	const struct rig *rig; // plan.rig
	struct skin_plan plan; // borrows what it holds
	const struct body_vertices *body;
	const struct clip *clip;
	const struct stop *stop; // NULL = never
	struct scratch vertices, morphed, displaced;
	struct moment *moments; // [count] in order of time; owned
	size_t count, room;
	size_t most;            // moments to look at
	double farthest[SIDES]; // over all moments
};

/* The box around joints, by which files without a mesh are seen. */
static bool box_of_joints(
	const struct rig *rig, const struct pose *pose, struct bounds *box, struct error *err) {
	struct arena *arena = arena_create();
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	pose_to_world(rig, pose, world);
	*box = BOUNDS_NONE;
	for (int i = 0; i < rig->joint_count; i++) {
		const float place[3] = {
			(float)world[i][3], (float)world[i][7], (float)world[i][11]};
		const struct bounds one = bounds_of_points(place, 1);
		bounds_add(box, &one);
	}
	const bool fine = pose_check_world(rig, (const double(*)[12])world, err);
	arena_destroy(arena);
	return fine;
}

static bool box_of_pose(
	struct search *search, const struct pose *pose, struct bounds *out, struct error *err) {
	const size_t count = (size_t)search->rig->vertex_count;
	if (count == 0) {
		return box_of_joints(search->rig, pose, out, err);
	}
	struct arena *arena = arena_create();
	float *vertices = scratch_get(&search->vertices, count * 6);
	const struct streams streams = {.positions = vertices, .normals = vertices + count * 3};
	struct prepared prepared;
	const bool fine = prepare_from_pose(&search->plan, pose, arena, &prepared, err);
	if (fine) {
		const struct skin_room room = {&search->morphed, &search->displaced};
		skin_on_cpu(&prepared, &room, &streams);
		*out = body_vertices_bounds(search->rig, search->body, vertices);
	}
	arena_destroy(arena);
	return fine;
}

static void search_finish(struct search *search) {
	scratch_finish(&search->vertices);
	scratch_finish(&search->morphed);
	scratch_finish(&search->displaced);
	free(search->moments);
}

static bool look(struct search *search, struct moment *moment, struct error *err) {
	struct arena *arena = arena_create();
	struct pose pose = pose_rest(search->rig, arena);
	clip_sample(search->rig, search->clip, moment->time_s, &pose);
	search->plan.time_s = moment->time_s;
	struct bounds box;
	const bool fine = box_of_pose(search, &pose, &box, err);
	arena_destroy(arena);
	if (!fine) {
		return false;
	}
	for (int k = 0; k < 3; k++) {
		moment->reach[k] = -box.min[k];
		moment->reach[3 + k] = box.max[k];
	}
	for (int side = 0; side < SIDES; side++) {
		search->farthest[side] = fmax(search->farthest[side], moment->reach[side]);
	}
	return true;
}

/* Looks at all moments from the first on that was not looked at. */
static bool look_from(struct search *search, size_t first, struct error *err) {
	for (size_t i = first; i < search->count; i++) {
		if (!stop_check(search->stop, err) || !look(search, &search->moments[i], err)) {
			return false;
		}
	}
	return true;
}

static void add_moment(struct search *search, double time_s, bool edge) {
	if (search->count == search->room) {
		search->room = search->room ? 2 * search->room : 256;
		search->moments = xrealloc(search->moments, search->room, sizeof *search->moments);
	}
	search->moments[search->count++] = (struct moment){.time_s = time_s, .edge = edge};
}

static void add_even_times(struct search *search) {
	const double duration_s = search->clip->duration_s;
	const int steps = (int)ceil(fmin(duration_s * RATE_HZ, (double)search->most / 2));
	for (int i = 0; i <= steps; i++) {
		add_moment(search, steps > 0 ? duration_s * i / steps : 0, false);
	}
}

/* Every key of every channel, and what a step leaves; where those are too many, every n-th. */
static void add_key_times(struct search *search) {
	const struct clip *clip = search->clip;
	size_t keys = 0;
	for (int i = 0; i < clip->channel_count; i++) {
		keys += (size_t)clip->channels[i].key_count;
	}
	const size_t stride = keys / (search->most / 4) + 1;
	size_t at = 0;
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		for (int k = 0; k < channel->key_count; k++) {
			if (at++ % stride != 0) {
				continue;
			}
			const double time_s = channel->times[k];
			add_moment(search, time_s, false);
			if (channel->interpolation == INTERPOLATION_STEP && time_s > 0) {
				add_moment(search, nextafter(time_s, 0), true);
			}
		}
	}
}

static int by_time(const void *a, const void *b) {
	const double x = ((const struct moment *)a)->time_s, y = ((const struct moment *)b)->time_s;
	return (x > y) - (x < y);
}

static void sort_moments(struct search *search) {
	qsort(search->moments, search->count, sizeof *search->moments, by_time);
}

/* Whether two neighbours are as good as one. */
static bool are_doubles(const struct moment *a, const struct moment *b) {
	const double apart_s = b->time_s - a->time_s;
	return apart_s == 0 || (apart_s < APART_S && !a->edge && !b->edge);
}

static void drop_doubles(struct search *search) {
	size_t kept = 0;
	for (size_t i = 0; i < search->count; i++) {
		if (kept == 0 || !are_doubles(&search->moments[kept - 1], &search->moments[i])) {
			search->moments[kept++] = search->moments[i];
		}
	}
	search->count = kept;
}

/* How far a side bulges out over the straight line between moments a and b, from the curvature at
 * three moments that these are two of: a quarter of the divided difference times the square of the
 * step. Doubled, since it is an estimate. Across an edge there is no curvature. */
static double bulge(const struct moment *m, const struct moment *n, const struct moment *o,
	double step_s, int side) {
	if (m->edge || n->edge) {
		return 0;
	}
	const double first = (n->reach[side] - m->reach[side]) / (n->time_s - m->time_s);
	const double second = (o->reach[side] - n->reach[side]) / (o->time_s - n->time_s);
	const double curvature = (second - first) / (o->time_s - m->time_s);
	return fmax(-curvature, 0) * step_s * step_s / 2;
}

/* Whether the box may grow by more than the tolerance between moments i and i + 1. */
static bool may_grow(const struct search *search, size_t i, double tolerance) {
	const struct moment *m = &search->moments[i];
	const double step_s = m[1].time_s - m[0].time_s;
	if (!(step_s > APART_S)) {
		return false;
	}
	for (int side = 0; side < SIDES; side++) {
		double more = 0;
		if (i > 0) {
			more = bulge(m - 1, m, m + 1, step_s, side);
		}
		if (i + 2 < search->count) {
			more = fmax(more, bulge(m, m + 1, m + 2, step_s, side));
		}
		const double reach = fmax(m[0].reach[side], m[1].reach[side]) + more;
		if (reach > search->farthest[side] + tolerance) {
			return true;
		}
	}
	return false;
}

/* Looks at the middle of every interval in which the box may grow. *done when there was none. */
static bool refine(struct search *search, bool *done, struct error *err) {
	double diagonal = 0;
	for (int k = 0; k < 3; k++) {
		diagonal += pow(search->farthest[k] + search->farthest[3 + k], 2);
	}
	const double tolerance = TOLERANCE * sqrt(diagonal);
	const size_t before = search->count;
	for (size_t i = 0; i + 1 < before && search->count < search->most; i++) {
		if (may_grow(search, i, tolerance)) {
			const struct moment *m = &search->moments[i];
			add_moment(search, (m[0].time_s + m[1].time_s) / 2, false);
		}
	}
	*done = search->count == before;
	if (!look_from(search, before, err)) {
		return false;
	}
	sort_moments(search);
	return true;
}

static size_t most_moments(const struct rig *rig) {
	const size_t each = (size_t)rig->vertex_count + (size_t)rig->joint_count + 100;
	const size_t most = WORK / each / (size_t)rig->clip_count;
	return most > MOMENTS_MAX ? MOMENTS_MAX : most < MOMENTS_LEAST ? MOMENTS_LEAST : most;
}

static bool search_clip(struct search *search, struct error *err) {
	add_even_times(search);
	add_key_times(search);
	sort_moments(search);
	drop_doubles(search);
	bool done = false;
	bool fine = look_from(search, 0, err);
	for (int i = 0; fine && !done && i < REFINEMENTS; i++) {
		fine = refine(search, &done, err);
	}
	return fine;
}

static bool find_clip_bounds(const struct skin_plan *plan, const struct body_vertices *body,
	int clip, const struct stop *stop, struct bounds *out, struct error *err) {
	struct search search = {.rig = plan->rig,
		.plan = *plan,
		.body = body,
		.clip = &plan->rig->clips[clip],
		.stop = stop};
	search.plan.clip = clip;
	search.most = most_moments(plan->rig);
	for (int side = 0; side < SIDES; side++) {
		search.farthest[side] = -INFINITY;
	}
	const bool found = search_clip(&search, err);
	for (int k = 0; k < 3; k++) {
		out->min[k] = -search.farthest[k];
		out->max[k] = search.farthest[3 + k];
	}
	search_finish(&search);
	return found;
}

bool pose_bounds(const struct skin_plan *plan, const struct body_vertices *body,
	const struct pose *pose, struct bounds *out, struct error *err) {
	struct search search = {.rig = plan->rig, .plan = *plan, .body = body};
	const bool fine = box_of_pose(&search, pose, out, err);
	search_finish(&search);
	return fine;
}

struct bounds rest_bounds(const struct rig *rig, const struct pose *pose) {
	static const struct body_vertices whole = {.part = PART_WHOLE};
	const struct skin_plan plan = skin_plan_default(rig);
	struct bounds bounds = BOUNDS_NONE;
	if (rig->vertex_count > 0) {
		pose_bounds(&plan, &whole, pose, &bounds, NULL);
	}
	return bounds;
}

bool clip_bounds(struct renderer *renderer, const struct skin_plan *plan,
	const struct body_vertices *body, int clip, const struct stop *stop, struct bounds *out,
	struct error *err) {
	const struct rig *rig = plan->rig;
	const uint64_t signature = skin_plan_signature(plan);
	for (size_t i = 0; i < CLIP_BOUNDS_MAX; i++) {
		const struct clip_bounds *known = &renderer->clip_bounds[i];
		if (known->rig == rig->clips_id && known->clip == clip &&
			known->plan == signature && known->part == body->part) {
			*out = known->bounds;
			return true;
		}
	}
	if (!find_clip_bounds(plan, body, clip, stop, out, err)) {
		return false;
	}
	struct clip_bounds *oldest = &renderer->clip_bounds[renderer->next_clip_bounds];
	renderer->next_clip_bounds = (renderer->next_clip_bounds + 1) % CLIP_BOUNDS_MAX;
	*oldest = (struct clip_bounds){rig->clips_id, clip, signature, body->part, *out};
	return true;
}

bool renderer_clip_bounds(struct renderer *renderer, const struct rig *rig, int clip,
	const struct stop *stop, struct bounds *out, struct error *err) {
	static const struct body_vertices whole = {.part = PART_WHOLE};
	const struct skin_plan plan = skin_plan_default(rig);
	*out = BOUNDS_NONE;
	return rig->vertex_count == 0 || clip_bounds(renderer, &plan, &whole, clip, stop, out, err);
}

bool expression_bounds(struct renderer *renderer, const struct skin_plan *plan,
	const struct body_vertices *body, const struct pose_job *posing, struct bounds *out,
	struct error *err) {
	const struct rig *rig = plan->rig;
	struct arena *arena = arena_create();
	struct pose_run run = {.arena = arena, .sources = posing->sources, .stop = posing->stop};
	struct pose_context context = pose_context_make(rig, arena, &run);
	context.clips = arena_alloc(arena, (size_t)rig->clip_count, sizeof *context.clips);
	struct pose pose;
	*out = BOUNDS_NONE;
	bool fine = pose_evaluate(&context, posing->pose, &pose, err);
	for (int i = 0; fine && i < rig->clip_count; i++) {
		if (context.clips[i]) {
			struct bounds box;
			fine = clip_bounds(renderer, plan, body, i, posing->stop, &box, err);
			if (fine) {
				bounds_add(out, &box);
			}
		}
	}
	// A clip alone is within its bounds; what else there is may reach beyond those of its
	// clips.
	if (fine && !(posing->pose && value_member(posing->pose, "clip"))) {
		struct bounds box;
		fine = pose_bounds(plan, body, &pose, &box, err);
		if (fine) {
			bounds_add(out, &box);
		}
	}
	arena_destroy(arena);
	return fine;
}
