// Findings about graphics: meaning of the facts, and advice.
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor_internal.h"

#define NVIDIA_FILE \
	"{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": " \
	"\"libEGL_nvidia.so.0\"}}"

#define INSTALL_EGL \
	"apt-get install libegl1 libgles2 libgl1-mesa-dri (Debian, Ubuntu); NVIDIA's GPUs need " \
	"NVIDIA's driver instead of the last one."
#define INSTALL_MESA "apt-get install libegl-mesa0 libgl1-mesa-dri (Debian, Ubuntu)."

static bool has_gpu(const struct gpu_facts *gpu) {
	return gpu->nvidia_on_bus + gpu->amd_on_bus + gpu->intel_on_bus + gpu->nvidia_nodes +
		gpu->node_count >
		0;
}

/* True if libEGL will find NVIDIA's driver. */
static bool has_vendor_file(const struct graphics_facts *facts) {
	for (int i = 0; i < facts->vendors.count; i++) {
		const struct vendor_file *file = &facts->vendors.files[i];
		if (!*file->failure && strstr(file->library, "nvidia")) {
			return true;
		}
	}
	return !facts->egl.dispatched && facts->vendors.nvidia_library;
}

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
		"the machine has one, but no /dev/nvidia0 and /dev/nvidiactl");
}

static const char *driver_advice(struct doctor *doctor, const struct graphics_facts *facts) {
	const struct gpu_facts *gpu = &facts->gpu;
	const bool in_container = gpu->container || *gpu->capabilities;
	if (facts->vendors.nvidia_library) {
		return "The library is installed, but no file names it: write " NVIDIA_FILE
		       " to /etc/glvnd/egl_vendor.d/10_nvidia.json.";
	}
	if (in_container && !allows_graphics(gpu->capabilities)) {
		return doctor_text(doctor,
			"Start the container with -e NVIDIA_DRIVER_CAPABILITIES=graphics,compute: "
			"now it is %s%s, which excludes the driver's graphics part.",
			*gpu->capabilities ? "" : "not set", gpu->capabilities);
	}
	return doctor_text(doctor,
		"%sDebian: apt-get install nvidia-egl-icd (non-free); Ubuntu: apt-get install "
		"libnvidia-gl-VERSION of the driver's version.",
		in_container ? "The host has only the compute part of the driver. On the host: "
			     : "");
}

static void judge_nodes(struct doctor *doctor, const struct graphics_facts *facts) {
	const struct gpu_facts *gpu = &facts->gpu;
	if (gpu->nvidia_usable_nodes < gpu->nvidia_nodes) {
		doctor_note(doctor, FINDING_WARN, "NVIDIA GPU",
			"usermod -aG video USER if they belong to that group; --gpus all in a "
			"container.",
			"%d of %d device files /dev/nvidia* may not be opened by this user",
			gpu->nvidia_nodes - gpu->nvidia_usable_nodes, gpu->nvidia_nodes);
	}
	if (has_vendor_file(facts)) {
		doctor_note(doctor, FINDING_OK, "NVIDIA GPU", NULL,
			"%d device files, and a driver for EGL", gpu->nvidia_nodes);
	} else if (!*facts->egl.missing) {
		doctor_note(doctor, FINDING_WARN, "NVIDIA GPU", driver_advice(doctor, facts),
			"its device files exist, but not its driver for EGL "
			"(libEGL_nvidia.so.0, 10_nvidia.json): another driver renders instead, a "
			"hundred times slower");
	}
}

static void judge_nvidia(struct doctor *doctor, const struct graphics_facts *facts) {
	const struct gpu_facts *gpu = &facts->gpu;
	if (gpu->nvidia_nodes > 0) {
		judge_nodes(doctor, facts);
	} else if (gpu->nvidia_on_bus > 0 || gpu->nvidia_module) {
		judge_missing_nodes(doctor, gpu);
	}
	if (gpu->mig) {
		doctor_note(doctor, FINDING_WARN, "NVIDIA GPU",
			"Give posed a GPU without MIG (nvidia-smi -mig 0), or use "
			"--renderer software.",
			"it is divided by MIG, and its instances have no graphics");
	}
}

static void judge_render_nodes(struct doctor *doctor, const struct gpu_facts *gpu) {
	for (int i = 0; i < gpu->node_count; i++) {
		const struct render_node *node = &gpu->nodes[i];
		if (node->usable) {
			doctor_note(
				doctor, FINDING_OK, "DRM device", NULL, "%s is usable", node->path);
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
			"Start the container with --device /dev/dri; outside of containers see "
			"dmesg for the kernel driver (amdgpu, i915, xe).",
			"the machine has an AMD or Intel GPU, but no /dev/dri/renderD*");
	}
	if (!has_gpu(gpu)) {
		doctor_note(doctor, FINDING_OK, "GPU", NULL, "none found on the bus or in /dev");
	}
}

