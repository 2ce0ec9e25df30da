// The methods' tables in Markdown.
#include "methods_report.h"

#include <epoxy/gl.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Cards of 2005 and what they did, frames a second; 0 = not there. Houska's thesis, 36 copies of
 * its model of 13,206 vertices. */
static const struct {
	const char *card;
	int rates[8];
} thesis[] = {
	{"GeForce FX 5700", {4, 61, 0, 15, 27, 40, 36, 24}},
	{"Radeon 9800 PRO", {6, 59, 46, 35, 54, 72, 50, 33}},
	{"GeForce FX 6800", {5, 69, 0, 34, 73, 99, 65, 46}},
};

#define THESIS_VERTICES 475416

/* Our names of the thesis' columns. */
static const char *const columns[] = {
	"lbs sw", "lbs ffp1", "lbs ffp2", "lbs vsp1", "lbs vsp2", "lbs vsp3", "sjb", "sjbbe"};

/* Its ratios on its fastest card, by columns. */
static const struct {
	int over, under;
	double found;
} ratios[] = {{5, 4, 1.36}, {4, 3, 2.15}, {6, 5, 0.66}, {7, 5, 0.46}};

static void print_processor(void) {
	char line[256], model[200] = "unknown processor";
	FILE *file = fopen("/proc/cpuinfo", "r");
	while (file && fgets(line, sizeof line, file)) {
		if (sscanf(line, "model name : %199[^\n]", model) == 1) {
			break;
		}
	}
	if (file) {
		fclose(file);
	}
	struct utsname system;
	uname(&system);
	printf("- processor: %s, %ld cores, %s %s\n", model, sysconf(_SC_NPROCESSORS_ONLN),
		system.sysname, system.release);
}

static int limit(GLenum name) {
	GLint value = 0;
	glGetIntegerv(name, &value);
	return value;
}

void result_headers_machine(const struct renderer_info *info) {
	print_processor();
	printf("- CPU kernels: %d vertices at a time, one thread\n", renderer_cpu_lanes());
	if (strcmp(info->device, "none") == 0) {
		printf("- driver: none (%s)\n", info->why_none);
		return;
	}
	printf("- driver: %s, %s, %s: %s\n", info->vendor, info->renderer, info->version,
		strcmp(info->device, "software") == 0 ? "software, which draws on the CPU"
						      : "hardware");
	printf("- limits: %d uniform vectors in a vertex shader, uniform blocks of %d bytes, "
	       "%d storage blocks and %d invocations in a compute shader\n",
		limit(GL_MAX_VERTEX_UNIFORM_VECTORS), limit(GL_MAX_UNIFORM_BLOCK_SIZE),
		limit(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS),
		limit(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS));
}

static void print_drawn(const struct figure *figure) {
	if (figure->runs == 0) {
		printf(" - | - |");
		return;
	}
	const struct spread rate = figure_rate(figure);
	printf(" %.1f (%.1f to %.1f) | %.1f |", rate.median, rate.least, rate.greatest,
		figure_millions(figure).median);
}

static void print_times(const struct figure *figure) {
	if (figure->runs == 0) {
		printf(" - | - |");
		return;
	}
	printf(" %.2f |", figure_cpu_ms(figure));
	if (figure_gpu_ms(figure) > 0) {
		printf(" %.2f |", figure_gpu_ms(figure));
	} else {
		printf(" - |");
	}
}

/* Vertices alone, and their time as a multiple of the first row's. */
static void print_alone(const struct report *report, const struct method_row *row, enum way way) {
	const struct figure *figure = &row->figures[way], *first = &report->rows[0].figures[way];
	if (figure->runs == 0) {
		printf(" - | - |\n");
		return;
	}
	const struct spread rate = figure_millions(figure);
	printf(" %.1f (%.1f to %.1f) |", rate.median, rate.least, rate.greatest);
	if (first->runs > 0) {
		printf(" %.2f |\n", figure_rate(first).median / figure_rate(figure).median);
	} else {
		printf(" - |\n");
	}
}

