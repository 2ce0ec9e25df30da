/* The methods' tables in Markdown, on standard output. */
#pragma once

#include "methods_rows.h"

/* The measurements and their environment. */
struct report {
	const struct renderer_info *info;
	const char *rig; // its name
	int copies;
	const struct method_row *rows;
	size_t row_count;
};

/* The machine and its driver. */
void result_headers_machine(const struct renderer_info *info);

/* Frames and vertices a second of every row. */
void result_headers_methods(const struct report *report);

/* Ratios that the thesis found, and ours. */
void result_headers_ratios(const struct report *report);

/* The thesis' own table. */
void result_headers_thesis(void);
