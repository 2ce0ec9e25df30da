// What the system knows of GPUs: the bus, the kernel, and the files in /dev.
#include "doctor/doctor_gpu.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAKER_NVIDIA 0x10de
#define MAKER_AMD 0x1002
#define MAKER_INTEL 0x8086

/* The upper half of a PCI device's class: display controllers. */
#define CLASS_DISPLAY 0x03

static bool exists(const char *path) {
	return access(path, F_OK) == 0;
}

/* Control groups refuse what permissions would allow, hence opened. */
static bool may_open(const char *path) {
	const int file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (file >= 0) {
		close(file);
	}
	return file >= 0;
}

/* A number as files of /sys hold them: "0x10de"; 0 when there is none. */
static unsigned read_number(const char *directory, const char *device, const char *name) {
	char path[512];
	snprintf(path, sizeof path, "%s/%.200s/%s", directory, device, name);
	FILE *file = fopen(path, "re");
	unsigned number = 0;
	if (file) {
		if (fscanf(file, "%x", &number) != 1) {
			number = 0;
		}
		fclose(file);
	}
	return number;
}

static void look_at_bus(struct gpu_facts *out) {
	static const char path[] = "/sys/bus/pci/devices";
	DIR *bus = opendir(path);
	const struct dirent *entry;
	while (bus && (entry = readdir(bus))) {
		if (read_number(path, entry->d_name, "class") >> 16 != CLASS_DISPLAY) {
			continue;
		}
		const unsigned maker = read_number(path, entry->d_name, "vendor");
		out->nvidia_on_bus += maker == MAKER_NVIDIA;
		out->amd_on_bus += maker == MAKER_AMD;
		out->intel_on_bus += maker == MAKER_INTEL;
	}
	if (bus) {
		closedir(bus);
	}
}

static bool is_numbered(const char *name, const char *stem) {
	const size_t length = strlen(stem);
	return strncmp(name, stem, length) == 0 && name[length] != '\0' &&
		strspn(name + length, "0123456789") == strlen(name + length);
}

static void look_at_nvidia(struct gpu_facts *out) {
	DIR *devices = opendir("/dev");
	const struct dirent *entry;
	while (devices && (entry = readdir(devices))) {
		if (is_numbered(entry->d_name, "nvidia") ||
			strcmp(entry->d_name, "nvidiactl") == 0) {
			char path[300];
			snprintf(path, sizeof path, "/dev/%s", entry->d_name);
			out->nvidia_nodes++;
			out->nvidia_usable_nodes += may_open(path);
		}
	}
	if (devices) {
		closedir(devices);
	}
	out->nvidia_module = exists("/proc/driver/nvidia/version");
	const char *visible = getenv("NVIDIA_VISIBLE_DEVICES");
	out->mig = exists("/proc/driver/nvidia/capabilities/gpu0/mig/gi0") ||
		exists("/proc/driver/nvidia/capabilities/gpu0/mig/gi1") ||
		(visible && strncmp(visible, "MIG-", 4) == 0);
}

static void describe_node(const char *name, struct render_node *out) {
	snprintf(out->path, sizeof out->path, "/dev/dri/%.40s", name);
	out->usable = may_open(out->path);
	struct stat status;
	if (stat(out->path, &status) == 0) {
		const struct group *group = getgrgid(status.st_gid);
		snprintf(out->group, sizeof out->group, "%u", (unsigned)status.st_gid);
		out->by_group = status.st_gid != 0 && (status.st_mode & 060) == 060;
		if (group) {
			snprintf(out->group, sizeof out->group, "%.31s", group->gr_name);
		}
	}
}

static void look_at_render_nodes(struct gpu_facts *out) {
	DIR *devices = opendir("/dev/dri");
	const struct dirent *entry;
	while (devices && (entry = readdir(devices)) && out->node_count < RENDER_NODES_MAX) {
		if (is_numbered(entry->d_name, "renderD")) {
			describe_node(entry->d_name, &out->nodes[out->node_count++]);
		}
	}
	if (devices) {
		closedir(devices);
	}
}

void doctor_find_gpus(struct gpu_facts *out) {
	*out = (struct gpu_facts){0};
	look_at_bus(out);
	look_at_nvidia(out);
	look_at_render_nodes(out);
	out->container = exists("/.dockerenv") || exists("/run/.containerenv") ||
		getenv("KUBERNETES_SERVICE_HOST") != NULL;
	const char *capabilities = getenv("NVIDIA_DRIVER_CAPABILITIES");
	snprintf(out->capabilities, sizeof out->capabilities, "%s",
		capabilities ? capabilities : "");
}
