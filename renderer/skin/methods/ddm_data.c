// The data of direct delta mush.
#include "skin/methods/ddm_data.h"

#include <stdlib.h>

#include "base/memory.h"
#include "mesh/ddm.h"
#include "skin/rigid.h"

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

/* The positions of the six second moments in a symmetric matrix. */
static const int places[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

/* A joint's moments in other units. */
static struct ddm_joint in_unit(const struct ddm_joint *joint, double unit) {
	struct ddm_joint scaled = *joint;
	for (int i = 0; i < 6; i++) {
		scaled.second[i] *= unit * unit;
		scaled.first[i % 3] *= i < 3 ? unit : 1;
	}
	return scaled;
}

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

/* The units of what the kernel turns: of the rig where joints are taken apart into rigid motions
 * and stretches, which come first; else of the bind space. units is [primitive_count]. */
static void find_units(const struct rig *rig, enum ddm_variant variant, double *units) {
	const bool linear = variant == DDM_V3 || variant == DDM_V5;
	for (int i = 0; i < rig->primitive_count; i++) {
		units[i] = linear ? 1 : rigid_bind_unit(rig, &rig->primitives[i]);
	}
}

/* The output. */
struct writer {
	const struct rig *rig;
	const struct mesh_surface *surface;
	const struct ddm *ddm;
	enum ddm_variant variant;
	const double *units; // of the primitives
	struct skin_data *data;
};

static void write_point(const struct writer *writer, int point, double unit) {
	uint32_t *slots = skin_data_words(writer->data, DDM_SLOTS);
	float *omegas = skin_data_floats(writer->data, DDM_OMEGAS);
	const struct ddm *ddm = writer->ddm;
	double centre[3];
	for (int k = 0; k < 3; k++) {
		centre[k] = unit * ddm->centres[point][k];
	}
	for (int i = ddm->starts[point]; i < ddm->starts[point + 1]; i++) {
		const struct ddm_joint joint = in_unit(&ddm->joints[i], unit);
		slots[i] = (uint32_t)joint.slot;
		write_omega(&joint, centre, omegas + (size_t)i * 16);
	}
}

/* The sum of second moments; its scale does not count. */
static void write_spread(const struct ddm *ddm, int point, float *out) {
	double sums[6] = {0};
	for (int i = ddm->starts[point]; i < ddm->starts[point + 1]; i++) {
		for (int k = 0; k < 6; k++) {
			sums[k] += ddm->joints[i].second[k];
		}
	}
	const double trace = sums[0] + sums[3] + sums[5];
	for (int k = 0; k < 6; k++) {
		out[k] = trace > 0 ? (float)(sums[k] / trace) : 0;
	}
}

/* True when a point has surroundings to be turned by. */
static bool is_spread(const struct ddm *ddm, int point) {
	double trace = 0;
	for (int i = ddm->starts[point]; i < ddm->starts[point + 1]; i++) {
		const double *second = ddm->joints[i].second;
		trace += second[0] + second[3] + second[5];
	}
	return trace > 0;
}

static void write_vertex(const struct writer *writer, size_t vertex, double unit) {
	const struct ddm *ddm = writer->ddm;
	const int point = writer->surface->points[vertex];
	const int count = ddm->starts[point + 1] - ddm->starts[point];
	uint32_t *range = skin_data_words(writer->data, DDM_RANGES) + vertex * 2;
	float *centre = skin_data_floats(writer->data, DDM_CENTRES) + vertex * 4;
	range[0] = (uint32_t)ddm->starts[point];
	range[1] = (uint32_t)count;
	for (int k = 0; k < 3; k++) {
		centre[k] = (float)(unit * ddm->centres[point][k]);
	}
	if (writer->variant == DDM_V1) {
		float *spreads = skin_data_floats(writer->data, DDM_SPREADS);
		write_spread(ddm, point, spreads + vertex * DDM_SPREAD_FLOATS);
	}
	const bool turns = writer->variant == DDM_V0 || writer->variant == DDM_V1;
	writer->data->fallback_vertices += turns && count > 1 && !is_spread(ddm, point);
}

static void write_all(const struct writer *writer) {
	for (int i = 0; i < writer->rig->primitive_count; i++) {
		const struct primitive *p = &writer->rig->primitives[i];
		for (int v = p->first_vertex; v < p->first_vertex + p->vertex_count; v++) {
			const int point = writer->surface->points[v];
			if (writer->surface->vertices[point] == v) {
				write_point(writer, point, writer->units[i]);
			}
			write_vertex(writer, (size_t)v, writer->units[i]);
		}
	}
}

static struct skin_data *pack(const struct rig *rig, const struct mesh_surface *surface,
	const struct ddm *ddm, enum ddm_variant variant, struct error *err) {
	const size_t vertices = (size_t)surface->vertex_count;
	const size_t joints = (size_t)ddm->starts[surface->point_count];
	const size_t lengths[DDM_SECTIONS] = {
		[DDM_RANGES] = vertices * 2,
		[DDM_SLOTS] = joints,
		[DDM_OMEGAS] = joints * 16,
		[DDM_CENTRES] = vertices * 4,
		[DDM_SPREADS] = variant == DDM_V1 ? vertices * DDM_SPREAD_FLOATS : 0,
	};
	double *units = try_calloc((size_t)rig->primitive_count, sizeof *units, "primitives", err);
	struct skin_data *data = units ? skin_data_create(lengths, DDM_SECTIONS, err) : NULL;
	if (data) {
		find_units(rig, variant, units);
		const struct writer writer = {rig, surface, ddm, variant, units, data};
		write_all(&writer);
		data->flags = ddm->truncated > 0 ? SKIN_FLAG_DDM_TRUNC : 0;
	}
	free(units);
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
		data = pack(job->rig, surface, &ddm, variant, err);
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
