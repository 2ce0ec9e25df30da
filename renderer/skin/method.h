/* A skinning method: one file of C in methods/ that defines one struct skinning_method,
 * one line in methods.c that lists it, and its compute shaders, twins of its C.
 *
 * A frame goes through up to three stages, of which a method has one or more:
 *   displacement  rest vertices are moved by what the pose says about them (examples);
 *   kernel        each vertex is skinned on its own from the palette; a method without one runs
 *                 another's, which its option `base` names;
 *   finish        the posed mesh is worked on as a whole (smoothing, volume).
 * What a stage needs to know about the rig beside its influences is made once by a recipe. */
#pragma once

#include "base/arena.h"
#include "base/settings.h"
#include "base/stop.h"
#include "base/value.h"
#include "model/rig.h"
#include "model/skin_data.h"
#include "skin/option.h"

struct examples;
struct rigid_joint;
struct skin_library;

/* The progress of some work, for callers that watch it. */
struct progress {
	_Atomic float share; // [0, 1]
};

/* The input of a recipe. */
struct derive_job {
	const struct rig *rig;
	const struct skin_options *options;
	const struct examples *examples; // NULL = there are none
	int clip;                        // position in rig->clips of the clip that is played; -1
	struct skin_library *library;    // for the data of a method that this one builds on
	const struct stop *stop;         // asked between steps
	struct progress *progress;       // never NULL
};

/* A recipe: makes data for a rig. The data depends on the rig, on options with `derives`, on the
 * examples where they are needed, and on the clip where that is needed; on nothing else. */
struct skin_recipe {
	const char *name; // "cor"
	int version;      // counts up with every change in what is made or how it is laid out
	bool keep;        // worth keeping on disk: it takes longer to make than to read
	bool needs_examples;
	bool needs_clip;   // not to be kept: other clips may get the position
	bool uses_algebra; // LAPACK or CHOLMOD, which are loaded before it is made
	bool makes_rig;    // may make one to be skinned in the place of the given: data->rig

	/* True when these options need the data at all. NULL = all do. */
	bool (*is_needed)(const struct skin_options *options);

	/* NULL with *err: ERROR_MISSING_DATA for what the rig lacks, with what would help;
	 * ERROR_DEADLINE and ERROR_CLIENT_LEFT from the stop; ERROR_TOO_LARGE. One reference. */
	struct skin_data *(*derive)(const struct derive_job *job, struct error *err);
};

/* One pose on its way into a palette. */
struct prepare_job {
	const struct rig *rig;
	const double (*matrices)[12];  // [rig->slot_count] M = world * inverse bind, rows of 3x4
	const double (*world)[12];     // [rig->joint_count], of rig->moving_joints
	const struct transform *local; // [rig->joint_count] of the pose
	const struct skin_options *options;
	const struct skin_option *const *option_list; // the method's, in the order of the options
	const struct skin_data *data;                 // of the method's recipe; NULL = it has none
	const struct rigid_joint *joints; // [rig->slot_count], for write_entry; NULL elsewhere
	int clip;                         // as in derive_job; -1
	double time_s;                    // in that clip, on its own key axis
	struct arena *arena;              // for what is needed on the way
	struct skin_memory *memory;       // of the frames before; NULL = there are none
};

/* One frame to skin on the CPU. All arrays cover the whole rig. */
struct skin_job {
	const struct rig *rig;
	const float *positions;             // [vertex_count][3] after morphing and displacement
	const float *normals;               // [vertex_count][3] unit, likewise
	const float *tangents;              // [vertex_count][4]; NULL = no tangents wanted
	const float *palette;               // as the kernel's prepare made it
	const struct skin_options *options; // of the method whose stage runs
	const struct skin_data *data;       // of that method's recipe; NULL = it has none
	enum normals normals_by;            // one that the kernel makes
	float matrix_size_square;           // of the palette, see plan.h; 0 = not known
	const float *gradients; // [influence_count][3] of the weights; NULL unless NORMALS_EXACT
	float *out_positions;   // [vertex_count][3]
	float *out_normals;     // [vertex_count][3] unit
	float *out_tangents; // [vertex_count][4] unit, at right angles to the normal; NULL = none
	unsigned *outcome;   // gets bits of enum skin_flag of this pose; NULL = not wanted
};

/* Skins the vertices of one primitive. The same bits on every x86-64 machine. */
typedef void skin_kernel(const struct skin_job *job, const struct primitive *primitive);

/* Skins each vertex on its own. */
struct skin_kernel_stage {
	const char *shader; // the compute shader in shaders/
	int entry_floats;   // floats per palette slot, a multiple of 4
	int stretch_at;     // where in an entry the joint's stretch lies (see rigid.h); 0 = nowhere

