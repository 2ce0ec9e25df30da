// The visible primitive: its position in the rig's description, counted from 1.
#include "shading/shading.h"

/* The primitive that a piece was cut from: node, mesh and primitive of the file tell it. */
static int known_primitive(const struct rig *known, const struct primitive *piece) {
	int i = 0;
	while (i < known->primitive_count &&
		(known->primitives[i].joint != piece->joint ||
			known->primitives[i].mesh != piece->mesh ||
			known->primitives[i].primitive != piece->primitive)) {
		i++;
	}
	return i;
}

static bool paint(const struct shading_job *job, struct paint *out, struct error *err) {
	(void)err;
	const struct rig *rig = job->rig;
	float *ids = arena_alloc(job->arena, (size_t)rig->primitive_count, sizeof *ids);
	for (int i = 0; i < rig->primitive_count; i++) {
		const bool same = rig->primitive_count == job->known->primitive_count;
		ids[i] = (float)(1 + (same ? i : known_primitive(job->known, &rig->primitives[i])));
	}
	out->shader = "paint_ids.frag";
	out->bytes = true;
	out->of_primitives = ids;
	return true;
}

const struct shading_mode shading_primitive_id = {.pixels = PIXELS_NUMBERS, .paint = paint};
