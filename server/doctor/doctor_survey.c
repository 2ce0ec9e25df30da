// The doctor's way through EGL, each step in a process of its own.
#include "doctor/doctor_survey.h"

#include <stdio.h>
#include <string.h>

#include "doctor/apart.h"
#include "doctor/doctor_gpu.h"
#include "doctor/doctor_vendors.h"

/* A driver that compiles its shaders on a busy machine takes a second or two. */
#define WAY_LIMIT_S 30.0

static void load(int argument, void *out) {
	(void)argument;
	renderer_survey(out);
}

static void go_way(int i, void *out) {
	renderer_survey_way(i, out);
}

static void go_as_chosen(int choice, void *out) {
	renderer_survey_choice((enum renderer_choice)choice, out);
}

/* crash has 128 bytes, like all in the facts. */
static void run(void (*work)(int argument, void *out), int argument, void *out, size_t out_bytes,
	char *crash, char *words, size_t words_bytes) {
	const struct apart_job job = {.work = work,
		.argument = argument,
		.out = out,
		.out_bytes = out_bytes,
		.seconds = WAY_LIMIT_S,
		.words = words,
		.words_bytes = words_bytes};
	struct error err = {0};
	if (!apart_run(&job, &err)) {
		snprintf(crash, 128, "%.127s", err.text);
	}
}

static void run_way(void (*work)(int argument, void *out), int argument, struct way_facts *out) {
	run(work, argument, &out->way, sizeof out->way, out->crash, out->words, sizeof out->words);
}

void doctor_survey(enum renderer_choice choice, struct graphics_facts *out) {
	char words[400];
	doctor_find_gpus(&out->gpu);
	run(load, 0, &out->survey, sizeof out->survey, out->crash, words, sizeof words);
	if (!*out->survey.missing) {
		char crash[128]; // shows again in the ways that use the same library
		run(doctor_find_vendors, 0, &out->vendors, sizeof out->vendors, crash, words,
			sizeof words);
	}
	out->way_count = out->survey.way_count < WAYS_MAX ? out->survey.way_count : WAYS_MAX;
	for (int i = 0; i < out->way_count; i++) {
		run_way(go_way, i, &out->ways[i]);
	}
	run_way(go_as_chosen, (int)choice, &out->choice);
}
