/* The files by which libglvnd finds drivers. Plain data of a fixed size, since it crosses
 * processes. */
#pragma once

#include <stdbool.h>

#define VENDOR_FILES_MAX 16

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
