/* An off-screen context of OpenGL ES 3.1 or later, without any window system. */
#pragma once

#include <stdbool.h>

#include "base/error.h"

struct egl_wish {
	bool allow_gpu, allow_software;
	int display; // contexts with different numbers take different displays where there are some
	int only;    // the n-th candidate of egl_display.h alone, counted from 1; 0 = the best
};

struct egl;

/* Finds a display, makes a context and makes it current on this thread: GPUs first (devices known
 * to CUDA, then DRM devices), then software drivers, then the surfaceless and the default platform.
 * NULL with ERROR_NO_RENDERER and what was tried. */
struct egl *egl_create(const struct egl_wish *wish, struct error *err);

/* Releases the context, lost or not; on the thread that created it. Takes NULL. The display stays
 * initialised: others may share it, and terminating it at exit crashes some drivers. */
void egl_destroy(struct egl *egl);

/* Whether the current context was lost in a reset of the driver: nothing that was read since then
 * is to be trusted, and only destroying it helps. Takes nanoseconds; always false where the driver
 * offers no such contexts. */
bool egl_is_lost(struct egl *egl);

/* Whether the driver draws on the CPU. */
bool egl_is_software(const struct egl *egl);

/* Whether a reset of the driver loses the context and egl_is_lost() tells. */
bool egl_is_robust(const struct egl *egl);

/* Whether this thread has this context current; for assertions. */
bool egl_is_current(const struct egl *egl);
