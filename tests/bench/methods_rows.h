/* The rows of the methods' table: every method of skin_method(), and each of the implementations or
 * variants that it has to choose from. */
#pragma once

#include "methods_crowd.h"

#define RUNS_MAX 9

/* One way to do a row's work, measured in several runs. */
struct figure {
	int runs; // 0 = it could not be measured
	struct crowd_times times[RUNS_MAX];
	struct error why_not; // where runs is 0
};

enum way {
	WAY_GPU_DRAWN,
	WAY_GPU_ALONE, // vertices only
	WAY_CPU_DRAWN,
	WAY_CPU_ALONE,
	WAY_AT_ONCE_DRAWN, // on the GPU, one dispatch and one draw call for all copies
	WAY_AT_ONCE_ALONE,
	WAY_COUNT,
};

struct method_row {
	char name[48]; // "lbs vsp3"
	const struct skinning_method *method;
	const struct skin_option *option; // as struct crowd_work has it
	const char *choice;
	struct figure figures[WAY_COUNT];
};

#define ROWS_MAX 96

/* Fills rows [ROWS_MAX] and returns how many there are. only, if not NULL, is the one method that
 * is wanted. */
size_t rows_list(const char *only, struct method_row *rows);

/* The crowd's work for a row. */
struct crowd_work rows_work(const struct method_row *row, enum way way);

/* The row of this name, or NULL. */
const struct method_row *rows_find(const struct method_row *rows, size_t count, const char *name);

/* Frames a second: least, median and greatest of the runs, which must be there. */
struct spread {
	double least, median, greatest;
};
struct spread figure_rate(const struct figure *figure);

/* The same in millions of vertices. */
struct spread figure_millions(const struct figure *figure);

/* Milliseconds a frame, over all runs: of the CPU, all threads together, and of the GPU. */
double figure_cpu_ms(const struct figure *figure);
double figure_gpu_ms(const struct figure *figure);
