// One skinned mesh as a file: pose, skin, turn mirrored primitives outwards, export.
#include "bake_export/bake_export.h"
#include "skinned/streams.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "export/export.h"
#include "image/encode.h"
#include "interface/vertices.h"
#include "skinned/prepare.h"
#include "skinned/skin.h"

bool mesh_encode_image(const struct image *image, struct buffer *png, struct error *err) {
	const struct picture picture = {
		.width = image->width, .height = image->height, .rgba = image->rgba};
	return encode_png(&picture, png, err);
}

static bool write_mesh(const struct mesh_job *job, const struct rig *rig,
	const struct streams *streams, const bool *mirrored, struct buffer *glb,
	struct error *err) {
	const struct export_job export = {
		.rig = rig,
		.positions = streams->positions,
		.normals = streams->normals,
		.tangents = streams->tangents,
		.mirrored = mirrored,
		.generator = job->generator,
		.max_bytes = job->max_bytes,
		.encode = mesh_encode_image,
	};
	return export_glb(&export, glb, err);
}

/* Allocates the requested streams as one block that the caller frees. False with
 * ERROR_TOO_LARGE. */
static bool make_streams(
	const struct mesh_job *job, size_t count, struct streams *streams, struct error *err) {
	const bool tangents = (job->attributes & ATTRIBUTE_TANGENT) != 0;
	const bool normals = tangents || (job->attributes & ATTRIBUTE_NORMAL) != 0;
	float *block = try_calloc(count, 10 * sizeof *block, "the mesh", err);
	*streams = (struct streams){
		.positions = block,
		.normals = block && normals ? block + count * 3 : NULL,
		.tangents = block && tangents ? block + count * 6 : NULL,
	};
	return block;
}

/* Makes the file of a prepared pose. */
static bool finish_mesh(struct renderer *renderer, const struct mesh_job *job,
	const struct prepared *prepared, struct arena *arena, double *mark, struct buffer *glb,
	struct skinning_report *report, struct error *err) {
	struct streams streams;
	bool ok = make_streams(job, (size_t)prepared->rig->vertex_count, &streams, err) &&
		streams_check(&streams, prepared->rig, err) && stop_check(job->subject.stop, err) &&
		skin_streams(renderer, prepared, &streams, err);
	prepared_add_outcome(prepared, report);
	report->times.skin_s = clock_lap_s(mark);
	ok = ok && stop_check(job->subject.stop, err);
	if (ok) {
		const bool *mirrored = prepared_mirrored(prepared, arena);
		streams_turn_outwards(&streams, prepared->rig, mirrored);
		ok = write_mesh(job, prepared->rig, &streams, mirrored, glb, err);
		report->times.encode_s = clock_lap_s(mark);
	}
	free(streams.positions);
	return ok;
}

bool renderer_mesh_glb(struct renderer *renderer, const struct mesh_job *job, struct buffer *glb,
	struct skinning_report *report, struct error *err) {
	double mark = clock_now_s();
	struct arena *arena = arena_create();
	struct prepared prepared;
	const struct prepare_params params = {
		.subject = job->subject,
	};
	bool ok = prepare(renderer, &params, arena, &prepared, err);
	if (ok) {
		*report = prepared_report(&prepared);
		report->times.pose_s = clock_lap_s(&mark);
		ok = finish_mesh(renderer, job, &prepared, arena, &mark, glb, report, err);
		prepared_finish(&prepared);
	}
	arena_destroy(arena);
	return ok;
}
