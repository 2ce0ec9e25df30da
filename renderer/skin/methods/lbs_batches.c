// The data of linear blend skinning in batches.
#include "skin/batches.h"
#include "skin/methods/lbs_variants.h"

static enum lbs_impl impl_of(const struct skin_options *options) {
	return (enum lbs_impl)options->values[LBS_OPTION_IMPL];
}

int lbs_batch_limit(enum lbs_impl impl) {
	return impl == LBS_FFP1    ? LBS_FFP1_MATRICES
		: impl == LBS_FFP2 ? LBS_FFP2_MATRICES
		: impl == LBS_CG4M ? LBS_CG4M_MATRICES
				   : 0;
}

static bool is_needed(const struct skin_options *options) {
	return lbs_batch_limit(impl_of(options)) > 0;
}

bool lbs_check_influences(const struct rig *rig, enum lbs_impl impl, struct error *err) {
	if (lbs_batch_limit(impl) == 0 && impl != LBS_VSP2) {
		return true;
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		if (primitive->influence_count > 4) {
			return error_set(err, ERROR_INVALID_VALUE,
				"this \"impl\" takes 4 influences a vertex, and primitive %d of "
				"mesh %d has %d; vsp3, vsp1 and sw take any number",
				primitive->primitive, primitive->mesh, primitive->influence_count);
		}
	}
	return true;
}

/* A batch's rows on their way into the data. */
struct writer {
	const struct rig *rig;
	const struct primitive *primitive;
	enum lbs_impl impl;
	const uint32_t *slots; // of the batch
	float *weights;        // of all rows
	uint32_t *indices;
};

static uint32_t index_of(const struct writer *writer, uint16_t slot) {
	uint32_t i = 0;
	while (writer->slots[i] != (uint32_t)writer->primitive->first_slot + slot) {
		i++;
	}
	return i;
}

static void write_influence(
	const struct writer *writer, size_t row, size_t k, uint32_t index, float weight) {
	if (writer->impl == LBS_FFP1) {
		if (index < 3) {
			writer->weights[row * 3 + index] += weight;
		}
	} else if (writer->impl == LBS_FFP2) {
		if (k < 3) {
			writer->weights[row * 3 + k] = weight;
		}
		writer->indices[row] |= index << (8 * k);
	} else {
		writer->weights[row * 4 + k] = weight;
		((float *)(void *)writer->indices)[row * 4 + k] = 3.0f * (float)index;
	}
}

/* Influences without weight, whose joints the batch need not have, take the pivot's. */
static void write_vertex(const struct writer *writer, size_t row, size_t influence) {
	const uint16_t *slots = writer->rig->influence_slots + influence;
	const float *weights = writer->rig->influence_weights + influence;
	for (size_t k = 0; k < 4; k++) {
		const bool used = k < (size_t)writer->primitive->influence_count && weights[k] > 0;
		write_influence(writer, row, k, index_of(writer, slots[used ? k : 0]),
			used ? weights[k] : 0);
	}
}

static void write_rows(
	const struct writer *writer, const struct skin_batch *batch, uint32_t *rows) {
	const struct primitive *primitive = writer->primitive;
	for (size_t row = batch->first_row; row < batch->first_row + batch->row_count; row++) {
		const uint32_t vertex = rows[row * 2] & ~BATCH_REPEATED;
		const size_t influence = primitive->first_influence +
			(size_t)(vertex - (uint32_t)primitive->first_vertex) *
				(size_t)primitive->influence_count;
		rows[row * 2 + 1] = (uint32_t)influence;
		write_vertex(writer, row, influence);
	}
}

/* Matrices of a batch: as many as it has joints, but always four for the way that has no indices.
 */
static uint32_t matrix_count(enum lbs_impl impl, const struct skin_batch *batch) {
	return impl == LBS_FFP1 ? LBS_FFP1_MATRICES : batch->matrix_count;
}

