// Rows of the methods' table.
#include "methods_rows.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The option that makes rows of their own; NULL = none. */
static const struct skin_option *option_of(const struct skinning_method *method) {
	for (int i = 0; method->options && method->options[i]; i++) {
		const struct skin_option *option = method->options[i];
		if (strcmp(option->name, "impl") == 0 || strcmp(option->name, "variant") == 0) {
			return option;
		}
	}
	return NULL;
}

static size_t add_row(const struct skinning_method *method, const struct skin_option *option,
	const char *choice, struct method_row *rows, size_t count) {
	assert(count < ROWS_MAX);
	rows[count] = (struct method_row){.method = method, .option = option, .choice = choice};
	snprintf(rows[count].name, sizeof rows[count].name, choice ? "%s %s" : "%s", method->id,
		choice);
	return count + 1;
}

size_t rows_list(const char *only, struct method_row *rows) {
	size_t count = 0;
	for (size_t i = 0; skin_method(i); i++) {
		const struct skinning_method *method = skin_method(i);
		const struct skin_option *option = option_of(method);
		if (only && strcmp(only, method->id) != 0) {
			continue;
		}
		for (int k = 0; option && option->choices[k]; k++) {
			count = add_row(method, option, option->choices[k], rows, count);
		}
		if (!option) {
			count = add_row(method, NULL, NULL, rows, count);
		}
	}
	return count;
}

struct crowd_work rows_work(const struct method_row *row, enum way way) {
	return (struct crowd_work){
		.method = row->method,
		.option = row->option,
		.choice = row->choice,
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

struct spread figure_millions(const struct figure *figure) {
	const double millions = (double)figure->times[0].vertices * 1e-6;
	const struct spread rate = figure_rate(figure);
	return (struct spread){
		rate.least * millions, rate.median * millions, rate.greatest * millions};
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
