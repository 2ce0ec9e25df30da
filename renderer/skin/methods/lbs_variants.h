/* Linear blend skinning done in other ways, in plain C one vertex after another: the ways that
 * hardware of 2005 had. All make the same vertices but for roundings. METHODS A5.1 to A5.7. */
#pragma once

#include "skin/method.h"
#include "skin/palette.h"

enum lbs_impl {
	LBS_VSP3, // matrices blended, then one transform
	LBS_SW,   // the same, on the CPU
	LBS_FFP1, // batches of few joints; vertices have weights only, the last is implied
	LBS_FFP2, // batches of more joints, with indices; the last weight is implied
	LBS_VSP1, // a loop over transforms, weighted; the last weight is implied
	LBS_VSP2, // the same without a loop
	LBS_CG4M, // batches; indices are floats, times three
	LBS_IMPL_COUNT,
};

/* Positions in the options of lbs. */
enum { LBS_OPTION_IMPL };

/* Joints of a batch at most. */
#define LBS_FFP1_MATRICES 4
#define LBS_FFP2_MATRICES 57 // as many as a Radeon 8500 had
#define LBS_CG4M_MATRICES 24 // 72 vec4

/* Floats of a palette entry, and of the batches' matrices behind the entries, rows of 3x4. */
#define LBS_ENTRY_FLOATS PALETTE_MATRIX_FLOATS
#define LBS_BATCH_FLOATS 12

/* Joints of a batch at most; 0 = the way has no batches. */
int lbs_batch_limit(enum lbs_impl impl);

/* Makes the batches' data, for the ways that have any: sections BATCHES, SLOTS of their matrices,
 * ROWS of a vertex (see BATCH_REPEATED) and its first influence, WEIGHTS and INDICES. */
extern const struct skin_recipe lbs_recipe;

enum {
	LBS_BATCHES, // struct skin_batch
	LBS_SLOTS,
	LBS_ROWS,
	LBS_WEIGHTS, // floats, three a row or, LBS_CG4M, four
	LBS_INDICES, // LBS_FFP2: a word a row, eight bits an index; LBS_CG4M: four floats
	LBS_SECTIONS,
};

/* The stages' functions of the same names; see method.h. */
const struct skin_batch *lbs_batches(const struct skin_data *data, size_t *count);
size_t lbs_extra_floats(const struct rig *rig, const struct skin_data *data);

/* Fills the extra floats. */
void lbs_write_batches(const struct prepare_job *job, float *extra);

/* Refuses rigs of more influences than a way takes, with ERROR_INVALID_VALUE. */
bool lbs_check_influences(const struct rig *rig, enum lbs_impl impl, struct error *err);

/* Skins in any of the ways but LBS_VSP3. */
void lbs_variant_skin(
	const struct skin_job *job, const struct primitive *primitive, enum lbs_impl impl);
