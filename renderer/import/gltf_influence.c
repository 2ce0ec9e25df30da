// The influences of one primitive: read, put through the weight policy, packed.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/gltf_facts.h"
#include "import/gltf_primitive.h"
#include "import/limits.h"
#include "model/weights.h"

static bool read_raw(struct gltf *gltf, const struct gltf_piece *piece,
	struct gltf_raw_influences *raw, struct error *err) {
	const size_t set = raw->vertex_count * 4;
	raw->joints = try_calloc(raw->set_count, set * sizeof *raw->joints, "joints", err);
	raw->weights = try_calloc(raw->set_count, set * sizeof *raw->weights, "weights", err);
	if (!raw->joints || !raw->weights) {
		return false;
	}
	for (size_t i = 0; i < raw->set_count; i++) {
		const struct gltf_primitive *source = piece->source;
		if (!gltf_accessor_integers(gltf, source->joints[i], &raw->joints[i * set], err) ||
			!gltf_accessor_floats(
				gltf, source->weights[i], &raw->weights[i * set], err)) {
			return false;
		}
	}
	return true;
}

/* A joint that does not exist is tolerated where it has no weight; else the file means something
 * that it does not say. */
static bool check_joints(
	const struct gltf_piece *piece, const struct gltf_raw_influences *raw, struct error *err) {
	const size_t set = raw->vertex_count * 4;
	for (size_t i = 0; i < raw->set_count * set; i++) {
		if (raw->joints[i] >= raw->slot_count && raw->weights[i] > 0) {
			return error_set(err, ERROR_BROKEN_ASSET,
				"%s.attributes.JOINTS_%zu: vertex %zu names joint %u, but "
				"skins[%d] has only %u",
				piece->place, i / set, i % set / 4, raw->joints[i], piece->skin,
				raw->slot_count);
		}
	}
	return true;
}

/* Puts one vertex through the policy; returns how many influences it uses. */
static int apply(const struct gltf_raw_influences *raw, size_t vertex, struct influence *influences,
	struct weight_flaws *flaws) {
	const size_t set = raw->vertex_count * 4;
	int count = 0;
	for (size_t i = 0; i < raw->set_count; i++) {
		for (size_t k = 0; k < 4; k++) {
			const size_t at = i * set + vertex * 4 + k;
			influences[count++] =
				(struct influence){raw->joints[at], (double)raw->weights[at]};
		}
	}
	return weights_apply(influences, count, raw->slot_count, flaws);
}

/* Writes what the policy makes of all vertices, width influences each; unused ones get weight 0 and
 * the pivot's slot. Returns the most that any vertex uses. */
static int apply_all(struct rig *rig, const struct primitive *target,
	const struct gltf_raw_influences *raw, int width, struct weight_flaws *flaws) {
	struct influence influences[IMPORT_INFLUENCE_SETS_MAX * 4];
	uint16_t *slots = &rig->influence_slots[target->first_influence];
	float *weights = &rig->influence_weights[target->first_influence];
	int most = 0;
	for (size_t vertex = 0; vertex < raw->vertex_count; vertex++) {
		const int used = apply(raw, vertex, influences, flaws);
		for (int k = 0; k < width; k++) {
			*slots++ = (uint16_t)influences[k < used ? k : 0].slot;
			*weights++ = k < used ? (float)influences[k].weight : 0;
		}
		most = used > most ? used : most;
	}
	return most;
}

/* Drops the influences that no vertex uses: the first kept of every width move together. */
static void compact(struct rig *rig, const struct primitive *target, size_t width, size_t kept) {
	uint16_t *slots = &rig->influence_slots[target->first_influence];
	float *weights = &rig->influence_weights[target->first_influence];
	for (size_t vertex = 1; kept < width && vertex < (size_t)target->vertex_count; vertex++) {
		memmove(&slots[vertex * kept], &slots[vertex * width], kept * sizeof *slots);
		memmove(&weights[vertex * kept], &weights[vertex * width], kept * sizeof *weights);
	}
}

static void fill_rigid(struct rig *rig, struct primitive *target) {
	target->influence_count = 1;
	for (int i = 0; i < target->vertex_count; i++) {
		rig->influence_slots[target->first_influence + (size_t)i] = 0;
		rig->influence_weights[target->first_influence + (size_t)i] = 1;
	}
}

static bool fill_skinned(struct gltf *gltf, const struct gltf_piece *piece, struct error *err) {
	struct primitive *target = piece->target;
	struct weight_flaws flaws = {0};
	struct gltf_raw_influences raw = {
		.set_count = (size_t)piece->source->set_count,
		.vertex_count = (size_t)target->vertex_count,
		.slot_count = (uint32_t)target->slot_count,
	};
	const bool sound = read_raw(gltf, piece, &raw, err) &&
		(gltf->facts ? gltf_facts_look_at_weights(gltf, piece, &raw, err)
			     : check_joints(piece, &raw, err));
	if (sound) {
		const int width = 4 * piece->source->set_count;
		const int most = apply_all(gltf->rig, target, &raw, width, &flaws);
		target->influence_count = (most + 3) / 4 * 4;
		compact(gltf->rig, target, (size_t)width, (size_t)target->influence_count);
		weights_warn(gltf->rig, piece->place, &flaws);
		if (flaws.loose > 0 && flaws.sum == 0 && flaws.zero == 0) {
			gltf_breach_at(gltf, GLTF_ACCESSOR_WEIGHTS_NON_NORMALIZED, piece->place,
				"weights of %zu vertices sum to 1 only roughly; divided by their "
				"sum",
				flaws.loose);
		}
	}
	free(raw.joints);
	free(raw.weights);
	return sound;
}

bool gltf_fill_influences(struct gltf *gltf, const struct gltf_piece *piece, struct error *err) {
	struct rig *rig = gltf->rig;
	struct primitive *target = piece->target;
	target->first_influence = rig->influence_count;
	if (piece->skin < 0) {
		fill_rigid(rig, target);
	} else if (!fill_skinned(gltf, piece, err)) {
		return false;
	}
	rig->influence_count += (size_t)target->vertex_count * (size_t)target->influence_count;
	return true;
}
