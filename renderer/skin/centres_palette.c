// Rotation centres: where they are in a pose.
#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/vec.h"
#include "skin/centres.h"
#include "skin/motion.h"

/* METHODS A10: below this greatest eigenvalue the rotations count as equal, below this share of it
 * a direction as undetermined. */
#define LEAST_TURN 1e-10
#define LEAST_SHARE 1e-6

/* METHODS A10: how many times as far as its joints a set's centre may be. */
#define REACH 10

static size_t set_count(const struct skin_data *data) {
	return data->lengths[CENTRES_STARTS] - 1;
}

size_t centres_extra_floats(const struct rig *rig, const struct skin_data *data) {
	return ((size_t)rig->slot_count + set_count(data)) * CENTRES_ROW_FLOATS;
}

/* The difference between the motions of a set's joints: around the least squares (METHODS A10) of
 * the point where they agree, counted from the anchor. The sum over all pairs equals the number of
 * joints times the sum of the differences from their mean, at a fraction of the cost. */
struct spread {
	double matrix[9]; // N, rows
	double right[3];  // g: N (r - anchor) = g
};

static void add_deviation(const double deviation[static 12], double by, struct spread *spread) {
	for (int i = 0; i < 3; i++) {
		for (int row = 0; row < 3; row++) {
			const double scaled = by * deviation[row * 4 + i];
			for (int j = 0; j < 3; j++) {
				spread->matrix[i * 3 + j] += scaled * deviation[row * 4 + j];
			}
			spread->right[i] -= scaled * deviation[row * 4 + 3];
		}
	}
}

/* M with the anchor's image in the place of the translation. */
static void count_from(
	const double m[static 12], const double anchor[static 3], double out[static 12]) {
	double image[3];
	memcpy(out, m, 12 * sizeof *out);
	mat_map_point(m, anchor, image);
	for (int row = 0; row < 3; row++) {
		out[row * 4 + 3] = image[row];
	}
}

static struct spread spread_of(const double (*motions)[12], const uint32_t *slots, int count,
	const double anchor[static 3]) {
	struct spread spread = {{0}, {0}};
	double mean[12] = {0}, moved[12];
	for (int k = 0; k < count; k++) {
		count_from(motions[slots[k]], anchor, moved);
		for (int i = 0; i < 12; i++) {
			mean[i] += moved[i] / count;
		}
	}
	for (int k = 0; k < count; k++) {
		count_from(motions[slots[k]], anchor, moved);
		for (int i = 0; i < 12; i++) {
			moved[i] -= mean[i];
		}
		add_deviation(moved, count, &spread);
	}
	return spread;
}

/* N^-1 g where N is far from singular: by its cofactors. */
static bool solve_regular(const struct spread *spread, double trace, double out[static 3]) {
	const double *n = spread->matrix;
	double rows[3][3]; // of the cofactor matrix, which is symmetric
	vec3_cross(n + 3, n + 6, rows[0]);
	vec3_cross(n + 6, n, rows[1]);
	vec3_cross(n, n + 3, rows[2]);
	const double determinant = vec3_dot(n, rows[0]);
	// No eigenvalue is below determinant / trace^2.
	if (!(determinant > LEAST_SHARE * trace * trace * trace)) {
		return false;
	}
	for (int i = 0; i < 3; i++) {
		out[i] = vec3_dot(rows[i], spread->right) / determinant;
	}
	return true;
}

/* N+ g, without the directions that are not determined. */
static void solve_singular(struct spread *spread, double out[static 3]) {
	double vectors[9];
	jacobi_diagonalise(3, spread->matrix, vectors);
	const double *n = spread->matrix;
	const double greatest = fmax(n[0], fmax(n[4], n[8]));
	memset(out, 0, 3 * sizeof *out);
	for (int k = 0; k < 3 && greatest >= LEAST_TURN; k++) {
		const double axis[3] = {vectors[k], vectors[3 + k], vectors[6 + k]};
		if (n[k * 4] > LEAST_SHARE * greatest) {
			const double along = vec3_dot(axis, spread->right) / n[k * 4];
			for (int i = 0; i < 3; i++) {
				out[i] += along * axis[i];
			}
		}
	}
}