static struct skin_data *create(
	const struct batches *batches, enum lbs_impl impl, struct error *err) {
	size_t matrices = 0;
	for (size_t i = 0; i < batches->count; i++) {
		matrices += matrix_count(impl, &batches->list[i]);
	}
	const size_t rows = batches->row_count;
	const size_t lengths[LBS_SECTIONS] = {
		[LBS_BATCHES] = batches->count * sizeof(struct skin_batch) / sizeof(uint32_t),
		[LBS_SLOTS] = matrices,
		[LBS_ROWS] = rows * 2,
		[LBS_WEIGHTS] = rows * (impl == LBS_CG4M ? 4 : 3),
		[LBS_INDICES] = impl == LBS_FFP1 ? 0
			: impl == LBS_FFP2       ? rows
						 : rows * 4,
	};
	return skin_data_create(lengths, LBS_SECTIONS, err);
}

/* Lays the batches out. Matrices that pad one repeat its last. */
static void fill(const struct rig *rig, const struct batches *batches, enum lbs_impl impl,
	struct skin_data *data) {
	struct skin_batch *list = (void *)skin_data_words(data, LBS_BATCHES);
	uint32_t *slots = skin_data_words(data, LBS_SLOTS);
	uint32_t *rows = skin_data_words(data, LBS_ROWS);
	uint32_t matrix = 0;
	for (size_t i = 0; i < batches->row_count; i++) {
		rows[i * 2] = batches->rows[i];
	}
	for (size_t i = 0; i < batches->count; i++) {
		const struct skin_batch *from = &batches->list[i];
		list[i] = *from;
		list[i].first_matrix = matrix;
		list[i].matrix_count = matrix_count(impl, from);
		for (uint32_t k = 0; k < list[i].matrix_count; k++) {
			const uint32_t last = from->matrix_count - 1;
			slots[matrix++] =
				batches->slots[from->first_matrix + (k < last ? k : last)];
		}
		const struct writer writer = {
			.rig = rig,
			.primitive = &rig->primitives[from->primitive],
			.impl = impl,
			.slots = slots + list[i].first_matrix,
			.weights = skin_data_floats(data, LBS_WEIGHTS),
			.indices = skin_data_words(data, LBS_INDICES),
		};
		write_rows(&writer, from, rows);
	}
}

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	const enum lbs_impl impl = impl_of(job->options);
	struct batches batches;
	if (!lbs_check_influences(job->rig, impl, err) ||
		!batches_make(job->rig, lbs_batch_limit(impl), job->stop, &batches, err)) {
		return NULL;
	}
	struct skin_data *data = create(&batches, impl, err);
	if (data) {
		fill(job->rig, &batches, impl, data);
	}
	batches_finish(&batches);
	return data;
}

const struct skin_recipe lbs_recipe = {
	.name = "lbs",
	.version = 2,
	.is_needed = is_needed,
	.derive = derive,
};

const struct skin_batch *lbs_batches(const struct skin_data *data, size_t *count) {
	*count = data ? data->lengths[LBS_BATCHES] * sizeof(uint32_t) / sizeof(struct skin_batch)
		      : 0;
	return data ? (const void *)skin_data_read_words(data, LBS_BATCHES) : NULL;
}

size_t lbs_extra_floats(const struct rig *rig, const struct skin_data *data) {
	(void)rig;
	return data ? (size_t)data->lengths[LBS_SLOTS] * LBS_BATCH_FLOATS : 0;
}

void lbs_write_batches(const struct prepare_job *job, float *extra) {
	const uint32_t *slots = skin_data_read_words(job->data, LBS_SLOTS);
	const size_t count = job->data ? job->data->lengths[LBS_SLOTS] : 0;
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < LBS_BATCH_FLOATS; k++) {
			extra[i * LBS_BATCH_FLOATS + k] = (float)job->matrices[slots[i]][k];
		}
	}
}
