// Fewer influences.
#include "skin/plan.h"

#include <math.h>
#include <string.h>

/* As many as a file may have for a vertex: all are kept. */
#define MOST 256

static const struct skin_option kmax_option = {
	.name = "kmax",
	.title = "how many influences a vertex keeps, the greatest",
	.kind = SKIN_OPTION_INTEGER,
	.least = 1,
	.most = MOST,
	.standard = MOST,
	.derives = true,
};

static const struct skin_option *const options_list[] = {&kmax_option, NULL};

bool kmax_read(const struct skinning_settings *settings, struct skin_options *options, bool *wanted,
	struct error *err) {
	*options = skin_options_standard(options_list);
	const bool ok =
		skin_option_read_member(&kmax_option, settings->object, &options->values[0], err);
	*wanted = ok && options->values[0] < MOST;
	return ok;
}

/* Influences that a primitive then has room for: 1, or a multiple of 4. */
static int room_of(const struct primitive *primitive, int kmax) {
	const int room = kmax == 1 ? 1 : (kmax + 3) / 4 * 4;
	return room < primitive->influence_count ? room : primitive->influence_count;
}

/* Keeps a vertex' first kmax; out has room for as many as room. */
static void keep(const uint16_t *slots, const float *weights, int count, int kmax, int room,
	uint16_t *out_slots, float *out_weights) {
	double kept = 0, lost = 0;
	for (int k = 0; k < count; k++) {
		*(k < kmax ? &kept : &lost) += (double)weights[k];
	}
	for (int k = 0; k < room; k++) {
		const bool keeps = k < kmax && k < count && weights[k] > 0;
		// If nothing is removed, weights keep their bits.
		const double weight = keeps ? (double)weights[k] / (lost > 0 ? kept : 1) : 0;
		out_slots[k] = keeps ? slots[k] : slots[0];
		out_weights[k] = (float)weight;
	}
}

/* The greatest weight that any vertex of the rig loses. */
static float greatest_loss(const struct rig *rig, int kmax) {
	float most = 0;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		for (size_t v = 0; v < (size_t)p->vertex_count; v++) {
			const float *weights = rig->influence_weights + p->first_influence +
				v * (size_t)p->influence_count;
			float lost = 0;
			for (int k = kmax; k < p->influence_count; k++) {
				lost += weights[k];
			}
			most = fmaxf(most, lost);
		}
	}
	return most;
}

static bool make_room(struct rig *out, int kmax, struct error *err) {
	size_t count = 0;
	for (int i = 0; i < out->primitive_count; i++) {
		const struct primitive *p = &out->primitives[i];
		count += (size_t)p->vertex_count * (size_t)room_of(p, kmax);
	}
	out->influence_count = count;
	out->influence_slots =
		rig_storage(out, count, sizeof *out->influence_slots, "influences", err);
	out->influence_weights = out->influence_slots
		? rig_storage(out, count, sizeof *out->influence_weights, "influences", err)
		: NULL;
	return out->influence_weights;
}

static struct rig *truncate_rig(const struct rig *rig, int kmax, struct error *err) {
	struct rig *out = rig_create_variant(rig, err);
	if (!out || !make_room(out, kmax, err)) {
		rig_release(out);
		return NULL;
	}
	size_t to = 0;
	for (int i = 0; i < out->primitive_count; i++) {
		struct primitive *p = &out->primitives[i];
		const int count = p->influence_count, room = room_of(p, kmax);
		const size_t from = p->first_influence;
		p->first_influence = to;
		p->influence_count = room;
		for (size_t v = 0; v < (size_t)p->vertex_count; v++, to += (size_t)room) {
			const size_t at = from + v * (size_t)count;
			keep(rig->influence_slots + at, rig->influence_weights + at, count, kmax,
				room, out->influence_slots + to, out->influence_weights + to);
		}
	}
	return out;
}

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	const int kmax = (int)job->options->values[0];
	const float lost = greatest_loss(job->rig, kmax);
	struct skin_data *data = skin_data_create(NULL, 0, err);
	if (!data || lost == 0) {
		return data;
	}
	data->rig = truncate_rig(job->rig, kmax, err);
	data->flags = SKIN_FLAG_W_TRUNC;
	data->dropped_weight = (double)lost;
	if (!data->rig) {
		skin_data_release(data);
		return NULL;
	}
	return data;
}

static const struct skin_recipe recipe = {
	.name = "kmax", .version = 1, .makes_rig = true, .derive = derive};

const struct skinning_method kmax_step = {
	.id = "kmax",
	.options = options_list,
	.recipe = &recipe,
};
