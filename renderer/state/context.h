/* The context's life: made, lost, made anew. */
#pragma once

#include "base/error.h"

struct renderer;

/* Makes the context with all its parts, as renderer->choice wants it. False with ERROR_NO_RENDERER,
 * and no context. */
bool context_start(struct renderer *renderer, struct error *err);

/* Sets ERROR_NO_RENDERER with the reason for which there is no context. Always false. */
bool context_refuse(const struct renderer *renderer, struct error *err);

/* Throws all of it away, lost or not; harmless where there is none. */
void context_stop(struct renderer *renderer);

/* Frees the target of the last picture. Drivers go on holding what they drew to last, and sampled
 * from, until something else is drawn: hence a few pixels are, into a target in its place. */
void context_release_target(struct renderer *renderer);

/* False with ERROR_CONTEXT_LOST when the context was lost and is not made anew so far. */
bool context_check(const struct renderer *renderer, struct error *err);

/* Ends a piece of work on the GPU that went fine or left *err: false with ERROR_CONTEXT_LOST, in
 * place of any other error, if the context was lost meanwhile; else as it was. */
bool context_settle(struct renderer *renderer, bool fine, struct error *err);
