// From sculpted vertices back to the rest pose.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "fit/displacing_internal.h"

/* A normal that turns by less, in radians, counts as unmoved. */
#define MIN_NORMAL 1e-3

/* The range in which a displacement is searched, and the size below which it is none. */
struct pull {
	const struct base_samples *samples;
	const struct fit_example *example;
	double least;     // in the rest pose's units
	double min_world; // in the world's
	struct fit_example_report *report;
};

static double distance(const float a[static 3], const float b[static 3]) {
	const double between[3] = {(double)a[0] - b[0], (double)a[1] - b[1], (double)a[2] - b[2]};
	return vec3_length(between);
}

/* Writes a vertex' displacements into position and normal; returns whether it has any. */
static bool pull_vertex(
	const struct pull *pull, int vertex, float position[static 3], float normal[static 3]) {
	const size_t at = (size_t)vertex * 3;
	const float *wanted = pull->example->positions + at;
	double moved[3], turned[3] = {0}, condition;
	const bool leads_back =
		base_pull_position(pull->samples, vertex, wanted, moved, &condition);
	if (!leads_back) {
		if (distance(wanted, pull->samples->positions[0] + at) > pull->min_world &&
			pull->report->verdict == FIT_USED) {
			pull->report->verdict = FIT_SINGULAR;
			pull->report->vertex = vertex;
		}
		return false;
	}
	pull->report->condition = fmax(pull->report->condition, condition);
	if (pull->example->normals) {
		base_pull_normal(pull->samples, vertex, pull->example->normals + at, turned);
	}
	const bool has_moved = vec3_length(moved) > pull->least;
	const bool has_turned = vec3_length(turned) > MIN_NORMAL;
	for (int i = 0; i < 3; i++) {
		position[i] = has_moved ? (float)moved[i] : 0;
		normal[i] = has_turned ? (float)turned[i] : 0;
	}
	return has_moved || has_turned;
}

/* Pulls all vertices, into the samples' scratch: positions and normals, zero where nothing moved.
 * Returns how many moved. */
static int pull_all(const struct pull *pull, const int *owners, int group) {
	const int count = pull->samples->rig->vertex_count;
	float *positions = pull->samples->in, *normals = pull->samples->ignored;
	memset(positions, 0, (size_t)count * 3 * sizeof *positions);
	memset(normals, 0, (size_t)count * 3 * sizeof *normals);
	int moved_count = 0;
	for (int v = 0; v < count; v++) {
		float position[3], normal[3];
		const bool moved = pull_vertex(pull, v, position, normal);
		if (moved && owners && owners[v] != group) {
			pull->report->outside_count++;
		} else if (moved) {
			memcpy(positions + (size_t)v * 3, position, sizeof position);
			memcpy(normals + (size_t)v * 3, normal, sizeof normal);
			moved_count++;
		}
	}
	return moved_count;
}

/* Takes what moved out of the samples' scratch. */
static void gather(const struct base_samples *samples, struct target *target) {
	const float zero[3] = {0};
	int next = 0;
	for (int v = 0; v < samples->rig->vertex_count; v++) {
		const float *position = samples->in + (size_t)v * 3;
		const float *normal = samples->ignored + (size_t)v * 3;
		if (memcmp(position, zero, sizeof zero) || memcmp(normal, zero, sizeof zero)) {
			target->vertices[next] = v;
			memcpy(target->positions + next * 3, position, sizeof zero);
			memcpy(target->normals + next * 3, normal, sizeof zero);
			next++;
		}
	}
	target->count = next;
}

bool displacing_pull(struct fitting *f, int group, int example, struct error *err) {
	const struct fit_example *e = &f->input->examples[example];
	const struct rig *rig = f->input->rig;
	const double least = f->recipe->min_move;
	const struct pull pull = {f->samples, e,
		least * fit_size(rig->positions, rig->vertex_count),
		least * fit_size(e->positions, rig->vertex_count), &f->report->examples[example]};
	if (!base_sample(f->samples, f->input, example, err)) {
		return false;
	}
	const int moved_count = pull_all(&pull, f->owners, group);
	if (pull.report->verdict != FIT_USED) {
		return true;
	}
	if (!target_init(&f->displaced[example], moved_count, err)) {
		return false;
	}
	gather(f->samples, &f->displaced[example]);
	return true;
}