/* Level of a finding that rules out drawing with a driver. */
static enum finding_level missing_level(
	const struct doctor *doctor, const struct graphics_facts *facts) {
	const enum renderer_choice choice = doctor->config->renderer;
	return choice == RENDERER_GPU || choice == RENDERER_SOFTWARE ? FINDING_FAIL
		: choice == RENDERER_AUTO && has_gpu(&facts->gpu)    ? FINDING_WARN
								     : FINDING_OK;
}

/* The advice that goes with it. */
static const char *missing_advice(
	const struct doctor *doctor, const struct graphics_facts *facts, const char *advice) {
	return missing_level(doctor, facts) == FINDING_OK ? NULL : advice;
}

static bool judge_libraries(struct doctor *doctor, const struct graphics_facts *facts) {
	if (*facts->crash) {
		doctor_note(doctor, missing_level(doctor, facts), "libraries",
			missing_advice(doctor, facts,
				"A driver that libEGL loads is broken: remove or reinstall its "
				"package; __EGL_VENDOR_LIBRARY_FILENAMES names the driver files to "
				"use."),
			"loading libEGL %s", facts->crash);
		return false;
	}
	if (*facts->egl.missing) {
		doctor_note(doctor, missing_level(doctor, facts), "libraries",
			missing_advice(doctor, facts, INSTALL_EGL), "%s", facts->egl.missing);
		return false;
	}
	doctor_note(doctor, FINDING_OK, "libraries", NULL, "libEGL and libGLESv2 are installed%s",
		facts->egl.dispatched ? ", from libglvnd" : "");
	return true;
}

/* Environment variables that mislead libEGL are the first suspects. */
static const char *vendor_advice(void) {
	return getenv("__EGL_VENDOR_LIBRARY_FILENAMES")
		? "Unset __EGL_VENDOR_LIBRARY_FILENAMES, or set it to a driver's file."
		: getenv("__EGL_VENDOR_LIBRARY_DIRS")
		? "Unset __EGL_VENDOR_LIBRARY_DIRS, or set it to a directory of drivers' files."
		: INSTALL_MESA;
}

static void judge_vendors(struct doctor *doctor, const struct graphics_facts *facts) {
	const struct vendor_facts *vendors = &facts->vendors;
	int usable = 0;
	for (int i = 0; i < vendors->count; i++) {
		const struct vendor_file *file = &vendors->files[i];
		if (*file->failure) {
			doctor_note(doctor, FINDING_WARN, "driver file",
				doctor_text(doctor,
					"Install the package that %s belongs to, or "
					"remove %s.",
					*file->library ? file->library : "it", file->path),
				"%s: %s", file->path, file->failure);
		} else {
			doctor_note(doctor, FINDING_OK, "driver file", NULL, "%s names %s",
				file->path, file->library);
			usable++;
		}
	}
	if (usable == 0) {
		doctor_note(doctor, missing_level(doctor, facts), "driver file",
			missing_advice(doctor, facts, vendor_advice()),
			"libEGL finds no driver: no *.json in %s names one that can be loaded",
			vendors->folders);
	}
}

static int is_mesa_driver(const struct dirent *entry) {
	const size_t length = strlen(entry->d_name);
	return length > 7 && strcmp(entry->d_name + length - 7, "_dri.so") == 0;
}

/* Environment variables with surprising effects on drivers. */
static void judge_environment(struct doctor *doctor) {
	const char *path = getenv("LIBGL_DRIVERS_PATH");
	struct dirent **entries = NULL;
	const int count = path ? scandir(path, &entries, is_mesa_driver, NULL) : 1;
	for (int i = 0; path && i < count; i++) {
		free(entries[i]);
	}
	free(entries);
	if (count <= 0) {
		doctor_note(doctor, FINDING_WARN, "environment", "Unset LIBGL_DRIVERS_PATH.",
			"LIBGL_DRIVERS_PATH is %s, where Mesa finds none of its drivers (*_dri.so)",
			path);
	}
	const char *width = getenv("LP_NATIVE_VECTOR_WIDTH");
	if (width && strcmp(width, "512") == 0) {
		doctor_note(doctor, FINDING_WARN, "environment", "Unset LP_NATIVE_VECTOR_WIDTH.",
			"LP_NATIVE_VECTOR_WIDTH=512 crashes llvmpipe");
	}
	const char *software = getenv("LIBGL_ALWAYS_SOFTWARE");
	if (software && strcmp(software, "0") != 0 && strcmp(software, "false") != 0) {
		doctor_note(doctor, FINDING_WARN, "environment",
			"Unset LIBGL_ALWAYS_SOFTWARE to render on a GPU.",
			"LIBGL_ALWAYS_SOFTWARE=%s keeps Mesa from using a GPU", software);
	}
}

static const char *display_failure(struct doctor *doctor, const struct display_facts *facts) {
	return doctor_text(doctor, "%s%s%s%s%s", facts->crash,
		*facts->crash && *facts->display.failure ? ", " : "", facts->display.failure,
		*facts->output ? "; the driver says: " : "", facts->output);
}

static bool works(const struct display_facts *facts) {
	return !*facts->crash && !*facts->display.failure;
}

