// Rows of the methods' table.
#include "methods_rows.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t rows_list(const char *only, struct method_row *rows) {
	size_t count = 0;
	for (size_t i = 0; skin_method(i); i++) {
		const struct skinning_method *method = skin_method(i);
		if (only && strcmp(only, method->id) != 0) {
			continue;
		}
		assert(count < ROWS_MAX);
		struct method_row *row = &rows[count++];
		*row = (struct method_row){.method = method};
		snprintf(row->name, sizeof row->name, "%s", method->id);
	}
	return count;
}

struct crowd_work rows_work(const struct method_row *row, enum way way) {
	return (struct crowd_work){
		.method = row->method,
		.on_gpu = way == WAY_GPU_DRAWN || way == WAY_GPU_ALONE,
		.drawn = way == WAY_GPU_DRAWN || way == WAY_CPU_DRAWN,
	};
}

const struct method_row *rows_find(const struct method_row *rows, size_t count, const char *name) {
	for (size_t i = 0; i < count; i++) {
		if (strcmp(rows[i].name, name) == 0) {
			return &rows[i];
		}
	}
	return NULL;
}

static int ascending(const void *a, const void *b) {
	const double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

struct spread figure_rate(const struct figure *figure) {
	double rates[RUNS_MAX];
	const int runs = figure->runs;
	assert(0 < runs && runs <= RUNS_MAX);
	for (int i = 0; i < runs; i++) {
		rates[i] = figure->times[i].frames / figure->times[i].wall_s;
	}
	qsort(rates, (size_t)runs, sizeof *rates, ascending);
	return (struct spread){rates[0], rates[runs / 2], rates[runs - 1]};
}

static struct crowd_times total(const struct figure *figure) {
	struct crowd_times sum = {0};
	for (int i = 0; i < figure->runs; i++) {
		sum.frames += figure->times[i].frames;
		sum.cpu_s += figure->times[i].cpu_s;
		sum.gpu_s += figure->times[i].gpu_s;
	}
	return sum;
}

double figure_cpu_ms(const struct figure *figure) {
	const struct crowd_times sum = total(figure);
	return sum.cpu_s / sum.frames * 1e3;
}

double figure_gpu_ms(const struct figure *figure) {
	const struct crowd_times sum = total(figure);
	return sum.gpu_s / sum.frames * 1e3;
}
