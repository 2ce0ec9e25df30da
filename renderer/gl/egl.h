/* An off-screen context of OpenGL ES 3.1 or later, without any window system. */
#pragma once

#include <epoxy/egl.h>
#include <stdbool.h>
#include <stddef.h>

#include "draw/back_end.h"

struct egl;

/* Finds a display, makes a context and makes it current on this thread: GPUs first (devices known
 * to CUDA, then DRM devices), then software drivers, then the surfaceless and the default platform.
 * NULL with ERROR_NO_RENDERER and what was tried. */
struct egl *egl_create(const struct back_end_params *params, struct error *err);

/* Releases the context, lost or not; on the thread that created it. Takes NULL. The display stays
 * initialised: others may share it, and terminating it at exit crashes some drivers. */
void egl_destroy(struct egl *egl);

/* True when the current context was lost in a reset of the driver: nothing that was read since then
 * is to be trusted, and only destroying it helps. Takes nanoseconds; always false where the driver
 * offers no such contexts. */
bool egl_is_lost(struct egl *egl);

/* True when the driver draws on the CPU. */
bool egl_is_software(const struct egl *egl);

/* True when a reset of the driver loses the context and egl_is_lost() tells. */
bool egl_is_robust(const struct egl *egl);

/* True when this thread has this context current; for assertions. */
bool egl_is_current(const struct egl *egl);

/* True if no error was raised since the last look; else false with ERROR_INTERNAL, the error's
 * name and what was being done (ERROR_TOO_LARGE when the driver ran out of memory,
 * ERROR_CONTEXT_LOST when the context is gone). */
bool gl_check(const char *what, struct error *err);

struct gl_limits {
	int texture_size;        // greatest side, pixels
	int storage_mib;         // greatest storage buffer, which holds all vertices of a rig
	int compute_invocations; // of one work group
	int compute_blocks;      // storage buffers that a compute shader sees
	int vertex_blocks;       // the same for a vertex shader, which need not see any
};

void gl_limits_get(struct gl_limits *out);

/* The kinds of drivers behind a display; the best first. */
enum egl_rank {
	EGL_RANK_CUDA,     // a device that CUDA knows
	EGL_RANK_DRM,      // another that is no software
	EGL_RANK_SOFTWARE, // a device that says it is software
	EGL_RANK_UNKNOWN,  // a platform without devices: EGL chooses
};

/* A display that might serve. */
struct egl_candidate {
	enum egl_rank rank;
	EGLenum platform; // EGL_NONE = the default display
	void *native;
	char name[32]; // for people: "device 0"
	char file[64]; // the device's file; "" = none, or EGL does not tell
};

#define EGL_DEVICES_MAX 32
#define EGL_CANDIDATES_MAX (EGL_DEVICES_MAX + 2)

/* Loads EGL and OpenGL ES. False with ERROR_NO_RENDERER and the loader's words. Nothing else here
 * may be called before it. */
bool egl_load(struct error *err);

/* Fills out [EGL_CANDIDATES_MAX] with devices by rank, then the surfaceless and the default
 * platform, and returns how many there are: at least 1. */
size_t egl_list_candidates(struct egl_candidate *out);

/* An initialised display that gives contexts without surfaces and configurations. EGL_NO_DISPLAY
 * with ERROR_NO_RENDERER. */
EGLDisplay egl_open_display(const struct egl_candidate *candidate, struct error *err);

/* True when a name stands in a list of names separated by spaces, which may be NULL. */
bool egl_has_extension(const char *list, const char *name);

/* Sets ERROR_NO_RENDERER with the name of the call that failed and EGL's error. Returns false. */
bool egl_fail(const char *call, struct error *err);
