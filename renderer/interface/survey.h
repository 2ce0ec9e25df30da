/* Probes the graphics drivers, to find what is missing. Drivers may end the process
 * or never return: each call is best made in a process of its own, from the main thread. */
#pragma once

#include "interface/context.h"

/* Vertices that the CPU's kernels skin at a time: 8 with AVX2, else 4. Any thread, at any time. */
int renderer_cpu_lanes(void);

/* Offers of EGL before anything is tried. */
struct renderer_survey {
	char missing[256]; // the library that cannot be loaded, in the loader's words; "" = none is
	bool dispatched;   // EGL is libglvnd's, which finds drivers by the files of egl_vendor.d
	int device_count;
	int way_count; // devices, and platforms that choose by themselves
};

void renderer_survey(struct renderer_survey *out);

/* A way to a driver, gone to its end: a context made, the usual shaders and states drawn and
 * skinned with, a pixel read back. */
struct renderer_way {
	char name[32];     // "device 0"
	char file[64];     // the device's; "" = none or not known
	char failure[256]; // "" = it works; else the fields below hold what was found till then
	char vendor[128], renderer[128], version[128];
	bool software;                          // draws on the CPU
	bool robust;                            // tells when its context was lost in a reset
	int max_size, max_samples, max_texture; // of pictures and textures; pixels a side
	int storage_mib, compute_invocations;   // greatest vertex buffer, and work group
	double context_s, picture_s; // until there was a context, and from there to a picture
};

/* Goes the i-th way, i < way_count. */
void renderer_survey_way(int i, struct renderer_way *out);

/* The same as a renderer with these options goes by itself. */
void renderer_survey_choice(enum renderer_choice choice, struct renderer_way *out);
