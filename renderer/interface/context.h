/* A renderer: one graphics context, a rasteriser, or none. What takes a renderer, here and in the
 * headers of vertices and pictures, is for the one thread that created it, but for what says
 * otherwise. */
#pragma once

#include "base/error.h"
#include "skin/library.h"

enum renderer_choice {
	RENDERER_AUTO,     // a GPU if there is one, else posed's own rasteriser
	RENDERER_GPU,      // a GPU or fail
	RENDERER_CPU,      // the rasteriser of posed, which needs no driver
	RENDERER_SOFTWARE, // a software driver or fail
	RENDERER_NONE,     // no context: poses and skinning on the CPU only
};

struct renderer_options {
	enum renderer_choice choice;
	int display; // renderers with different numbers take different EGL displays where they can
	size_t gpu_budget_bytes;      // for rigs kept on the GPU; 0 = 512 MiB
	struct skin_library *library; // of methods' data, to be shared; NULL = one of its own
};

struct renderer_info {
	const char *vendor, *renderer, *version; // of the driver; "" without a context
	const char *device;                      // "gpu", "cpu", "software" or "none"
	const char *why_none; // why there is no context; "" with one, and where none is wanted
	int max_samples;      // greatest multisampling
};

struct renderer;

/* A renderer, with a current context on this thread where a driver draws. With RENDERER_AUTO a
 * missing driver is no failure. NULL with ERROR_NO_RENDERER otherwise. Destroy on the same thread.
 */
struct renderer *renderer_create(const struct renderer_options *options, struct error *err);
void renderer_destroy(struct renderer *renderer); // takes NULL

/* Borrowed from the renderer, as it is now: after renderer_rebuild() it may be another, and this
 * one stays readable. Any thread. */
const struct renderer_info *renderer_info(const struct renderer *renderer);

/* Frees what is cached for the next request of a like size, such as a picture's multisampled
 * pixels: a GiB and more after the largest picture. It is made again when it is needed. */
void renderer_release_buffers(struct renderer *renderer);

/* True when the context was lost in a reset of the driver: what needs it fails with
 * ERROR_CONTEXT_LOST, also what was under way, until renderer_rebuild(). Any thread. */
bool renderer_is_lost(const struct renderer *renderer);

/* Throws the context away with all that it holds and makes another of the same kind (a GPU's is not
 * replaced by a software driver's), warmed up. Copies of rigs on the GPU are made again when they
 * are used. False with ERROR_NO_RENDERER: the renderer then has no context, the reason stands in
 * renderer_info(), what the CPU does works on, and another call may succeed. */
bool renderer_rebuild(struct renderer *renderer, struct error *err);

/* More skinning methods than renderer_method() will ever tell of. */
#define RENDERER_METHODS_MAX 64

/* Work of a renderer since it was created, its warm-ups included, and its memory. */
struct renderer_stats {
	unsigned long long context_resets; // contexts lost
	unsigned long long frames_drawn;
	unsigned long long gpu_rig_count, gpu_rig_bytes;           // rigs that are on the GPU now
	unsigned long long gpu_rig_evictions;                      // rigs that made room for others
	unsigned long long vertices_skinned[RENDERER_METHODS_MAX]; // by renderer_method()'s i
};

/* Any thread. */
void renderer_stats(const struct renderer *renderer, struct renderer_stats *out);

/* Draws the shaders and states that frames use once, so that the first request does not pay for
 * the driver's compiler, and reads a pixel back. False with ERROR_NO_RENDERER if that fails. */
bool renderer_warm_up(struct renderer *renderer, struct error *err);
