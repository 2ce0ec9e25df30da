// The weight of one joint on the heat scale, or of all joints in their colours.
#include <stdlib.h>
#include <string.h>

#include "base/srgb.h"
#include "image/canvas.h"
#include "pose/find.h"
#include "shading/legend.h"
#include "shading/shading.h"
#include "skinned/influences.h"

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

/* The sum of all weights on each joint, [joint_count] in the arena. */
static double *weights_of(const struct rig *rig, struct arena *arena) {
	double *weights = arena_alloc(arena, (size_t)rig->joint_count, sizeof *weights);
	influences_sum(rig, weights);
	return weights;
}

/* Adds the mixed colours of all vertices to values, [rig->vertex_count]; known: of the same joints,
 * whose weights decide on their colours. */
static void add_colors(
	const struct rig *rig, const struct rig *known, struct arena *arena, float (*values)[3]) {
	const size_t joints = (size_t)rig->joint_count;
	unsigned char(*colors)[3] = arena_alloc(arena, joints, sizeof *colors);
	float(*light)[3] = arena_alloc(arena, joints, sizeof *light);
	palette_fill(known, weights_of(known, arena), arena, colors);
	for (size_t i = 0; i < joints; i++) {
		for (int k = 0; k < 3; k++) {
			light[i][k] = (float)srgb_to_linear(colors[i][k] / 255.0);
		}
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		for (size_t v = 0; v < (size_t)primitive->vertex_count; v++) {
			mix(rig, primitive, v, (const float(*)[3])light,
				values[(size_t)primitive->first_vertex + v]);
		}
	}
}

void shading_joint_colors(const struct rig *rig, struct arena *arena, float (*out)[3]) {
	memset(out, 0, (size_t)rig->vertex_count * sizeof *out);
	add_colors(rig, rig, arena, out);
}

static bool paint_all(const struct shading_job *job, struct paint *out) {
	float(*values)[3] = arena_alloc(job->arena, (size_t)job->rig->vertex_count, sizeof *values);
	add_colors(job->rig, job->known, job->arena, values);
	out->shader = "paint_colors.frag";
	out->values = values[0];
	out->width = 3;
	return true;
}

static bool paint(const struct shading_job *job, struct paint *out, struct error *err) {
	return job->settings->joint ? paint_one(job, out, err) : paint_all(job, out);
}

/* A joint and the sum of all weights on it. */
struct load {
	int joint;
	double weight;
};

/* Greatest first; of equals in the rig's order. */
static int by_weight(const void *a, const void *b) {
	const struct load *x = a, *y = b;
	return x->weight != y->weight ? (x->weight < y->weight ? 1 : -1) : x->joint - y->joint;
}

static struct load *sort_loads(const struct rig *rig, const double *weights, struct arena *arena) {
	struct load *loads = arena_alloc(arena, (size_t)rig->joint_count, sizeof *loads);
	for (int i = 0; i < rig->joint_count; i++) {
		loads[i] = (struct load){i, weights[i]};
	}
	qsort(loads, (size_t)rig->joint_count, sizeof *loads, by_weight);
	return loads;
}

static void explain_all(const struct shading_job *job, struct shading_legend *out) {
	const struct rig *rig = job->known;
	const size_t joints = (size_t)rig->joint_count;
	const double *weights = weights_of(rig, job->arena);
	unsigned char(*palette)[3] = arena_alloc(job->arena, joints, sizeof *palette);
	palette_fill(rig, weights, job->arena, palette);
	const struct load *loads = sort_loads(rig, weights, job->arena);
	struct list_entry *colors = arena_alloc(job->arena, joints, sizeof *colors);
	for (size_t i = 0; i < joints && loads[i].weight > 0; i++) {
		memcpy(colors[i].rgb, palette[loads[i].joint], sizeof colors[i].rgb);
		colors[i].label = joint_label(&rig->joints[loads[i].joint], job->arena);
		out->count++;
	}
	out->colors = colors;
}

static bool explain(const struct shading_job *job, struct shading_legend *out, struct error *err) {
	if (!job->settings->joint) {
		explain_all(job, out);
		return true;
	}
	const int joint = pose_read_joint(job->known, job->settings->joint, err);
	if (joint >= 0) {
		out->caption = arena_printf(job->arena, "weights of %s",
			joint_label(&job->known->joints[joint], job->arena));
	}
	return joint >= 0;
}

const struct shading_mode shading_weights = {.paint = paint, .explain = explain};
