// The shadow that the key light casts on figures and on the ground.
#include "picture/key.h"

#include "picture/ground.h"
#include "state/state.h"

bool picture_check_key(const struct picture_settings *picture, struct error *err) {
	return picture->look.shadow != SHADOW_CAST || picture->shading.mode == SHADING_MATERIAL ||
		error_at(err, ERROR_INVALID_VALUE, "/shadow",
			"shadows are cast in the light of the shading \"material\"; ask for a "
			"\"contact\" shadow");
}

bool picture_begin_key(struct renderer *renderer, const struct picture_settings *picture,
	const struct bounds *box, const struct footing *footing, struct draw_job *job,
	struct key_light *room, struct error *err) {
	const struct key_subject subject = {*box, footing->box.min[1], footing->size};
	struct back_end *back_end = renderer->back_end;
	if (picture->look.shadow != SHADOW_CAST || !footing_has_shadow(footing)) {
		return true;
	}
	if (!key_light_find(&job->look, job->eye, &subject, room)) {
		return error_at(err, ERROR_INVALID_VALUE, "/shadow",
			"no light casts shadows here: take the \"studio\" environment, or a file "
			"with a directional or a spot light");
	}
	job->look.key = room;
	return back_end->kind->begin_key(back_end, room, err);
}
