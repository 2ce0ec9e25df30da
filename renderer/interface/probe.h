/* Probes the graphics drivers to find what is missing. A driver may crash or hang: make each call
 * in a process of its own, from its main thread. */
#pragma once

#include "interface/context.h"

/* The number of vertices that the CPU's kernels skin at once: 8 with AVX2, else 4. Any thread. */
int renderer_cpu_lanes(void);

/* The state of EGL before any display is tried. */
struct renderer_egl {
	char missing[256]; // the library that cannot be loaded, in the loader's words; "" = none
	bool dispatched; // EGL is libglvnd's, which finds drivers through the files in egl_vendor.d
	int device_count;
	int display_count; // devices, and platforms that choose a driver themselves
};

void renderer_probe_egl(struct renderer_egl *out);

/* The result of using an EGL display: creating a context, drawing and skinning with all usual
 * shaders and states, reading a pixel back. */
struct renderer_display {
	char name[32];     // "device 0"
	char file[64];     // the device file; "" = none or unknown
	char failure[256]; // "" = it works; else the members below hold what was found so far
	char vendor[128], renderer[128], version[128];
	bool software;                          // renders on the CPU
	bool robust;                            // reports a context that was lost in a reset
	int max_size, max_samples, max_texture; // of pictures and textures; pixels a side
	int storage_mib, compute_invocations;   // largest vertex buffer and work group
	double context_s, picture_s; // until the context existed, and from there to the picture
};

/* Probes display i, i < display_count. */
void renderer_probe_display(int i, struct renderer_display *out);

/* Probes the display that a renderer with this choice uses. */
void renderer_probe_choice(enum renderer_choice choice, struct renderer_display *out);
