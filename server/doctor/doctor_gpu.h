/* GPUs as the system knows them, whatever the libraries make of them. Plain data of a fixed size,
 * since some of it crosses processes. */
#pragma once

#include <stdbool.h>

#define RENDER_NODES_MAX 16

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
