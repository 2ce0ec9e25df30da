// Prepared poses skinned into the copy on the GPU that a picture is drawn from.
#include "skinned/for_picture.h"

#include "gl/draw.h"
#include "gl/gpu_skin.h"
#include "skinned/skin.h"
#include "skinned/streams.h"
#include "state/state.h"

bool picture_takes_tangents(const struct picture_settings *picture, const struct rig *rig) {
	return picture->shading.mode == SHADING_MATERIAL && draw_takes_tangents(rig);
}

bool picture_skin(struct renderer *renderer, const struct prepared *prepared,
	const struct picture_streams *wanted, struct gpu_rig *gpu, const float **positions,
	struct error *err) {
	const size_t count = (size_t)prepared->rig->vertex_count;
	float *vertices = scratch_get(&renderer->vertices, count * streams_width(wanted->tangents));
	*positions = prepared->on_gpu && !wanted->positions ? NULL : vertices;
	if (!prepared->on_gpu) {
		const struct streams streams = streams_in(vertices, count, wanted->tangents);
		const struct skin_room room = {&renderer->morphed, &renderer->displaced};
		skin_on_cpu(prepared, &room, &streams);
		gpu_rig_put(prepared->rig, gpu->skinned, 0, streams.positions, streams.normals,
			streams.tangents);
		return vertices_check(vertices, count * 3, err);
	}
	return skin_on_gpu(renderer, prepared, wanted->tangents, gpu, err) &&
		((!wanted->positions &&
			 skin_plan_keeps_near(&prepared->plan, &prepared->palette, gpu->reach)) ||
			(gpu_skin_read(gpu, 0, count * 3, vertices, err) &&
				vertices_check(vertices, count * 3, err)));
}