/* The tables of one rig, one for each way of skinning. */
static const struct {
	const char *title;
	enum way drawn, alone;
	bool by_driver;
} tables[] = {
	{"by compute shaders, a dispatch and a draw call for each copy", WAY_GPU_DRAWN,
		WAY_GPU_ALONE, true},
	{"by the CPU, one thread, a draw call for each copy", WAY_CPU_DRAWN, WAY_CPU_ALONE, false},
	{"by compute shaders, one dispatch and one draw call for all copies", WAY_AT_ONCE_DRAWN,
		WAY_AT_ONCE_ALONE, true},
};

/* Prints the reasons for empty rows, each once. */
static void print_reasons(const struct report *report, enum way way) {
	for (size_t i = 0; i < report->row_count; i++) {
		const struct figure *figure = &report->rows[i].figures[way];
		const char *reason = figure->why_not.text;
		bool said = figure->runs > 0;
		for (size_t k = 0; !said && k < i; k++) {
			const struct figure *before = &report->rows[k].figures[way];
			said = before->runs == 0 && strcmp(before->why_not.text, reason) == 0;
		}
		if (!said) {
			printf("\n-: %.*s.\n", (int)strcspn(reason, "\n"), reason);
		}
	}
}

static void print_table(const struct report *report, size_t table) {
	const enum way drawn = tables[table].drawn, alone = tables[table].alone;
	const bool software =
		tables[table].by_driver && strcmp(report->info->device, "software") == 0;
	printf("\n%d copies of %s, skinned %s%s:\n\n", report->copies, report->rig,
		tables[table].title,
		software ? " (on the CPU: the driver is software, not to be compared with a GPU)"
			 : "");
	printf("| method | frames a second, drawn | Mvertices/s | CPU ms a frame | "
	       "GPU ms a frame | Mvertices/s, not drawn | time, of the first row |\n"
	       "| --- | --- | --- | --- | --- | --- | --- |\n");
	for (size_t i = 0; i < report->row_count; i++) {
		const struct method_row *row = &report->rows[i];
		printf("| `%s` |", row->name);
		print_drawn(&row->figures[drawn]);
		print_times(&row->figures[drawn]);
		print_alone(report, row, alone);
	}
	print_reasons(report, drawn);
}

void result_headers_methods(const struct report *report) {
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		print_table(report, i);
	}
}

static void print_ratio(const struct report *report, int over, int under, enum way way) {
	const struct method_row *a = rows_find(report->rows, report->row_count, columns[over]);
	const struct method_row *b = rows_find(report->rows, report->row_count, columns[under]);
	if (!a || !b || a->figures[way].runs == 0 || b->figures[way].runs == 0) {
		printf(" - |");
		return;
	}
	printf(" %.2f |",
		figure_rate(&a->figures[way]).median / figure_rate(&b->figures[way]).median);
}

void result_headers_ratios(const struct report *report) {
	printf("\nRates of %s, one over the other:\n\n"
	       "| ratio | thesis, GeForce FX 6800 | ours, drawn | ours, not drawn |\n"
	       "| --- | --- | --- | --- |\n",
		report->rig);
	for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
		const int over = ratios[i].over, under = ratios[i].under;
		printf("| `%s` / `%s` | %.2f |", columns[over], columns[under], ratios[i].found);
		print_ratio(report, over, under, WAY_GPU_DRAWN);
		print_ratio(report, over, under, WAY_GPU_ALONE);
		printf("\n");
	}
}

void result_headers_thesis(void) {
	printf("\nThe thesis' table of 2005, frames a second (Mvertices/s):\n\n| card |");
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		printf(" `%s` |", columns[i]);
	}
	printf("\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
	for (size_t card = 0; card < sizeof thesis / sizeof *thesis; card++) {
		printf("| %s |", thesis[card].card);
		for (int i = 0; i < 8; i++) {
			const int rate = thesis[card].rates[i];
			if (rate == 0) {
				printf(" - |");
			} else {
				printf(" %d (%.1f) |", rate, rate * THESIS_VERTICES * 1e-6);
			}
		}
		printf("\n");
	}
}
