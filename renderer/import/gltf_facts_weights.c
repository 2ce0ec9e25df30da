// Notes of a lenient import on joints and weights.
#include <math.h>

#include "import/gltf_facts_notes.h"
#include "import/gltf_primitive.h"

/* The flaws of a primitive's weights. */
struct weighing {
	const struct gltf_raw_influences *raw;
	double half_step; // of the coarsest integers; 0 = floats
	struct gltf_facts_flaw sum, strict, zero, invalid, index, twice;
};

/* The weights of one vertex. */
struct vertex {
	double sum; // of the valid ones
	int used;   // > 0
	bool invalid, outside, twice;
};

static bool is_weight(float weight) {
	return isfinite(weight) && weight >= 0;
}

/* True where one before it has a weight on the same joint. */
static bool is_twice(const struct gltf_raw_influences *raw, size_t vertex, size_t influence) {
	const size_t own = gltf_raw_influence(raw, vertex, influence);
	for (size_t i = 0; i < influence; i++) {
		const size_t at = gltf_raw_influence(raw, vertex, i);
		if (raw->joints[at] == raw->joints[own] && is_weight(raw->weights[at]) &&
			raw->weights[at] > 0) {
			return true;
		}
	}
	return false;
}

static struct vertex read_vertex(const struct gltf_raw_influences *raw, size_t index) {
	struct vertex vertex = {0};
	for (size_t i = 0; i < 4 * raw->set_count; i++) {
		const size_t at = gltf_raw_influence(raw, index, i);
		const float weight = raw->weights[at];
		const bool valid = is_weight(weight);
		vertex.invalid |= !valid;
		vertex.outside |= weight > 0 && raw->joints[at] >= raw->slot_count;
		if (valid && weight > 0) {
			vertex.sum += (double)weight;
			vertex.used++;
			vertex.twice |= is_twice(raw, index, i);
		}
	}
	return vertex;
}

static void weigh(struct weighing *weighing, size_t index) {
	const struct vertex vertex = read_vertex(weighing->raw, index);
	const double off = fabs(vertex.sum - 1);
	const bool integers = weighing->half_step > 0;
	const double most = integers ? weighing->half_step : ASSET_FACTS_WEIGHT_SUM;
	const double strict =
		integers ? weighing->half_step : ASSET_FACTS_WEIGHT_SUM_STRICT * vertex.used;
	if (vertex.invalid) {
		gltf_facts_note(&weighing->invalid, index, 0);
	} else if (vertex.sum < ASSET_FACTS_WEIGHT_SUM_MIN) {
		gltf_facts_note(&weighing->zero, index, 0);
	} else {
		if (off > most) {
			gltf_facts_note(&weighing->sum, index, off);
		}
		if (off > strict) {
			gltf_facts_note(&weighing->strict, index, off);
		}
	}
	if (vertex.outside) {
		gltf_facts_note(&weighing->index, index, 0);
	}
	if (vertex.twice) {
		gltf_facts_note(&weighing->twice, index, 0);
	}
}

/* Half a step of the coarsest integers; 0 where one of the sets is of floats. */
static double half_step(const struct gltf *gltf, const struct gltf_primitive *source) {
	double most = 0;
	for (int i = 0; i < source->set_count; i++) {
		const double step = gltf_facts_step(gltf->accessors[source->weights[i]].component);
		if (step == 0) {
			return 0;
		}
		most = fmax(most, step / 2);
	}
	return most;
}

bool gltf_facts_look_at_weights(struct gltf *gltf, const struct gltf_piece *piece,
	const struct gltf_raw_influences *raw, struct error *err) {
	struct weighing weighing = {.raw = raw, .half_step = half_step(gltf, piece->source)};
	for (size_t i = 0; i < raw->vertex_count; i++) {
		weigh(&weighing, i);
	}
	return gltf_facts_keep(gltf, VERTEX_WEIGHT_SUM, &weighing.sum, err) &&
		gltf_facts_keep(gltf, VERTEX_WEIGHT_SUM_STRICT, &weighing.strict, err) &&
		gltf_facts_keep(gltf, VERTEX_WEIGHT_ZERO, &weighing.zero, err) &&
		gltf_facts_keep(gltf, VERTEX_WEIGHT_INVALID, &weighing.invalid, err) &&
		gltf_facts_keep(gltf, VERTEX_JOINT_INDEX, &weighing.index, err) &&
		gltf_facts_keep(gltf, VERTEX_JOINT_TWICE, &weighing.twice, err);
}
