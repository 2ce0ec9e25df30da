// Skinned vertices as numbers.
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "renderer_internal.h"

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

/* Where each attribute goes within out; NULL for what was not asked. */
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

size_t streams_width(bool tangents) {
	return tangents ? 10 : 6;
}

struct streams streams_in(float *block, size_t count, bool tangents) {
	return (struct streams){
		.positions = block,
		.normals = block + count * 3,
		.tangents = tangents ? block + count * 6 : NULL,
	};
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
	const struct skin_room room = {&renderer->morphed, &renderer->displaced};
	skin_on_cpu(prepared, &room, &streams);
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
	bool fine = true;
	if (prepared->on_gpu) {
		fine = vertices_on_gpu(renderer, prepared, streams, err);
		fine = context_settle(renderer, fine, err);
	} else {
		vertices_on_cpu(renderer, prepared, *streams);
	}
	if (fine) {
		counters_add_skinned(
			renderer, prepared->plan.asked.method->id, prepared->rig->vertex_count);
	}
	return fine;
}

bool vertices_check(const float *numbers, size_t count, struct error *err) {
	// Compared as bits, which takes a fraction of the time that isfinite() does.
	unsigned found = 0;
	for (size_t i = 0; i < count; i++) {
		uint32_t bits;
		memcpy(&bits, &numbers[i], sizeof bits);
		found |= (bits & 0x7f800000u) == 0x7f800000u;
	}
	return !found ||
		error_set(err, ERROR_INVALID_VALUE,
			"the pose takes vertices farther than float32 reaches");
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
	return streams_check(&streams, job->rig, err);
}

/* Whether there are as many vertices as there is room for. */
static bool check_count(
	const struct vertices_job *job, const struct prepared *prepared, struct error *err) {
	const int expected = job->vertices ? job->vertices : job->rig->vertex_count;
	return prepared->rig->vertex_count == expected ||
		error_set(err, ERROR_INVALID_VALUE,
			"%s cuts the mesh into parts: its vertices are others than the rig's, "
			"which are wanted here",
			prepared->plan.asked.method->id);
}

bool renderer_vertices(struct renderer *renderer, const struct vertices_job *job, float *out,
	struct skinning_report *report, struct error *err) {
	if (!check_attributes(job, err) || !stop_check(job->stop, err)) {
		return false;
	}
	double mark = clock_now_s();
	struct arena *arena = arena_create();
	struct prepared prepared;
	const struct prepare_wish wish = {.rig = job->rig,
		.pose = job->pose,
		.clock_s = job->clock_s,
		.sources = job->sources,
		.settings = &job->skinning,
		.examples = job->examples,
		.stop = job->stop,
		.memory = job->memory};
	bool fine = prepare(renderer, &wish, arena, &prepared, err);
	if (fine) {
		const int count = prepared.rig->vertex_count;
		const struct streams streams = place(job, count, out);
		*report = prepared_report(&prepared);
		report->times.pose_s = clock_lap_s(&mark);
		fine = stop_check(job->stop, err) && check_count(job, &prepared, err) &&
			skin_streams(renderer, &prepared, &streams, err);
		if (fine && job->placement) {
			const struct placement placement = placement_make(job->placement);
			placement_apply(&placement, &streams, (size_t)count);
		}
		fine = fine && vertices_check(out, job_floats(job, count), err);
		report->times.skin_s = clock_lap_s(&mark);
		prepared_finish(&prepared);
	}
	arena_destroy(arena);
	return fine;
}