/* Of two rotations N has the same eigenvalue twice, and g no part along their common axis. */
static void solve_pair(const struct spread *spread, double trace, double out[static 3]) {
	for (int i = 0; i < 3; i++) {
		out[i] = spread->right[i] * 2 / trace;
	}
}

/* From the anchor to where the centre is. */
static void find_offset(struct spread *spread, int count, double out[static 3]) {
	const double *n = spread->matrix;
	const double trace = n[0] + n[4] + n[8];
	if (!(trace >= LEAST_TURN)) {
		memset(out, 0, 3 * sizeof *out);
	} else if (count == 2) {
		solve_pair(spread, trace, out);
	} else if (!solve_regular(spread, trace, out)) {
		solve_singular(spread, out);
	}
}

static void write_centre(const struct skin_data *data, const double (*motions)[12], size_t set,
	float row[static CENTRES_ROW_FLOATS]) {
	const uint32_t *starts = skin_data_read_words(data, CENTRES_STARTS) + set;
	const uint32_t *slots = skin_data_read_words(data, CENTRES_SLOTS) + starts[0];
	const float *about = skin_data_read_floats(data, CENTRES_ANCHORS) + set * 4;
	const double anchor[3] = {about[0], about[1], about[2]};
	const int count = (int)(starts[1] - starts[0]);
	double offset[3] = {0, 0, 0};
	if (count > 1) {
		struct spread spread = spread_of(motions, slots, count, anchor);
		find_offset(&spread, count, offset);
	}
	const double length = vec3_length(offset), most = REACH * (double)about[3];
	const double share = length > most ? most / length : 1;
	for (int i = 0; i < 3; i++) {
		row[i] = (float)(anchor[i] + share * offset[i]);
	}
	row[3] = 1;
}

static void write_joint(const double origin[static 3], const double motion[static 12],
	float row[static CENTRES_ROW_FLOATS]) {
	double image[3];
	mat_map_point(motion, origin, image);
	for (int i = 0; i < 3; i++) {
		row[i] = (float)origin[i];
		row[4 + i] = (float)image[i];
	}
}

/* Refuses vertices that fell back where `fallback` says so. */
static bool check_fallback(const struct prepare_job *job, struct error *err) {
	const int at = skin_option_find(job->option_list, &skin_option_fallback);
	return at < 0 || job->options->values[at] != SKIN_FALLBACK_ERROR ||
		job->data->fallback_vertices == 0 ||
		error_at(err, ERROR_INVALID_VALUE, "/skinning/fallback",
			"the joints of %d of %d vertices do not meet in one point, which "
			"\"fallback\": \"error\" refuses",
			job->data->fallback_vertices, job->rig->vertex_count);
}

bool centres_prepare(const struct prepare_job *job, float *palette, struct error *err) {
	const struct rig *rig = job->rig;
	const size_t slots = (size_t)rig->slot_count;
	double(*motions)[12] = arena_alloc(job->arena, slots, sizeof *motions);
	double(*origins)[3] = arena_alloc(job->arena, slots, sizeof *origins);
	const struct rigid_joint *joints = check_fallback(job, err) ? rigid_joints(job, err) : NULL;
	if (!joints) {
		return false;
	}
	float *row = palette + slots * CENTRES_ENTRY_FLOATS;
	rigid_origins(rig, origins);
	for (size_t i = 0; i < slots; i++, row += CENTRES_ROW_FLOATS) {
		rigid_matrix(&joints[i], motions[i]);
		float *entry = palette + i * CENTRES_ENTRY_FLOATS;
		turned_write(&joints[i], entry);
		rigid_write_stretch(&joints[i], entry + CENTRES_STRETCH_AT);
		write_joint(origins[i], motions[i], row);
	}
	for (size_t i = 0; i < set_count(job->data); i++, row += CENTRES_ROW_FLOATS) {
		write_centre(job->data, (const double(*)[12])motions, i, row);
	}
	return true;
}
