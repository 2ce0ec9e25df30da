// The data of direct delta mush.
#include "skin/ddm_data.h"

#include "mesh/ddm.h"
#include "mesh/ddm_weights.h"

static struct ddm_settings settings_of(const struct skin_options *options) {
	const double *values = options->values;
	return (struct ddm_settings){
		.laplacian = (enum laplacian_kind)values[DDM_OPTION_LAPLACIAN],
		.lambda = values[DDM_OPTION_LAMBDA],
		.times = (int)values[DDM_OPTION_TIMES],
		.kappa = values[DDM_OPTION_KAPPA],
		.alpha = values[DDM_OPTION_ALPHA],
	};
}

/* Where the six second moments stand in a symmetric matrix. */
static const int places[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

/* T Omega: rows of S + p f^T, f + w p; then f^T, w. */
static void write_omega(const struct ddm_joint *joint, const double p[static 3], float *out) {
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 3; column++) {
			out[row * 4 + column] = (float)(joint->second[places[row][column]] +
				p[row] * joint->first[column]);
		}
		out[row * 4 + 3] = (float)(joint->first[row] + joint->weight * p[row]);
		out[12 + row] = (float)joint->first[row];
	}
	out[15] = (float)joint->weight;
}

static void write_joints(
	const struct mesh_surface *surface, const struct ddm *ddm, struct skin_data *data) {
	uint32_t *slots = skin_data_words(data, DDM_SLOTS);
	float *omegas = skin_data_floats(data, DDM_OMEGAS);
	for (int point = 0; point < surface->point_count; point++) {
		for (int i = ddm->starts[point]; i < ddm->starts[point + 1]; i++) {
			slots[i] = (uint32_t)ddm->joints[i].slot;
			write_omega(&ddm->joints[i], ddm->centres[point], omegas + (size_t)i * 16);
		}
	}
}

static void write_spread(const struct ddm *ddm, int point, float *out) {
	double sums[6] = {0};
	for (int i = ddm->starts[point]; i < ddm->starts[point + 1]; i++) {
		for (int k = 0; k < 6; k++) {
			sums[k] += ddm->joints[i].second[k];
		}
	}
	for (int k = 0; k < 6; k++) {
		out[k] = (float)sums[k];
	}
}

/* Whether a point has surroundings to be turned by. */
static bool is_spread(const struct ddm *ddm, int point) {
	double trace = 0;
	for (int i = ddm->starts[point]; i < ddm->starts[point + 1]; i++) {
		const double *second = ddm->joints[i].second;
		trace += second[0] + second[3] + second[5];
	}
	return trace > 0;
}

static void write_vertices(const struct mesh_surface *surface, const struct ddm *ddm,
	enum ddm_variant variant, struct skin_data *data) {
	uint32_t *ranges = skin_data_words(data, DDM_RANGES);
	float *centres = skin_data_floats(data, DDM_CENTRES);
	for (size_t v = 0; v < (size_t)surface->vertex_count; v++) {
		const int point = surface->points[v];
		const int count = ddm->starts[point + 1] - ddm->starts[point];
		ranges[v * 2] = (uint32_t)ddm->starts[point];
		ranges[v * 2 + 1] = (uint32_t)count;
		for (size_t k = 0; k < 3; k++) {
			centres[v * 4 + k] = (float)ddm->centres[point][k];
		}
		if (variant == DDM_V1) {
			write_spread(ddm, point,
				skin_data_floats(data, DDM_SPREADS) + v * DDM_SPREAD_FLOATS);
		}
		const bool turns = variant == DDM_V0 || variant == DDM_V1;
		data->fallback_vertices += turns && count > 1 && !is_spread(ddm, point);
	}
}

static struct skin_data *pack(const struct mesh_surface *surface, const struct ddm *ddm,
	enum ddm_variant variant, struct error *err) {
	const size_t vertices = (size_t)surface->vertex_count;
	const size_t joints = (size_t)ddm->starts[surface->point_count];
	const size_t lengths[DDM_SECTIONS] = {
		[DDM_RANGES] = vertices * 2,
		[DDM_SLOTS] = joints,
		[DDM_OMEGAS] = joints * 16,
		[DDM_CENTRES] = vertices * 4,
		[DDM_SPREADS] = variant == DDM_V1 ? vertices * DDM_SPREAD_FLOATS : 0,
	};
	struct skin_data *data = skin_data_create(lengths, DDM_SECTIONS, err);
	if (data) {
		write_joints(surface, ddm, data);
		write_vertices(surface, ddm, variant, data);
		data->flags = ddm->truncated > 0 ? SKIN_FLAG_DDM_TRUNC : 0;
	}
	return data;
}

static struct skin_data *make(const struct derive_job *job, const struct mesh_surface *surface,
	const struct watch *watch, struct error *err) {
	const struct ddm_settings settings = settings_of(job->options);
	const enum ddm_variant variant = (enum ddm_variant)job->options->values[DDM_OPTION_VARIANT];
	struct skin_data *data = NULL;
	struct ddm_residual residual = {0};
	struct ddm ddm;
	if (!ddm_init(&ddm, surface, &settings, watch, err)) {
		return NULL;
	}
	if (variant != DDM_V5 || ddm_fit_weights(&ddm, job->rig, surface, watch, &residual, err)) {
		data = pack(surface, &ddm, variant, err);
	}
	if (data) {
		data->residual_max = residual.max;
		data->residual_rms = residual.rms;
	}
	ddm_finish(&ddm);
	return data;
}

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	const struct watch watch = {job->stop, &job->progress->share};
	struct mesh_surface *surface = surface_create(job->rig, &watch, err);
	struct skin_data *data = surface ? make(job, surface, &watch, err) : NULL;
	surface_destroy(surface);
	return data;
}

const struct skin_recipe ddm_recipe = {
	.name = "ddm",
	.version = 1,
	.keep = true,
	.uses_algebra = true,
	.derive = derive,
};
