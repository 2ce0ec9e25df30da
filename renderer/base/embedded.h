/* Text files that the Makefile puts into the program: none is read at run time. */
#pragma once

#include <stddef.h>

struct embedded_text {
	const char *name; // of the file: "lbs.comp", "viewer/index.html"
	const char *text;
};
