// Skinned vertices as numbers, and the boxes around them.
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "pose/find.h"
#include "pose/sample.h"
#include "renderer_internal.h"
#include "view/camera.h"

/* How often a clip is looked at for its bounds. */
#define BOUNDS_RATE_HZ 60

static size_t width_of(enum attribute_bits attribute) {
	return attribute == ATTRIBUTE_TANGENT ? 4 : 3;
}

size_t renderer_vertices_bytes(const struct rig *rig, unsigned attributes) {
	size_t floats = 0;
	for (unsigned bit = ATTRIBUTE_POSITION; bit <= ATTRIBUTE_TANGENT; bit <<= 1) {
		if ((attributes & bit) != 0) {
			floats += width_of((enum attribute_bits)bit);
		}
	}
	return floats * sizeof(float) * (size_t)rig->vertex_count;
}

/* Where each attribute goes within out; NULL for what was not asked. */
static struct streams place(const struct vertices_job *job, float *out) {
	struct streams streams = {0};
	for (size_t i = 0; i < job->count; i++) {
		float **stream = job->order[i] == ATTRIBUTE_POSITION ? &streams.positions
			: job->order[i] == ATTRIBUTE_NORMAL          ? &streams.normals
								     : &streams.tangents;
		*stream = out;
		out += width_of(job->order[i]) * (size_t)job->rig->vertex_count;
	}
	return streams;
}

static void vertices_on_cpu(
	struct renderer *renderer, const struct prepared *prepared, struct streams streams) {
	const size_t count = (size_t)prepared->rig->vertex_count;
	// The kernels make positions and normals in one go; what is not asked goes aside.
	float *aside = scratch_get(&renderer->vertices, count * 6);
	if (!streams.positions) {
		streams.positions = aside;
	}
	if (!streams.normals) {
		streams.normals = aside + count * 3;
	}
	skin_on_cpu(prepared, &renderer->morphed, &streams);
}

static bool vertices_on_gpu(struct renderer *renderer, const struct prepared *prepared,
	const struct streams *streams, struct error *err) {
	const size_t count = (size_t)prepared->rig->vertex_count;
	struct gpu_rig *gpu = gpu_rigs_get(renderer, prepared->rig, err);
	if (!gpu || !skin_on_gpu(renderer, prepared, streams->tangents != NULL, gpu, err)) {
		return false;
	}
	const struct {
		float *out;
		size_t start, count;
	} parts[] = {
		{streams->positions, 0, count * 3},
		{streams->normals, count * 3, count * 3},
		{streams->tangents, count * 6, count * 4},
	};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (parts[i].out &&
			!gpu_skin_read(gpu, parts[i].start, parts[i].count, parts[i].out, err)) {
			return false;
		}
	}
	return true;
}

bool streams_check(const struct streams *streams, const struct rig *rig, struct error *err) {
	return !streams->tangents || rig->tangents ||
		error_at(err, ERROR_MISSING_DATA, "/attributes",
			"the rig has no tangents; ask for position and normal");
}

bool skin_streams(struct renderer *renderer, const struct prepared *prepared,
	const struct streams *streams, struct error *err) {
	if (prepared->on_gpu) {
		return vertices_on_gpu(renderer, prepared, streams, err);
	}
	vertices_on_cpu(renderer, prepared, *streams);
	return true;
}

bool renderer_vertices(struct renderer *renderer, const struct vertices_job *job, float *out,
	struct skinning_report *report, struct error *err) {
	const struct streams streams = place(job, out);
	if (!streams_check(&streams, job->rig, err)) {
		return false;
	}
	double mark = clock_now_s();
	struct arena *arena = arena_create();
	struct prepared prepared;
	bool fine = prepare(renderer, job->rig, job->pose, &job->skinning, arena, &prepared, err);
	if (fine) {
		*report = prepared_report(&prepared);
		report->times.pose_s = clock_lap_s(&mark);
		fine = skin_streams(renderer, &prepared, &streams, err);
		report->times.skin_s = clock_lap_s(&mark);
	}
	arena_destroy(arena);
	return fine;
}

/* What the search for bounds carries along. */
struct bounds_search {
	const struct rig *rig;
	const struct skinning_method *method;
	struct scratch vertices, morphed;
	struct bounds bounds;
};

static void add_pose(struct bounds_search *search, const struct pose *pose, struct arena *arena) {
	const size_t count = (size_t)search->rig->vertex_count;
	float *vertices = scratch_get(&search->vertices, count * 6);
	const struct streams streams = {.positions = vertices, .normals = vertices + count * 3};
	struct prepared prepared;
	prepare_from_pose(search->rig, pose, search->method, arena, &prepared);
	skin_on_cpu(&prepared, &search->morphed, &streams);
	const struct bounds bounds = bounds_of_points(vertices, count);
	bounds_add(&search->bounds, &bounds);
}

static void add_clip(struct bounds_search *search, const struct clip *clip) {
	const int steps = (int)ceil(fmin(clip->duration_s, 600) * BOUNDS_RATE_HZ);
	for (int i = 0; i <= steps; i++) {
		struct arena *arena = arena_create();
		struct pose pose = pose_rest(search->rig, arena);
		const double time_s = steps > 0 ? clip->duration_s * i / steps : 0;
		clip_sample(search->rig, clip, time_s, &pose);
		add_pose(search, &pose, arena);
		arena_destroy(arena);
	}
}

/* Adds every clip that the expression names at any depth. */
static bool add_clips(
	struct bounds_search *search, const struct value *value, int *found, struct error *err) {
	for (size_t i = 0; i < value->count; i++) {
		const struct value *item = &value->items[i];
		if (item->key && strcmp(item->key, "clip") == 0) {
			const struct clip *clip = pose_find_clip(search->rig, item, err);
			if (!clip) {
				return false;
			}
			add_clip(search, clip);
			++*found;
		} else if (!add_clips(search, item, found, err)) {
			return false;
		}
	}
	return true;
}

static bool add_expression(
	struct bounds_search *search, const struct value *expression, struct error *err) {
	struct arena *arena = arena_create();
	struct pose_context context = {.rig = search->rig, .arena = arena};
	struct pose pose;
	const bool fine = pose_evaluate(&context, expression, &pose, err);
	if (fine) {
		add_pose(search, &pose, arena);
	}
	arena_destroy(arena);
	return fine;
}

bool clip_bounds(const struct rig *rig, const struct value *expression,
	const struct skinning_method *method, struct bounds *out, struct error *err) {
	struct bounds_search search = {
		.rig = rig, .method = method, .bounds = bounds_of_points(NULL, 0)};
	int found = 0;
	bool fine = !expression || add_clips(&search, expression, &found, err);
	if (fine && found == 0) {
		fine = add_expression(&search, expression, err);
	}
	scratch_finish(&search.vertices);
	scratch_finish(&search.morphed);
	*out = search.bounds;
	return fine;
}