/* A display before the i-th with the same driver; NULL = none. */
static const struct renderer_display *find_same(const struct graphics_facts *facts, int i) {
	const struct renderer_display *display = &facts->displays[i].display;
	for (int k = 0; k < i; k++) {
		const struct renderer_display *other = &facts->displays[k].display;
		if (works(&facts->displays[k]) && strcmp(other->renderer, display->renderer) == 0 &&
			strcmp(other->version, display->version) == 0) {
			return other;
		}
	}
	return NULL;
}

static void judge_working_display(struct doctor *doctor, const struct renderer_display *display) {
	doctor_note(doctor, FINDING_OK, display->name, NULL,
		"%s%s%s, %s (%s), draws on the %s; pictures to %d x %d with %d samples, textures "
		"to %d, vertex buffers to %d MiB, work groups to %d; %s; context after %.0f ms, "
		"first picture %.0f ms later",
		display->file, *display->file ? ": " : "", display->renderer, display->version,
		display->vendor, display->software ? "CPU" : "GPU", display->max_size,
		display->max_size, display->max_samples, display->max_texture, display->storage_mib,
		display->compute_invocations,
		display->robust ? "reports a lost context" : "does not report a lost context",
		display->context_s * 1e3, display->picture_s * 1e3);
}

/* An unusable device is a warning; platforms only lead to the same drivers. */
static void judge_display(
	struct doctor *doctor, const struct graphics_facts *facts, int i, bool other_works) {
	const struct display_facts *display = &facts->displays[i];
	// The subprocess may have ended before it set the name.
	const char *name = *display->display.name ? display->display.name : "a way to a driver";
	const struct renderer_display *same = find_same(facts, i);
	if (works(display) && same && i >= facts->egl.device_count) {
		doctor_note(doctor, FINDING_OK, name, NULL, "leads to the same driver as %s",
			same->name);
	} else if (works(display)) {
		judge_working_display(doctor, &display->display);
	} else if (other_works && i >= facts->egl.device_count && !*display->crash) {
		doctor_note(doctor, FINDING_OK, name, NULL, "is not available, and not needed: %s",
			display_failure(doctor, display));
	} else {
		doctor_note(doctor, FINDING_WARN, name,
			i < facts->egl.device_count
				? "Mesa's drivers: apt-get install libgl1-mesa-dri; for others see "
				  "the findings above."
				: NULL,
			"%s", display_failure(doctor, display));
	}
}

static void judge_displays(struct doctor *doctor, const struct graphics_facts *facts) {
	if (facts->egl.device_count == 0) {
		doctor_note(doctor, FINDING_WARN, "devices", vendor_advice(),
			"EGL lists no device, not even a software one");
	}
	bool any = false;
	for (int i = 0; i < facts->display_count; i++) {
		any |= works(&facts->displays[i]);
	}
	for (int i = 0; i < facts->display_count; i++) {
		judge_display(doctor, facts, i, any);
	}
}

static const char *choice_name(enum renderer_choice choice) {
	static const char *const names[] = {
		[RENDERER_AUTO] = "auto",
		[RENDERER_GPU] = "gpu",
		[RENDERER_CPU] = "cpu",
		[RENDERER_SOFTWARE] = "software",
		[RENDERER_NONE] = "none",
	};
	return names[choice];
}

static void judge_choice(struct doctor *doctor, const struct graphics_facts *facts) {
	const enum renderer_choice choice = doctor->config->renderer;
	const struct display_facts *chosen = &facts->choice;
	const char *name = choice_name(choice);
	if (choice == RENDERER_NONE) {
		doctor_note(doctor, FINDING_OK, "renderer", NULL,
			"--renderer none: poses and vertices on the CPU, no pictures");
	} else if (!works(chosen)) {
		doctor_note(doctor, FINDING_FAIL, "renderer",
			"See the findings above; --renderer cpu draws without a driver.",
			"--renderer %s: %s%s", name, chosen->crash, chosen->display.failure);
	} else if (choice == RENDERER_AUTO && chosen->display.software && has_gpu(&facts->gpu)) {
		doctor_note(doctor, FINDING_WARN, "renderer",
			"See the findings above for the reason; --renderer gpu refuses to start "
			"without a GPU.",
			"--renderer auto draws on the CPU with %s, though there is a GPU",
			chosen->display.renderer);
	} else {
		doctor_note(doctor, FINDING_OK, "renderer", NULL,
			"--renderer %s draws on the %s with %s", name,
			chosen->display.software ? "CPU" : "GPU", chosen->display.renderer);
	}
}

void doctor_judge_graphics(struct doctor *doctor, const struct graphics_facts *facts) {
	judge_nvidia(doctor, facts);
	judge_render_nodes(doctor, &facts->gpu);
	if (judge_libraries(doctor, facts)) {
		if (facts->egl.dispatched) {
			judge_vendors(doctor, facts);
		}
		judge_environment(doctor);
		judge_displays(doctor, facts);
	}
	judge_choice(doctor, facts);
}
