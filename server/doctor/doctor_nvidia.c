// What the facts about GPUs mean: their files in /dev, and NVIDIA's driver.
#include "doctor/doctor_nvidia.h"

#include <string.h>

#include "doctor/doctor_note.h"

#define NVIDIA_FILE \
	"{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": " \
	"\"libEGL_nvidia.so.0\"}}"

bool doctor_has_gpu(const struct gpu_facts *gpu) {
	return gpu->nvidia_on_bus + gpu->amd_on_bus + gpu->intel_on_bus + gpu->nvidia_nodes +
		gpu->node_count >
		0;
}

/* Whether libEGL will find NVIDIA's driver. */
static bool has_vendor_file(const struct graphics_facts *facts) {
	for (int i = 0; i < facts->vendors.count; i++) {
		const struct vendor_file *file = &facts->vendors.files[i];
		if (!*file->failure && strstr(file->library, "nvidia")) {
			return true;
		}
	}
	return !facts->survey.dispatched && facts->vendors.nvidia_library;
}

/* Whether a list of words with commas has one of them, or "all". */
static bool allows_graphics(const char *capabilities) {
	return strstr(capabilities, "graphics") || strstr(capabilities, "all");
}

static void judge_missing_nodes(struct doctor *doctor, const struct gpu_facts *gpu) {
	doctor_note(doctor, FINDING_WARN, "NVIDIA GPU",
		gpu->container ? "Start the container with --gpus all -e "
				 "NVIDIA_DRIVER_CAPABILITIES=graphics,compute (needs "
				 "nvidia-container-toolkit on the host)."
			       : "Debian: apt-get install nvidia-driver nvidia-egl-icd (non-free); "
				 "Ubuntu: ubuntu-drivers install. In a container: --gpus all -e "
				 "NVIDIA_DRIVER_CAPABILITIES=graphics,compute.",
		"one is in the machine, but there is no /dev/nvidia0 and /dev/nvidiactl");
}

static const char *driver_advice(struct doctor *doctor, const struct graphics_facts *facts) {
	const struct gpu_facts *gpu = &facts->gpu;
	const bool in_container = gpu->container || *gpu->capabilities;
	if (facts->vendors.nvidia_library) {
		return "The library is there, only nobody names it: write " NVIDIA_FILE
		       " to /etc/glvnd/egl_vendor.d/10_nvidia.json.";
	}
	if (in_container && !allows_graphics(gpu->capabilities)) {
		return doctor_text(doctor,
			"Start the container with -e NVIDIA_DRIVER_CAPABILITIES=graphics,compute: "
			"now it is %s%s, which leaves the graphics part of the driver outside.",
			*gpu->capabilities ? "" : "not set", gpu->capabilities);
	}
	return doctor_text(doctor,
		"%sDebian: apt-get install nvidia-egl-icd (non-free); Ubuntu: apt-get install "
		"libnvidia-gl-VERSION of the driver's version.",
		in_container ? "The host has only the computing part of the driver. There: " : "");
}

static void judge_nodes(struct doctor *doctor, const struct graphics_facts *facts) {
	const struct gpu_facts *gpu = &facts->gpu;
	if (gpu->nvidia_usable_nodes < gpu->nvidia_nodes) {
		doctor_note(doctor, FINDING_WARN, "NVIDIA GPU",
			"usermod -aG video USER where they belong to that group; --gpus all in a "
			"container.",
			"%d of %d device files /dev/nvidia* may not be opened by this user",
			gpu->nvidia_nodes - gpu->nvidia_usable_nodes, gpu->nvidia_nodes);
	}
	if (has_vendor_file(facts)) {
		doctor_note(doctor, FINDING_OK, "NVIDIA GPU", NULL,
			"%d device files, and a driver for EGL", gpu->nvidia_nodes);
	} else if (!*facts->survey.missing) {
		doctor_note(doctor, FINDING_WARN, "NVIDIA GPU", driver_advice(doctor, facts),
			"its device files are here, but not its driver for EGL "
			"(libEGL_nvidia.so.0, 10_nvidia.json): another draws in its place, a "
			"hundred times slower");
	}
}

void doctor_judge_nvidia(struct doctor *doctor, const struct graphics_facts *facts) {
	const struct gpu_facts *gpu = &facts->gpu;
	if (gpu->nvidia_nodes > 0) {
		judge_nodes(doctor, facts);
	} else if (gpu->nvidia_on_bus > 0 || gpu->nvidia_module) {
		judge_missing_nodes(doctor, gpu);
	}
	if (gpu->mig) {
		doctor_note(doctor, FINDING_WARN, "NVIDIA GPU",
			"Give posed a GPU that is not divided (nvidia-smi -mig 0), or use "
			"--renderer software.",
			"it is divided by MIG, and its parts have no graphics");
	}
}

void doctor_judge_render_nodes(struct doctor *doctor, const struct gpu_facts *gpu) {
	for (int i = 0; i < gpu->node_count; i++) {
		const struct render_node *node = &gpu->nodes[i];
		if (node->usable) {
			doctor_note(doctor, FINDING_OK, "DRM device", NULL, "%s may be used",
				node->path);
			continue;
		}
		const char *advice = node->by_group
			? doctor_text(doctor,
				  "usermod -aG %s USER, or SupplementaryGroups=%s (systemd), or "
				  "--group-add with the group's number on the host (docker).",
				  node->group, node->group)
			: doctor_text(doctor,
				  "chgrp render %s && chmod 660 %s; in a container --device "
				  "/dev/dri.",
				  node->path, node->path);
		doctor_note(doctor, FINDING_WARN, "DRM device", advice,
			"%s may not be opened by this user%s%s", node->path,
			node->by_group ? ", but by group " : "", node->by_group ? node->group : "");
	}
	if (gpu->node_count == 0 && gpu->amd_on_bus + gpu->intel_on_bus > 0) {
		doctor_note(doctor, FINDING_WARN, "DRM device",
			"Start the container with --device /dev/dri; on the machine itself see "
			"dmesg on why the kernel's driver (amdgpu, i915, xe) made none.",
			"an AMD or Intel GPU is in the machine, but there is no /dev/dri/renderD*");
	}
	if (!doctor_has_gpu(gpu)) {
		doctor_note(doctor, FINDING_OK, "GPU", NULL,
			"none is to be seen, neither on the bus nor in /dev");
	}
}
