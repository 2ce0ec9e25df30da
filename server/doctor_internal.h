/* What the files of the doctor share. Each looks at one part of the machine; on graphics the
 * looking (doctor_gpu.c, doctor_vendors.c, doctor_survey.c) stands apart from the judging
 * (doctor_graphics.c, doctor_nvidia.c), which so can be tested on machines that are not there. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "config.h"
#include "findings.h"
#include "renderer.h"

#define FINDINGS_MAX 96

struct doctor {
	const struct config *config; // borrowed
	struct arena *arena;         // strings of the findings
	bool quiet;                  // findings are only collected
	struct finding findings[FINDINGS_MAX];
	size_t count;
	bool failed; // there is a FINDING_FAIL
};

/* Adds a finding, and prints it unless quiet. advice (NULL = none) lives as long as the doctor: a
 * constant, or doctor_text(). */
__attribute__((format(printf, 5, 6))) void doctor_note(struct doctor *doctor,
	enum finding_level level, const char *what, const char *advice, const char *format, ...);

/* printf into the arena, for advice with values in it. */
#define doctor_text(doctor, ...) arena_printf((doctor)->arena, __VA_ARGS__)

/* Processor, limits, sandbox. */
void doctor_look_at_machine(struct doctor *doctor);

/* The data directory, and where drivers keep compiled shaders. */
void doctor_look_at_folders(struct doctor *doctor);

/* --- Graphics: what there is. Plain data of a fixed size, since some of it crosses processes. ---
 */

#define RENDER_NODES_MAX 16
#define VENDOR_FILES_MAX 16
#define WAYS_MAX 40

struct render_node {
	char path[64];  // /dev/dri/renderD128
	char group[32]; // that it belongs to
	bool usable;    // by this user
	bool by_group;  // members of the group may use it
};

/* What the system knows of GPUs, whatever the libraries make of them. */
struct gpu_facts {
	int nvidia_on_bus, amd_on_bus, intel_on_bus; // display controllers of these makers
	bool nvidia_module;                          // the kernel's part of NVIDIA's driver
	int nvidia_nodes, nvidia_usable_nodes;       // /dev/nvidiactl, /dev/nvidia0, ...
	bool mig;                                    // the GPU is divided
	struct render_node nodes[RENDER_NODES_MAX];  // /dev/dri/renderD*
	int node_count;
	bool container;
	char capabilities[128]; // NVIDIA_DRIVER_CAPABILITIES; "" = not set
};

void doctor_find_gpus(struct gpu_facts *out);

/* A file by which libglvnd finds a driver. */
struct vendor_file {
	char path[256];
	char library[128]; // "libEGL_mesa.so.0"; "" = not to be read
	char failure[256]; // why the library cannot be loaded; "" = it can
};

struct vendor_facts {
	char places[512]; // where such files are looked for
	struct vendor_file files[VENDOR_FILES_MAX];
	int count;
	bool nvidia_library; // libEGL_nvidia.so.0 can be loaded, named by a file or not
};

/* Loads the drivers' libraries: in a process of its own. argument is not used; out is a struct
 * vendor_facts. */
void doctor_find_vendors(int argument, void *out);

/* One way to a driver, or the daemon's own choice. */
struct way_facts {
	struct renderer_way way;
	char crash[128]; // how the process that went it ended; "" = as it should
	char words[400]; // what the driver wrote to standard error
};

struct graphics_facts {
	struct gpu_facts gpu;
	struct vendor_facts vendors;
	struct renderer_survey survey;
	char crash[128]; // how the process that loaded EGL ended; "" = as it should
	struct way_facts ways[WAYS_MAX];
	int way_count;
	struct way_facts choice;
};

/* Goes every way, each in a process of its own. */
void doctor_survey(enum renderer_choice choice, struct graphics_facts *out);

/* Says what the facts mean. */
void doctor_judge_graphics(struct doctor *doctor, const struct graphics_facts *facts);

/* The part of it about NVIDIA's GPUs, and about others. */
void doctor_judge_nvidia(struct doctor *doctor, const struct graphics_facts *facts);
void doctor_judge_render_nodes(struct doctor *doctor, const struct gpu_facts *gpu);

/* Whether a GPU is in the machine, seen or not. */
bool doctor_has_gpu(const struct gpu_facts *gpu);
