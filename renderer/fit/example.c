// Examples for fits, and what is said about them.
#include "fit/example.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mat.h"
#include "pose/operations.h"

bool fit_step(const struct fit_input *input, double share, struct error *err) {
	if (input->progress) {
		atomic_store(input->progress, (float)share);
	}
	return stop_check(input->stop, err);
}

static const char *joint_name(const struct fit_input *input, int joint) {
	return input->rig->joints[joint].name;
}

void fit_explain(const struct fit_input *input, const struct fit_report *report, int example,
	char *text, size_t size) {
	const struct fit_example_report *e = &report->examples[example];
	const char *name = input->examples[example].name;
	switch (e->verdict) {
	case FIT_USED:
		snprintf(text, size, "%s", "");
		return;
	case FIT_MOVES_NOTHING:
		snprintf(text, size, "\"%s\" turns no joint that bends the mesh", name);
		return;
	case FIT_MOVES_SEVERAL:
		snprintf(text, size, "\"%s\" turns \"%s\" and other joints, not one alone", name,
			joint_name(input, e->joint));
		return;
	case FIT_NO_BONE:
		snprintf(text, size, "\"%s\" turns \"%s\", which has no bone", name,
			joint_name(input, e->joint));
		return;
	case FIT_TOO_CLOSE:
		snprintf(text, size, "\"%s\" is within 2 degrees of %s%s%s", name,
			e->other < 0 ? "the rest pose" : "\"",
			e->other < 0 ? "" : input->examples[e->other].name,
			e->other < 0 ? "" : "\"");
		return;
	case FIT_SINGULAR:
		snprintf(
			text, size, "\"%s\" is in a pose that flattens vertex %d", name, e->vertex);
		return;
	}
}

bool fit_require_used(const struct fit_input *input, const struct fit_report *report,
	const char *method, struct error *err) {
	if (report->used_count > 0) {
		return true;
	}
	char reasons[512] = "";
	size_t length = 0;
	for (int i = 0; i < input->example_count && length + 1 < sizeof reasons; i++) {
		char reason[200];
		fit_explain(input, report, i, reason, sizeof reason);
		const int more = snprintf(
			reasons + length, sizeof reasons - length, "%s%s", i ? "; " : ": ", reason);
		length += more > 0 ? (size_t)more : 0;
	}
	return error_set(err, ERROR_MISSING_DATA,
		"%s is fitted to examples, and none that the rig has will do; put others with PUT "
		"/v1/rigs/{rig}/examples/{name}%s",
		method, reasons);
}

void fit_compare(const struct fit_input *input, int example, const float *positions,
	struct fit_example_report *report) {
	const float *wanted = input->examples[example].positions;
	const int count = input->rig->vertex_count;
	double greatest = 0, sum = 0;
	for (int i = 0; i < count * 3; i += 3) {
		double square = 0;
		for (int k = i; k < i + 3; k++) {
			const double difference = (double)positions[k] - wanted[k];
			square += difference * difference;
		}
		greatest = fmax(greatest, square);
		sum += square;
	}
	report->residual_max = sqrt(greatest);
	report->residual_rms = count > 0 ? sqrt(sum / count) : 0;
}

void fit_report_sum(struct fit_report *report) {
	double sum = 0;
	report->used_count = 0;
	report->residual_max = 0;
	for (int i = 0; i < report->example_count; i++) {
		const struct fit_example_report *e = &report->examples[i];
		if (e->verdict == FIT_USED) {
			report->used_count++;
			report->residual_max = fmax(report->residual_max, e->residual_max);
			sum += e->residual_rms * e->residual_rms;
		}
	}
	report->residual_rms = report->used_count > 0 ? sqrt(sum / report->used_count) : 0;
}

double fit_size(const float *points, int count) {
	double square = 0;
	for (int axis = 0; axis < 3 && count > 0; axis++) {
		double least = INFINITY, greatest = -INFINITY;
		for (int i = 0; i < count; i++) {
			const double x = points[(size_t)i * 3 + (size_t)axis];
			least = fmin(least, x);
			greatest = fmax(greatest, x);
		}
		square += (greatest - least) * (greatest - least);
	}
	return square > 0 ? sqrt(square) : 1;
}

/* The slots' matrices in a pose. */
static double (*build_matrices(
	const struct rig *rig, const double (*world)[12], struct arena *arena))[12] {
	double(*matrices)[12] = arena_alloc(arena, (size_t)rig->slot_count + 1, sizeof *matrices);
	for (int i = 0; i < rig->slot_count; i++) {
		const struct palette_slot *slot = &rig->slots[i];
		mat_multiply(world[slot->joint], slot->inverse_bind, matrices[i]);
	}
	return matrices;
}

bool fit_pose_example(const struct rig *rig, const struct example *example, struct arena *arena,
	struct fit_example *out, const float **weights, struct error *err) {
	struct pose_context context = pose_context_make(rig, arena, NULL);
	struct error inner = {0};
	struct pose pose;
	if (!pose_evaluate(&context, example ? example->pose : NULL, &pose, &inner)) {
		return error_set(err, inner.code, "the pose of the example \"%s\": %s",
			example->name, inner.text);
	}
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count + 1, sizeof *world);
	pose_to_world(rig, &pose, world);
	*weights = pose.weights;
	*out = (struct fit_example){
		.name = example ? example->name : "rest",
		.local = pose.local,
		.world = (const double(*)[12])world,
		.matrices =
			(const double(*)[12])build_matrices(rig, (const double(*)[12])world, arena),
		.rest_positions = rig->positions,
		.rest_normals = rig->normals,
		.positions = example ? example->positions : NULL,
		.normals = example ? example->normals : NULL,
	};
	return true;
}
