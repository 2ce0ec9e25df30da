// Facts about graphics: the PCI bus, /dev, drivers' files, and EGL, which runs in subprocesses.
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "doctor/doctor_internal.h"
#include "doctor/subprocess.h"
#include "json_text.h"

#define MAKER_NVIDIA 0x10de
#define MAKER_AMD 0x1002
#define MAKER_INTEL 0x8086

/* The upper half of a PCI device's class: display controllers. */
#define CLASS_DISPLAY 0x03

static bool exists(const char *path) {
	return access(path, F_OK) == 0;
}

/* Opens the file, because control groups forbid more than permissions do. */
static bool may_open(const char *path) {
	const int file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (file >= 0) {
		close(file);
	}
	return file >= 0;
}

/* Reads a number from /sys, such as "0x10de"; 0 = none. */
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

static void probe_bus(struct gpu_facts *out) {
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

static void probe_nvidia(struct gpu_facts *out) {
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

static void probe_render_nodes(struct gpu_facts *out) {
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

static void probe_gpus(struct gpu_facts *out) {
	probe_bus(out);
	probe_nvidia(out);
	probe_render_nodes(out);
	out->container = exists("/.dockerenv") || exists("/run/.containerenv") ||
		getenv("KUBERNETES_SERVICE_HOST") != NULL;
	const char *capabilities = getenv("NVIDIA_DRIVER_CAPABILITIES");
	snprintf(out->capabilities, sizeof out->capabilities, "%s",
		capabilities ? capabilities : "");
}

/* libglvnd's search path in Debian. */
#define DEFAULT_FOLDERS "/etc/glvnd/egl_vendor.d:/usr/share/glvnd/egl_vendor.d"

/* {"ICD": {"library_path": ...}}; NULL = none. */
static const char *library_of(const struct value *document) {
	const struct value *driver =
		document && document->kind == VALUE_OBJECT ? value_member(document, "ICD") : NULL;
	const struct value *library = driver && driver->kind == VALUE_OBJECT
		? value_member(driver, "library_path")
		: NULL;
	return library && library->kind == VALUE_STRING ? library->string : NULL;
}

static bool read_vendor(struct vendor_file *out, struct error *err) {
	const int file = open(out->path, O_RDONLY | O_CLOEXEC);
	if (file < 0) {
		return error_set(err, ERROR_INTERNAL, "%s", strerror(errno));
	}
	struct arena *arena = arena_create();
	size_t size = 0;
	void *text = file_read(file, &size, err);
	const struct value *document = text ? json_read(arena, text, size, err) : NULL;
	const char *library = library_of(document);
	if (library) {
		snprintf(out->library, sizeof out->library, "%s", library);
	} else {
		error_set(err, ERROR_INTERNAL, "it names no library");
	}
	free(text);
	arena_destroy(arena);
	close(file);
	return library != NULL;
}

static void add_file(struct vendor_facts *out, const char *path) {
	if (out->count == VENDOR_FILES_MAX) {
		return;
	}
	struct vendor_file *file = &out->files[out->count++];
	struct error err = {0};
	snprintf(file->path, sizeof file->path, "%s", path);
	if (!read_vendor(file, &err)) {
		snprintf(file->failure, sizeof file->failure, "%.255s", err.text);
	} else if (!dlopen(file->library, RTLD_LAZY | RTLD_LOCAL)) {
		snprintf(file->failure, sizeof file->failure, "%s", dlerror());
	}
}

static int is_vendor_file(const struct dirent *entry) {
	const char *dot = strrchr(entry->d_name, '.');
	return dot && strcmp(dot, ".json") == 0;
}

static void add_directory(struct vendor_facts *out, const char *path) {
	struct dirent **entries;
	const int count = scandir(path, &entries, is_vendor_file, alphasort);
	for (int i = 0; i < count; i++) {
		char *file;
		if (asprintf(&file, "%s/%s", path, entries[i]->d_name) > 0) {
			add_file(out, file);
			free(file);
		}
		free(entries[i]);
	}
	if (count >= 0) {
		free(entries);
	}
}

static void probe_vendors(int argument, void *out) {
	(void)argument;
	struct vendor_facts *facts = out;
	const char *files = getenv("__EGL_VENDOR_LIBRARY_FILENAMES");
	const char *folders = getenv("__EGL_VENDOR_LIBRARY_DIRS");
	const char *list = files ? files : folders ? folders : DEFAULT_FOLDERS;
	snprintf(facts->folders, sizeof facts->folders, "%s", list);
	char *copy = strdup(list), *rest = copy, *item;
	while (copy && (item = strsep(&rest, ":"))) {
		if (*item) {
			(files ? add_file : add_directory)(facts, item);
		}
	}
	free(copy);
	facts->nvidia_library = dlopen("libEGL_nvidia.so.0", RTLD_LAZY | RTLD_LOCAL) != NULL;
}

/* Drivers that compile their shaders on a busy machine take a second or two. */
#define TIME_LIMIT_S 30.0

static void probe_egl(int argument, void *out) {
	(void)argument;
	renderer_probe_egl(out);
}

static void try_display(int i, void *out) {
	renderer_probe_display(i, out);
}

static void try_choice(int choice, void *out) {
	renderer_probe_choice((enum renderer_choice)choice, out);
}

/* crash has 128 bytes, like all in the facts. */
static void run(void (*work)(int argument, void *out), int argument, void *out, size_t out_bytes,
	char *crash, char *output, size_t output_bytes) {
	const struct subprocess subprocess = {.work = work,
		.argument = argument,
		.out = out,
		.out_bytes = out_bytes,
		.seconds = TIME_LIMIT_S,
		.output = output,
		.output_bytes = output_bytes};
	struct error err = {0};
	if (!subprocess_run(&subprocess, &err)) {
		snprintf(crash, 128, "%.127s", err.text);
	}
}

static void run_display(
	void (*work)(int argument, void *out), int argument, struct display_facts *out) {
	run(work, argument, &out->display, sizeof out->display, out->crash, out->output,
		sizeof out->output);
}

void doctor_probe(enum renderer_choice choice, struct graphics_facts *out) {
	char output[400];
	probe_gpus(&out->gpu);
	run(probe_egl, 0, &out->egl, sizeof out->egl, out->crash, output, sizeof output);
	if (!*out->egl.missing) {
		char crash[128]; // ignored: the displays, which use the same library, crash, too
		run(probe_vendors, 0, &out->vendors, sizeof out->vendors, crash, output,
			sizeof output);
	}
	out->display_count =
		out->egl.display_count < DISPLAYS_MAX ? out->egl.display_count : DISPLAYS_MAX;
	for (int i = 0; i < out->display_count; i++) {
		run_display(try_display, i, &out->displays[i]);
	}
	run_display(try_choice, (int)choice, &out->choice);
}
