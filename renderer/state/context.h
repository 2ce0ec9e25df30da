/* The context's life: made, lost, made anew. */
#pragma once

#include <stdatomic.h>

#include "base/error.h"
#include "draw/back_end.h"
#include "interface/context.h"

struct renderer;

/* Makes the context with all its parts, as renderer->choice wants it. False with ERROR_NO_RENDERER,
 * and no context. */
bool context_start(struct renderer *renderer, struct error *err);

/* Sets ERROR_NO_RENDERER with the reason for which there is no context. Always false. */
bool context_refuse(const struct renderer *renderer, struct error *err);

/* Throws all of it away, lost or not; harmless where there is none. */
void context_stop(struct renderer *renderer);

/* False with ERROR_CONTEXT_LOST when the context was lost and is not made anew so far. */
bool context_check(const struct renderer *renderer, struct error *err);

/* Ends a piece of work on the GPU that went fine or left *err: false with ERROR_CONTEXT_LOST, in
 * place of any other error, if the context was lost meanwhile; else as it was. */
bool context_settle(struct renderer *renderer, bool ok, struct error *err);

struct renderer;

/* Counted by the render thread, read by any; relaxed, for none says anything about another. */
struct counters {
	atomic_ullong context_resets, frames_drawn;
	atomic_ullong gpu_rig_count, gpu_rig_bytes, gpu_rig_evictions;
	atomic_ullong vertices_skinned[RENDERER_METHODS_MAX];
};

void counters_add(atomic_ullong *counter, unsigned long long more);

/* Counts a frame of vertices that a method (its id) has skinned. */
void counters_add_skinned(struct renderer *renderer, const char *method, int vertex_count);

struct renderer;

/* The rig's copy in the back end, uploaded if need be; others make room for it. Borrowed until the
 * next call. NULL with *err: ERROR_TOO_LARGE when it is larger than the budget and the driver has
 * no room, ERROR_OVERLOADED when there is no room though it is not. */
struct drawn_rig *drawn_rigs_get(
	struct renderer *renderer, const struct rig *rig, struct error *err);
void drawn_rigs_finish(struct renderer *renderer);
