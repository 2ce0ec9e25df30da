// posed doctor: looks at the machine part by part and says what it finds.
#include "doctor/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "doctor/doctor_folders.h"
#include "doctor/doctor_graphics.h"
#include "doctor/doctor_machine.h"
#include "doctor/doctor_note.h"
#include "doctor/doctor_survey.h"
#include "version.h"

enum { EXIT_MISSING = 1 };

static void print(const struct finding *finding) {
	printf("%-4s  %-12s - %s\n", finding_level_name(finding->level), finding->what,
		finding->says);
	if (finding->advice) {
		printf("                     %s\n", finding->advice);
	}
	fflush(stdout);
}

void doctor_note(struct doctor *doctor, enum finding_level level, const char *what,
	const char *advice, const char *format, ...) {
	if (doctor->count == FINDINGS_MAX) {
		return;
	}
	char text[2000];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	struct finding *finding = &doctor->findings[doctor->count++];
	*finding = (struct finding){
		.level = level,
		.what = arena_strndup(doctor->arena, what, strlen(what)),
		.says = arena_strndup(doctor->arena, text, strlen(text)),
		.advice = advice,
	};
	doctor->failed |= level == FINDING_FAIL;
	if (!doctor->quiet) {
		print(finding);
	}
}

static void print_help(void) {
	printf("usage: posed doctor [--json] [OPTION VALUE]...\n\n"
	       "Looks at what this machine offers a daemon with the same options (posed --help),\n"
	       "draws with every driver it finds, and says what is missing and what to do.\n\n"
	       "exit status: 0 a daemon would start and draw, 1 it would not, 2 wrong arguments\n");
}

static void look_at_graphics(struct doctor *doctor) {
	struct graphics_facts *facts = xcalloc(1, sizeof *facts);
	doctor_survey(doctor->config->renderer, facts);
	doctor_judge_graphics(doctor, facts);
	free(facts);
}

static bool look(const struct config *config, bool json) {
	struct doctor *doctor = xcalloc(1, sizeof *doctor);
	doctor->config = config;
	doctor->arena = arena_create();
	doctor->quiet = json;
	doctor_note(doctor, FINDING_OK, "version", NULL, "posed %s", POSED_VERSION);
	doctor_look_at_machine(doctor);
	doctor_look_at_folders(doctor);
	look_at_graphics(doctor);
	if (json) {
		struct buffer text = {0};
		findings_write(doctor->findings, doctor->count, !doctor->failed, &text);
		printf("%.*s\n", (int)text.size, (const char *)text.data);
		buffer_finish(&text);
	}
	const bool fine = !doctor->failed;
	arena_destroy(doctor->arena);
	free(doctor);
	return fine;
}

int doctor_main(int argument_count, char **arguments) {
	if (config_take_flag(&argument_count, arguments, "--help")) {
		print_help();
		return EXIT_SUCCESS;
	}
	const bool json = config_take_flag(&argument_count, arguments, "--json");
	struct config config;
	int status;
	if (!config_read_or_end(argument_count, arguments, "posed doctor", &config, &status)) {
		return status;
	}
	// As the daemon does, so that what is measured here holds there.
	setenv("LP_NUM_THREADS", "0", 0);
	const bool fine = look(&config, json);
	config_finish(&config);
	return fine ? EXIT_SUCCESS : EXIT_MISSING;
}
