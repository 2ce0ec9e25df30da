// Skinned vertices as numbers.
#include <string.h>

#include "base/clock.h"
#include "interface/vertices.h"
#include "skinned/placement.h"
#include "skinned/prepare.h"
#include "skinned/skin.h"
#include "skinned/streams.h"
#include "state/state.h"

static size_t width_of(enum attribute_bits attribute) {
	return attribute == ATTRIBUTE_TANGENT ? 4 : 3;
}

size_t renderer_vertices_bytes(int vertex_count, unsigned attributes) {
	size_t floats = 0;
	for (unsigned bit = ATTRIBUTE_POSITION; bit <= ATTRIBUTE_TANGENT; bit <<= 1) {
		if ((attributes & bit) != 0) {
			floats += width_of((enum attribute_bits)bit);
		}
	}
	return floats * sizeof(float) * (size_t)vertex_count;
}

bool renderer_vertex_count(struct renderer *renderer, const struct rig *rig,
	const struct skinning_settings *settings, const struct stop *stop, int *out,
	struct error *err) {
	*out = rig->vertex_count;
	const struct skin_plan_params params = {
		.subject = {.rig = rig, .skinning = *settings, .stop = stop},
		.clip = -1,
	};
	struct skin_plan plan;
	if (!skin_plan_check(rig, settings, err)) {
		return false;
	}
	if (!skin_plan_makes_rig(settings)) {
		return true;
	}
	if (!skin_plan_make(renderer->library, &params, &plan, err)) {
		return false;
	}
	*out = plan.rig->vertex_count;
	skin_plan_finish(&plan);
	return true;
}

/* The position of each attribute within out; NULL if it was not requested. */
static struct streams place(const struct vertices_job *job, int vertex_count, float *out) {
	struct streams streams = {0};
	for (size_t i = 0; i < job->count; i++) {
		float **stream = job->order[i] == ATTRIBUTE_POSITION ? &streams.positions
			: job->order[i] == ATTRIBUTE_NORMAL          ? &streams.normals
								     : &streams.tangents;
		*stream = out;
		out += width_of(job->order[i]) * (size_t)vertex_count;
	}
	return streams;
}

/* Floats that a job writes. */
static size_t job_floats(const struct vertices_job *job, int vertex_count) {
	size_t count = 0;
	for (size_t i = 0; i < job->count; i++) {
		count += width_of(job->order[i]) * (size_t)vertex_count;
	}
	return count;
}

static bool check_attributes(const struct vertices_job *job, struct error *err) {
	float none;
	const struct streams streams = place(job, 0, &none);
	return streams_check(&streams, job->subject.rig, err);
}

/* True when there are as many vertices as there is room for. */
static bool check_count(
	const struct vertices_job *job, const struct prepared *prepared, struct error *err) {
	const int expected = job->vertices ? job->vertices : job->subject.rig->vertex_count;
	return prepared->rig->vertex_count == expected ||
		error_set(err, ERROR_INVALID_VALUE,
			"%s cuts the mesh into parts: its vertices are others than the rig's, "
			"which are wanted here",
			prepared->plan.requested.method->id);
}

bool renderer_vertices(struct renderer *renderer, const struct vertices_job *job, float *out,
	struct skinning_report *report, struct error *err) {
	if (!check_attributes(job, err) || !stop_check(job->subject.stop, err)) {
		return false;
	}
	double mark = clock_now_s();
	struct arena *arena = arena_create();
	struct prepared prepared;
	const struct prepare_params params = {.subject = job->subject, .memory = job->memory};
	bool ok = prepare(renderer, &params, arena, &prepared, err);
	if (ok) {
		const int count = prepared.rig->vertex_count;
		const struct streams streams = place(job, count, out);
		*report = prepared_report(&prepared);
		report->times.pose_s = clock_lap_s(&mark);
		ok = stop_check(job->subject.stop, err) && check_count(job, &prepared, err) &&
			skin_streams(renderer, &prepared, &streams, err);
		prepared_add_outcome(&prepared, report);
		if (ok && job->placement) {
			const struct placement placement = placement_make(job->placement);
			placement_apply(&placement, &streams, (size_t)count);
		}
		ok = ok && vertices_check(out, job_floats(job, count), err);
		report->times.skin_s = clock_lap_s(&mark);
		prepared_finish(&prepared);
	}
	arena_destroy(arena);
	return ok;
}
