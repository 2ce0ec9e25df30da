/* The renderer: a context with its parts, what it keeps from request to request, and what it
 * counts.
 */
#pragma once

#include <stddef.h>

#include "base/settings.h"
#include "draw/back_end.h"
#include "image/encode.h"
#include "interface/context.h"
#include "model/rig.h"
#include "state/context.h"

#define GPU_RIGS_MAX 256

/* Boxes around motions that are kept; the oldest makes room. */
#define KNOWN_BOUNDS_MAX 512

/* Floats that are kept from request to request; grows, never shrinks. */
struct scratch {
	float *data; // 64-byte aligned
	size_t count;
};

/* The contents of a box. */
struct bounds_key {
	uint64_t rig;        // rig->clips_id; 0 = nothing
	int clip;            // position in rig->clips; -1 = the expression
	uint64_t expression; // a hash of what it says; 0 = the clip
	uint64_t plan;       // skin_plan_signature()
	enum body_part part;
};

/* A box around a motion, once it was found. */
struct known_bounds {
	struct bounds_key key;
	struct bounds bounds;
};

struct known_driver;

struct sequence_help;

struct renderer {
	enum renderer_choice choice;                // narrowed to the kind of the first context
	int display, only;                          // as in struct back_end_params
	_Atomic(const struct renderer_info *) info; // one of known
	struct known_driver *known;                 // all there ever were, for those who still read
	struct arena *known_memory;
	struct counters counters;

	atomic_bool lost;          // the context was, and is not made anew so far
	struct back_end *back_end; // NULL: no context, no pictures
	struct shaded_light lights[SHADED_LIGHTS_MAX]; // of the picture that is drawn
	const struct sequence_help *help;              // likewise; NULL = none
	int max_size;                                  // pixels, of a picture's side

	struct {
		struct drawn_rig *drawn;
		size_t bytes; // of it that are counted in gpu_bytes
		uint64_t last_use;
	} rigs[GPU_RIGS_MAX]; // copies of the back end, in no order
	size_t rig_count;
	size_t gpu_bytes, gpu_budget_bytes;
	uint64_t uses;

	struct srgb_tables srgb;

	struct skin_library *library; // of methods' data
	bool owns_library;

	struct scratch vertices;  // skinned on the CPU, or read back
	struct scratch morphed;   // rest vertices after morphing
	struct scratch displaced; // and after displacement
	struct scratch joined[3]; // palettes of poses that are skinned at once

	struct known_bounds known_bounds[KNOWN_BOUNDS_MAX]; // in no order
	size_t next_bounds;                                 // the oldest
};

/* A renderer that context_start() has yet to be called for. */
struct renderer *renderer_begin(const struct renderer_options *options);

/* At least count floats; aborts when memory is out (counts come from rigs, which have limits). */
float *scratch_get(struct scratch *scratch, size_t count);
void scratch_finish(struct scratch *scratch);
