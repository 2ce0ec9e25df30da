/* The doctor's parts: doctor.c checks the processor, limits, the sandbox and directories,
 * doctor_probe.c collects the facts about graphics, doctor_graphics.c interprets them.
 * Interpretation is separate so that tests can give it facts of machines that they do not have. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "config/config.h"
#include "findings.h"
#include "renderer.h"

#define FINDINGS_MAX 96

struct doctor {
	const struct config *config; // borrowed
	struct arena *arena;         // of the findings' texts
	bool quiet;                  // do not print findings
	struct finding findings[FINDINGS_MAX];
	size_t count;
	bool failed; // there is a FINDING_FAIL
};

/* Adds a finding, and prints it unless quiet. advice (NULL = none) must outlive the doctor: a
 * constant, or from doctor_text(). */
__attribute__((format(printf, 5, 6))) void doctor_note(struct doctor *doctor,
	enum finding_level level, const char *what, const char *advice, const char *format, ...);

/* printf into the arena, for advice with values in it. */
#define doctor_text(doctor, ...) arena_printf((doctor)->arena, __VA_ARGS__)

#define RENDER_NODES_MAX 16

struct render_node {
	char path[64];  // /dev/dri/renderD128
	char group[32]; // owner
	bool usable;    // this user may open it
	bool by_group;  // members of the group may open it
};

/* GPUs as the system lists them, independent of drivers' libraries. */
struct gpu_facts {
	int nvidia_on_bus, amd_on_bus, intel_on_bus; // display controllers of these makers
	bool nvidia_module;                          // NVIDIA's kernel module is loaded
	int nvidia_nodes, nvidia_usable_nodes;       // /dev/nvidiactl, /dev/nvidia0, ...
	bool mig;                                    // Multi-Instance GPU is on
	struct render_node nodes[RENDER_NODES_MAX];  // /dev/dri/renderD*
	int node_count;
	bool container;         // this process runs in one
	char capabilities[128]; // NVIDIA_DRIVER_CAPABILITIES; "" = not set
};

#define VENDOR_FILES_MAX 16

/* A file that names a driver to libglvnd. */
struct vendor_file {
	char path[256];
	char library[128]; // "libEGL_mesa.so.0"; "" = the file cannot be read
	char failure[256]; // reason why the library cannot be loaded; "" = it can
};

struct vendor_facts {
	char folders[512]; // search path of such files
	struct vendor_file files[VENDOR_FILES_MAX];
	int count;
	bool nvidia_library; // libEGL_nvidia.so.0 can be loaded, even if no file names it
};

#define DISPLAYS_MAX 40

/* An EGL display, or the daemon's own choice. */
struct display_facts {
	struct renderer_display display;
	char crash[128];  // abnormal end of the subprocess that tried it; "" = none
	char output[400]; // the driver's messages on standard error
};

/* Plain data of a fixed size, since parts of it cross processes. */
struct graphics_facts {
	struct gpu_facts gpu;
	struct vendor_facts vendors;
	struct renderer_egl egl;
	char crash[128]; // abnormal end of the subprocess that loaded EGL; "" = none
	struct display_facts displays[DISPLAYS_MAX];
	int display_count;
	struct display_facts choice;
};

/* Collects the facts; tries each display in a subprocess. */
void doctor_probe(enum renderer_choice choice, struct graphics_facts *out);

/* Adds findings about the graphics. */
void doctor_judge_graphics(struct doctor *doctor, const struct graphics_facts *facts);
