/* The input of a fit: example poses with the vertices that were sculpted for them; and what it
 * says of each. */
#pragma once

#include "base/arena.h"
#include "base/stop.h"
#include "model/examples.h"
#include "model/rig.h"

/* All arrays are borrowed. */
struct fit_example {
	const char *name;
	const struct transform *local; // [joint_count] of the rig: the example's pose
	const double (*world)[12];     // [joint_count] the joints' matrices (rows) in it
	const double (*matrices)[12];  // [slot_count] world times inverse bind
	const float *rest_positions;   // [vertex_count][3] before skinning, with the pose's morphs
	const float *rest_normals;     // [vertex_count][3] unit
	const float *positions;        // [vertex_count][3] sculpted, in the world
	const float *normals;          // [vertex_count][3] unit; NULL = as the base method has them
};

/* Skins rest vertices ([vertex_count][3]) as a base method does at run time, in the pose of an
 * example. */
typedef bool (*fit_skin)(void *context, int example, const float *positions, const float *normals,
	float *out_positions, float *out_normals, struct error *err);

struct fit_input {
	const struct rig *rig;
	int example_count;
	const struct fit_example *examples; // borrowed
	const struct fit_example *rest;     // the rest pose, positions NULL; for fits that keep it
	fit_skin skin;                      // NULL for fits without a base method
	void *context;                      // of skin
	const struct stop *stop;            // NULL = never
	_Atomic float *progress;            // [0, 1], where the fit has got to; NULL = untold
};

/* Sets the progress to a share in [0, 1] of the work; false where the fit is to stop. */
bool fit_step(const struct fit_input *input, double share, struct error *err);

/* The use of an example by a fit, or the reason why it is left out. */
enum fit_verdict {
	FIT_USED,
	FIT_MOVES_NOTHING, // no joint turned that could change the mesh' shape
	FIT_MOVES_SEVERAL, // more than one joint, and the method takes one
	FIT_NO_BONE,       // the joint has no direction
	FIT_TOO_CLOSE,     // the pose is that of another, or the rest pose
	FIT_SINGULAR,      // the base method flattens vertices: nothing leads back (PSD_SINGULAR)
};

struct fit_example_report {
	enum fit_verdict verdict;
	int other;           // FIT_TOO_CLOSE: the example too close to; -1 = the rest pose
	int joint;           // FIT_MOVES_SEVERAL, FIT_NO_BONE: one of the joints
	int vertex;          // FIT_SINGULAR: the first such
	double condition;    // the worst of the base method's matrices; 0 = none was inverted
	int outside_count;   // moved vertices that the method keeps from this example
	double residual_max; // distance of the fitted to the sculpted vertices, in the world
	double residual_rms; // of all the example's vertices
};

struct fit_report {
	int example_count;
	struct fit_example_report *examples; // [example_count]
	int used_count;
	double residual_max, residual_rms; // over the examples that were used; 0 without any
};

/* One sentence on why an example was left out, for its author; "" for one that was used. */
void fit_explain(const struct fit_input *input, const struct fit_report *report, int example,
	char *text, size_t size);

/* Sets ERROR_MISSING_DATA with the reasons when no example was used; true when one was. */
bool fit_require_used(const struct fit_input *input, const struct fit_report *report,
	const char *method, struct error *err);

/* Compares skinned positions with an example's into its report. */
void fit_compare(const struct fit_input *input, int example, const float *positions,
	struct fit_example_report *report);

/* Sums the examples' residuals up. Verdicts and residuals must be there. */
void fit_report_sum(struct fit_report *report);

/* The diagonal of the box around points, [count][3]; 1 where they are all in one. */
double fit_size(const float *points, int count);

/* Evaluates the pose of an example, or with NULL the rest pose, for a fit. Arrays lie in the arena;
 * the sculpted vertices stay the example's. Rest vertices are the rig's own; weights are the pose's
 * morph weights, [rig->weight_count], for the caller to put others in. False with an error that
 * names the example where its pose is none of this rig. */
bool fit_pose_example(const struct rig *rig, const struct example *example, struct arena *arena,
	struct fit_example *out, const float **weights, struct error *err);
