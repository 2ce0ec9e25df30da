// The visible primitive: its position in the rig's description, counted from 1.
#include <string.h>

#include "shading/shading.h"

static bool is_of(const struct rig *known, const struct primitive *whole, const struct rig *rig,
	const struct primitive *piece) {
	const double *a = rig_place_within_joint(known, whole);
	const double *b = rig_place_within_joint(rig, piece);
	return whole->joint == piece->joint && whole->mesh == piece->mesh &&
		whole->primitive == piece->primitive && !a == !b &&
		(!a || memcmp(a, b, 12 * sizeof *a) == 0);
}

/* The primitive that a piece was cut from: node, mesh, primitive and instance of the file tell it.
 */
static int known_primitive(
	const struct rig *known, const struct rig *rig, const struct primitive *piece) {
	int i = 0;
	while (i < known->primitive_count && !is_of(known, &known->primitives[i], rig, piece)) {
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
		ids[i] = (float)(1 +
			(same ? i : known_primitive(job->known, rig, &rig->primitives[i])));
	}
	out->shader = "paint_ids.frag";
	out->bytes = true;
	out->of_primitives = ids;
	return true;
}

const struct shading_mode shading_primitive_id = {.pixels = PIXELS_NUMBERS, .paint = paint};
