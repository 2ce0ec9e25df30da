// The files by which libglvnd finds drivers, and whether what they name can be loaded.
#include "doctor/doctor_vendors.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "json_read.h"

/* Where libglvnd looks when the environment says nothing else, as Debian builds it. */
#define USUAL_PLACES "/etc/glvnd/egl_vendor.d:/usr/share/glvnd/egl_vendor.d"

/* What an object in an object says, or NULL. */
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
		error_set(err, ERROR_INTERNAL, "no library is named in it");
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

void doctor_find_vendors(int argument, void *out) {
	(void)argument;
	struct vendor_facts *facts = out;
	const char *files = getenv("__EGL_VENDOR_LIBRARY_FILENAMES");
	const char *places = getenv("__EGL_VENDOR_LIBRARY_DIRS");
	const char *list = files ? files : places ? places : USUAL_PLACES;
	snprintf(facts->places, sizeof facts->places, "%s", list);
	char *copy = strdup(list), *rest = copy, *item;
	while (copy && (item = strsep(&rest, ":"))) {
		if (*item) {
			(files ? add_file : add_directory)(facts, item);
		}
	}
	free(copy);
	facts->nvidia_library = dlopen("libEGL_nvidia.so.0", RTLD_LAZY | RTLD_LOCAL) != NULL;
}
