// `pose check FILE|FOLDER|RIG...`.
#include <stdio.h>
#include <string.h>

#include "check_approved.h"
#include "check_explain.h"
#include "check_inputs.h"
#include "check_options.h"
#include "check_outputs.h"
#include "check_work.h"
#include "checks/report.h"
#include "commands.h"
#include "daemon.h"
#include "interface/checks.h"
#include "status.h"
#include "version.h"

/* A run of the command. */
struct run {
	const struct check_options *options;
	struct arena *arena;
	struct check_inputs inputs;
	struct check_results results;
	const struct check_baseline *baseline; // NULL = none is given
	struct check_report report;
};

/* --- The end --- */

/* A clip that is wanted, and that no asset has, is a slip of the pen. */
static int check_clips(const struct run *run) {
	check_globs clips = run->options->profile.clips;
	for (size_t c = 0; clips && clips[c]; c++) {
		bool found = false;
		for (size_t i = 0; i < run->inputs.count; i++) {
			const struct check_file *file = &run->results.files[i];
			for (size_t k = 0; k < file->clip_count; k++) {
				found |= check_glob(clips[c], file->clips[k].name);
			}
		}
		if (!found) {
			fprintf(stderr, "pose: --clip: no clip is called \"%s\"\n", clips[c]);
			return STATUS_USAGE;
		}
	}
	return STATUS_OK;
}

static int judge(const struct run *run) {
	const enum check_level fail_on = run->options->fail_on;
	const struct check_summary summary =
		check_summarise(run->report.files, run->report.file_count);
	for (size_t i = 0; i < run->inputs.count; i++) {
		if (run->results.files[i].refused) {
			return STATUS_REFUSED;
		}
	}
	return fail_on != CHECK_OK && summary.worst >= fail_on ? STATUS_DIFFERENT
							       : check_clips(run);
}

static void make_report(struct run *run) {
	const struct check_profile *profile = &run->options->profile;
	const char *skinning = profile->settings.skinning;
	run->report = (struct check_report){
		.build = "posed " POSED_VERSION,
		.profile = profile->name,
		.digest = run->options->digest,
		.skinning = skinning ? skinning : "lbs",
		.resolved = profile,
		.with_timing = arguments_value(run->options->arguments, "--timing"),
		.files = run->results.files,
		.file_count = run->inputs.count,
		.remarks = run->results.remarks,
		.remark_count = run->results.remark_count,
	};
	run->report.rules = renderer_check_rules(&run->report.rule_count);
	check_report_remark(&run->report, run->options->today, run->arena);
}

/* The daemon whose viewer shows all of the assets; NULL = there is none. */
static const char *find_viewer(const struct run *run) {
	const char *address = daemon_address(run->options->arguments);
	bool all = strncmp(address, "http", 4) == 0;
	for (size_t i = 0; i < run->inputs.count; i++) {
		all &= run->inputs.items[i].is_rig;
	}
	return all ? address : NULL;
}

/* Writes the reports: the next run's baseline is as if there were none for this one. */
static int write_reports(struct run *run) {
	const bool kept = check_outputs_keep(run->options, &run->report);
	if (run->baseline) {
		check_baseline_apply(run->baseline, &run->report, run->arena);
	}
	const int status =
		check_outputs_write(run->options, &run->report, find_viewer(run), run->arena);
	return kept ? status : STATUS_FAILED;
}

static int check(const struct check_options *options, struct arena *arena) {
	struct run run = {.options = options, .arena = arena};
	int status = check_outputs_check(options);
	status = status == STATUS_OK ? check_approved_check(options) : status;
	if (status == STATUS_OK) {
		status = check_inputs_baseline(options->arguments, arena, &run.baseline);
	}
	if (status == STATUS_OK) {
		status = check_inputs_find(options->arguments, 1, arena, &run.inputs);
	}
	if (status == STATUS_OK && !check_work_run(options, &run.inputs, arena, &run.results)) {
		status = STATUS_FAILED;
	}
	if (status != STATUS_OK) {
		return status;
	}
	make_report(&run);
	status = write_reports(&run);
	return status == STATUS_OK ? judge(&run) : status;
}

int run_check(const struct command *command, const struct arguments *arguments) {
	struct arena *arena = arena_create();
	struct check_options options;
	const char *explained = arguments_value(arguments, "--explain");
	int status = check_options_read(arguments, arena, &options);
	if (status == STATUS_OK && arguments_value(arguments, "--list-rules")) {
		check_explain_list(&options.profile);
	} else if (status == STATUS_OK && explained) {
		status = check_explain_rule(&options.profile, explained);
	} else if (status == STATUS_OK && arguments->plain_count < 2) {
		fprintf(stderr, "usage: pose %s %s\n", command->name, command->usage);
		status = STATUS_USAGE;
	} else if (status == STATUS_OK) {
		status = check(&options, arena);
	}
	arena_destroy(arena);
	return status;
}
