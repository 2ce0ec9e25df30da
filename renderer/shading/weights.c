// How much vertices follow one joint, on the heat scale; or which of all, in the joints' colours.
#include "base/srgb.h"
#include "image/heat.h"
#include "pose/find.h"
#include "renderer_internal.h"
#include "shading/palette.h"

static const unsigned char (*heat_scale(struct arena *arena))[4] {
	unsigned char(*scale)[4] = arena_alloc(arena, PAINT_COLORS, sizeof *scale);
	for (int i = 0; i < PAINT_COLORS; i++) {
		heat_color((double)i / (PAINT_COLORS - 1), scale[i]);
		scale[i][3] = 255;
	}
	return (const unsigned char(*)[4])scale;
}

void shading_heat(const float *shares, struct arena *arena, struct paint *out) {
	out->shader = "paint_scale.frag";
	out->scale = heat_scale(arena);
	out->values = shares;
	out->width = 1;
}

static bool paint_one(const struct shading_job *job, struct paint *out, struct error *err) {
	const int joint = pose_read_joint(job->known, job->settings->joint, err);
	if (joint < 0) {
		return false;
	}
	float *shares = arena_alloc(job->arena, (size_t)job->rig->vertex_count, sizeof *shares);
	influences_of_joint(job->rig, joint, shares);
	shading_heat(shares, job->arena, out);
	return true;
}

/* Mixes a vertex' colour from those of its joints, in linear light. */
static void mix(const struct rig *rig, const struct primitive *primitive, size_t vertex,
	const float (*light)[3], float color[static 3]) {
	const size_t count = (size_t)primitive->influence_count;
	const size_t first = primitive->first_influence + vertex * count;
	for (size_t i = first; i < first + count; i++) {
		const int slot = primitive->first_slot + rig->influence_slots[i];
		for (int k = 0; k < 3; k++) {
			color[k] += rig->influence_weights[i] * light[rig->slots[slot].joint][k];
		}
	}
}

static bool paint_all(const struct shading_job *job, struct paint *out) {
	const struct rig *rig = job->rig;
	const size_t joints = (size_t)rig->joint_count;
	unsigned char(*colors)[3] = arena_alloc(job->arena, joints, sizeof *colors);
	float(*light)[3] = arena_alloc(job->arena, joints, sizeof *light);
	palette_fill(rig, job->arena, colors);
	for (size_t i = 0; i < joints; i++) {
		for (int k = 0; k < 3; k++) {
			light[i][k] = (float)srgb_to_linear(colors[i][k] / 255.0);
		}
	}
	float *values = arena_alloc(job->arena, (size_t)rig->vertex_count, 3 * sizeof *values);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		for (size_t v = 0; v < (size_t)primitive->vertex_count; v++) {
			mix(rig, primitive, v, (const float(*)[3])light,
				values + ((size_t)primitive->first_vertex + v) * 3);
		}
	}
	out->shader = "paint_colors.frag";
	out->values = values;
	out->width = 3;
	return true;
}

static bool paint(const struct shading_job *job, struct paint *out, struct error *err) {
	return job->settings->joint ? paint_one(job, out, err) : paint_all(job, out);
}

const struct shading_mode shading_weights = {.paint = paint};
