// Prepared poses skinned into the copy on the GPU that a picture is drawn from.
#include "skinned/for_picture.h"

#include "draw/expressed.h"
#include "draw/material.h"
#include "model/avatar_face.h"
#include "skinned/skin.h"
#include "skinned/streams.h"
#include "state/state.h"

bool picture_takes_tangents(const struct picture_settings *picture, const struct rig *rig) {
	return picture->shading.mode == SHADING_MATERIAL && rig_takes_tangents(rig);
}

bool picture_skin(struct renderer *renderer, const struct prepared *prepared,
	const struct picture_streams *wanted, struct drawn_rig *drawn, const float **positions,
	struct error *err) {
	const struct back_end_kind *kind = renderer->back_end->kind;
	const size_t count = (size_t)prepared->rig->vertex_count;
	float *vertices = scratch_get(&renderer->vertices, count * streams_width(wanted->tangents));
	*positions = prepared->on_gpu && !wanted->positions ? NULL : vertices;
	if (!prepared->on_gpu) {
		const struct streams streams = streams_in(vertices, count, wanted->tangents);
		const struct skin_room room = {&renderer->morphed, &renderer->displaced};
		skin_on_cpu(prepared, &room, &streams);
		kind->put(
			drawn, prepared->rig, streams.positions, streams.normals, streams.tangents);
		return vertices_check(vertices, count * 3, err);
	}
	return skin_on_gpu(renderer, prepared, wanted->tangents, drawn, err) &&
		((!wanted->positions &&
			 skin_plan_keeps_near(&prepared->plan, &prepared->palette, drawn->reach)) ||
			(kind->read_skinned(drawn, 0, count * 3, vertices, err) &&
				vertices_check(vertices, count * 3, err)));
}

const struct rig *picture_rig(const struct prepared *prepared, struct arena *arena) {
	const struct rig *rig = prepared->rig;
	const int joint = rig->avatar ? rig_face_joint(rig) : -1;
	int width;
	float *numbers = joint < 0
		? NULL
		: pose_channel(rig, &prepared->pose, joint, CHANNEL_WEIGHTS, &width);
	if (!numbers) {
		return rig;
	}
	return rig_with_expressions(rig, avatar_face_of(rig->avatar, numbers).shown, arena);
}
