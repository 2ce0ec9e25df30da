/* A plan: what a request's skinning settings come to for a rig. Which methods' stages run, with
 * which options and data; then one pose after another through it. */
#pragma once

#include "model/posed_subject.h"
#include "skin/library.h"
#include "skin/method.h"

/* One method's part in a plan. */
struct skin_part {
	const struct skinning_method *method;
	struct skin_options options;
	const struct skin_data *data; // NULL = it needs none; one reference
};

struct skin_plan {
	const struct rig *rig; // to be skinned: the rig of params, or one made of it; borrowed
	struct skin_part kmax; // the step that leaves out influences; no method = there is none
	struct skin_part requested; // the method that was asked for
	struct skin_part base;      // whose kernel runs: the same where it has one of its own
	enum normals normals;       // as asked for
	const struct skin_data *normals_data; // NULL = none; one reference
	struct skin_memory *memory;           // of the frames before; NULL = there are none
	int clip;                             // for methods that play one; -1
	double time_s;
};

struct skin_plan_params {
	/* clock_s and sources are ignored; the pose is for errors of methods that play one clip. */
	struct posed_subject subject;
	struct skin_memory *memory; // of the frames before; NULL = there are none
	int clip;                   // the one clip that the pose is a moment of; -1 = it is not
	double time_s;              // in that clip
};

/* Finds the method, reads its options and gets its data, which may take long the first time.
 * library may be NULL: then only methods without data succeed. Fails with ERROR_UNKNOWN_METHOD,
 * ERROR_UNKNOWN_MEMBER, ERROR_INVALID_VALUE, ERROR_MISSING_DATA and what recipes fail with; the
 * plan is empty then. */
bool skin_plan_make(struct skin_library *library, const struct skin_plan_params *params,
	struct skin_plan *plan, struct error *err);

/* The progress of the data for a plan. */
struct skin_plan_progress {
	int wanted, ready;   // pieces of data
	float share;         // [0, 1] of all; 1 = wanted are ready
	bool needs_examples; // some of it is fitted to them
	bool needs_clip;
};

/* The same without making any data: the plan gets what is in memory and, with from_shelf (which may
 * wait for a disk), on the shelf. params->subject.rig may be NULL, for what is wanted alone;
 * examples and clip may be missing then. */
bool skin_plan_look(struct skin_library *library, const struct skin_plan_params *params,
	bool from_shelf, struct skin_plan *plan, struct skin_plan_progress *progress,
	struct error *err);

/* Releases what a plan holds; an empty one is fine. */
void skin_plan_finish(struct skin_plan *plan);

/* The same without any data: whether there is such a method with such options. rig may be NULL:
 * where no method is named, it says which is the default. */
bool skin_plan_check(
	const struct rig *rig, const struct skinning_settings *settings, struct error *err);

/* True when the method that is asked for cuts the rig into another, which has other vertices. */
bool skin_plan_makes_rig(const struct skinning_settings *settings);

/* Ways to make normals that a method with its standard options may be asked for: ids ended by NULL,
 * in the order of enum normals. */
void skin_plan_normals(
	const struct skinning_method *method, const char *names[static NORMALS_COUNT + 1]);

/* The method whose kernel a method with its standard options runs; and that kernel's shader. */
const struct skinning_method *skin_plan_standard_base(const struct skinning_method *method);
const char *skin_plan_standard_shader(const struct skinning_method *method);

/* The method of a rig where a request names none: "dqs" if it is made for that, else "lbs". It
 * needs no data. */
const struct skinning_method *skin_plan_default_method(const struct rig *rig);

/* The plan of the default method with its standard options, which needs no data. */
struct skin_plan skin_plan_default(const struct rig *rig);

/* One pose under a plan, in an arena. */
struct skin_palette {
	float *floats; // of the kernel, 64-byte aligned
	size_t count;
	float *coefficients; // of the displacement, zeros behind to a multiple of 4; NULL = none
	int coefficient_count;
	float *numbers; // of the asked method's finish; NULL = none
	size_t number_count;
	// No less than the sum of the squares of any matrix' linear part, or of any blend of them.
	float matrix_size_square;
	float farthest_translation; // the greatest number of any matrix' translation
	unsigned *outcome; // bits of enum skin_flag, set when it is skinned; in the job's arena
};

/* Fills a palette from the job's pose; its options, data, clip and time are filled in here. False
 * with ERROR_INVALID_VALUE. */
bool skin_plan_prepare(const struct skin_plan *plan, const struct prepare_job *job,
	struct skin_palette *out, struct error *err);

/* True when float32 holds whatever is skinned of vertices whose numbers are below the farthest, by
 * the sizes of the matrices alone; false where only the vertices can tell. */
bool skin_plan_keeps_near(
	const struct skin_plan *plan, const struct skin_palette *palette, float farthest);

/* Skins the whole rig on the CPU. positions to tangents and the out_ arrays of the job are the
 * caller's to fill (tangents or out_tangents may be NULL); the rest is filled in here. spare, [6 *
 * vertex_count], is for displaced vertices; NULL where the plan displaces none. plain keeps to
 * plain C where faster instructions are there. */
void skin_plan_run(const struct skin_plan *plan, const struct skin_palette *palette,
	const struct skin_job *job, float *spare, bool plain);

/* True when any joint of a palette scales or shears, as far as the kernel minds. */
bool skin_plan_is_stretched(const struct skin_plan *plan, const struct skin_palette *palette);

/* A number that plans share only if they skin every pose alike. */
uint64_t skin_plan_signature(const struct skin_plan *plan);

/* The kernel's shader; NULL = these options are for the CPU. */
const char *skin_plan_shader(const struct skin_plan *plan);

/* The batches that the kernel's vertices go in. */
struct skin_batch_counts skin_plan_batches(const struct skin_plan *plan);

/* True when the plan displaces vertices. */
bool skin_plan_displaces(const struct skin_plan *plan);

/* The step in the form of a method that has a recipe alone. Its data has a rig of fewer influences,
 * or none where no vertex has more. */
extern const struct skinning_method kmax_step;

/* True when settings ask for it, that is for fewer than any vertex has. The option's value in
 * *options. False with *wanted false, too, and ERROR_INVALID_VALUE for a value out of range. */
bool kmax_read(const struct skinning_settings *settings, struct skin_options *options, bool *wanted,
	struct error *err);
