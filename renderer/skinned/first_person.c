// The meshes of a VRM avatar that a picture shows.
#include "skinned/first_person.h"

#include <string.h>

#include "model/head_triangles.h"

/* Indices of a primitive that a view shows, of which the others follow. */
static int shown_indices(
	enum picture_view view, const struct rig *rig, const struct primitive *primitive) {
	const unsigned char *views = rig->avatar->views;
	const bool first = view == VIEW_FIRST_PERSON;
	switch (views ? (enum avatar_view)views[primitive->joint] : AVATAR_VIEW_AUTO) {
	case AVATAR_VIEW_BOTH:
		break;
	case AVATAR_VIEW_THIRD:
		return first ? 0 : primitive->index_count;
	case AVATAR_VIEW_FIRST:
		return first ? primitive->index_count : 0;
	case AVATAR_VIEW_AUTO:
		return first ? head_triangles_first(rig, primitive) : primitive->index_count;
	}
	return primitive->index_count;
}

bool first_person_show(enum picture_view view, const struct rig *rig, bool is_cut,
	struct arena *arena, const struct rig **out, struct error *err) {
	*out = rig;
	if (!rig->avatar || (view == VIEW_THIRD_PERSON && !rig->avatar->views)) {
		return true;
	}
	if (view == VIEW_FIRST_PERSON && is_cut) {
		return error_at(err, ERROR_INVALID_VALUE, "/view",
			"\"view\" is \"first_person\", which needs a skinning method that does not "
			"cut the mesh");
	}
	struct rig *copy = arena_alloc(arena, 1, sizeof *copy);
	struct primitive *primitives =
		arena_alloc(arena, (size_t)rig->primitive_count, sizeof *primitives);
	memcpy(copy, rig, sizeof *copy);
	copy->primitives = primitives;
	for (int i = 0; i < rig->primitive_count; i++) {
		primitives[i] = rig->primitives[i];
		const int shown = shown_indices(view, rig, &rig->primitives[i]);
		// Without indices all vertices are drawn in their order.
		if (shown == 0 && rig->primitives[i].index_count > 0) {
			primitives[i].vertex_count = 0;
		}
		primitives[i].index_count = shown;
	}
	*out = copy;
	return true;
}
