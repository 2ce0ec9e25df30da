/* The displays that EGL offers without any window system. Any thread, one at a time. */
#pragma once

#include <epoxy/egl.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* What kind of driver stands behind a display; the best first. */
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

/* Whether a name stands in a list of names separated by spaces, which may be NULL. */
bool egl_has_extension(const char *list, const char *name);

/* Sets ERROR_NO_RENDERER with the name of the call that failed and EGL's error. Returns false. */
bool egl_fail(const char *call, struct error *err);