	/* Another shader where the options want one, or NULL where it is for the CPU alone. NULL =
	 * it is the one above, always. */
	const char *(*choose_shader)(const struct skin_options *options);

	/* The batches that vertices go through the shader in, borrowed from the data, with their
	 * matrices as extra floats: rows of 3x4 in the batches' order. *count = 0 or NULL: one
	 * dispatch for each primitive. */
	const struct skin_batch *(*batches)(const struct skin_data *data, size_t *count);

	/* Floats behind the slots' entries, a multiple of 4. NULL = none. */
	size_t (*extra_floats)(const struct rig *rig, const struct skin_data *data);

	/* Writes a slot's entry of a kernel that is for rigid joints. The stretch is written for
	 * it. NULL = prepare writes all. */
	void (*write_entry)(const struct prepare_job *job, int slot, float *entry);

	/* Fills the palette: [slot_count][entry_floats], then the extra floats. It is zero before,
	 * and 64-byte aligned. False with *err: ERROR_INVALID_VALUE for a pose that the options
	 * refuse. NULL = write_entry writes all. */
	bool (*prepare)(const struct prepare_job *job, float *palette, struct error *err);

	skin_kernel *skin;      // four vertices at a time; NULL = the method has no kernel
	skin_kernel *skin_avx2; // eight; see lanes.h
};

/* Moves rest vertices by coefficients that the pose decides. The method's data says how: see
 * displacement.h. */
struct skin_displacement_stage {
	/* [coefficient_count(data)] for one pose. NULL = the method has no displacement. */
	void (*coefficients)(const struct prepare_job *job, float *coefficients);
	int (*coefficient_count)(const struct skin_data *data);
};

/* One dispatch over all vertices of the rig. */
struct skin_pass {
	const char *shader; // NULL = past the last
	int option;         // the index of the option that says how often; -1 = once
};

#define SKIN_PASSES_MAX 8

/* Works on the posed mesh. */
struct skin_finish_stage {
	/* Reads and writes job's out_ arrays. NULL = the method has no finish. */
	void (*finish)(const struct skin_job *job);

	/* Numbers that it needs of a pose, which job->palette and the passes' palette hold then:
	 * [number_count(data)], a multiple of 4. NULL = none. */
	void (*numbers)(const struct prepare_job *job, float *numbers);
	size_t (*number_count)(const struct skin_data *data);

	struct skin_pass passes[SKIN_PASSES_MAX]; // the same on the GPU, in order
	int scratch_floats;                       // per vertex, between passes

	/* Sets job->outcome from what the passes left in the scratch: it reads
	 * [*count] floats from *start on. NULL = nothing to say of a pose. */
	void (*outcome_span)(
		const struct skin_data *data, size_t vertex_count, size_t *start, size_t *count);
	unsigned (*outcome)(const struct skin_data *data, const float *scratch);
};

struct skinning_method {
	const char *id;                           // METHODS' name
	const char *title;                        // one line for people
	const struct skin_option *const *options; // ended by NULL; NULL = none
	unsigned normals; // bits 1 << enum normals that its kernel makes; 0 = as its base
	const struct skinning_method *base; // whose kernel it runs where no option says; NULL = the
					    // default method's
	const struct skin_recipe *recipe; // NULL = it needs no data
	struct skin_kernel_stage kernel;
	struct skin_displacement_stage displacement;
	struct skin_finish_stage finish;
};

/* Set the arena, which must outlive the frames; the rest is zero before the first. */
struct skin_memory {
	struct arena *arena;
	double (*relative)[4]; // [rig->slot_count] each joint's against its parent's; NULL = no
			       // frame
};

/* --- The table of methods --- */

/* The i-th method, NULL past the end. The first is the default. */
const struct skinning_method *skin_method(size_t i);

/* The row of a method in the table. */
size_t skin_method_index(const struct skinning_method *method);

/* True when other methods can build on this one: it has a kernel of its own, for the rig's own
 * vertices. */
bool skin_method_is_base(const struct skinning_method *method);

/* The method that a request names (a string value; NULL = the default), or NULL with
 * ERROR_UNKNOWN_METHOD and the list of ids, or ERROR_INVALID_VALUE. */
const struct skinning_method *skin_method_find(const struct value *id, struct error *err);

/* --- Ways to make normals that a request may choose: the rows behind enum normals --- */

struct normals_mode {
	const char *id;                   // METHODS' name without its prefix
	const struct skin_recipe *recipe; // its data; NULL = it needs none
	struct skin_finish_stage finish;  // over the posed mesh; empty where the kernel makes them
};

/* The row of a way, but for NORMALS_OWN: NULL. */
const struct normals_mode *normals_mode(enum normals normals);
