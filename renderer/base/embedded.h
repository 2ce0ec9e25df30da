/* Text files that the Makefile puts into the program: none is read at run time. */
#pragma once

#include <stddef.h>

struct embedded_text {
	const char *name; // file name without folders: "lbs.comp", "index.html"
	const char *text;
};
