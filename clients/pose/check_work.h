/* Checks of many assets by many threads. */
#pragma once

#include "base/check.h"
#include "check_inputs.h"
#include "check_options.h"

/* Results of a run, in the arena. */
struct check_results {
	struct check_file *files; // [count of the inputs], in their order
	const char **remarks;     // [remark_count] about the assets, in the same order
	size_t remark_count;
};

/* Checks all inputs, by as many threads as the options say, and shows the progress. A few assets
 * are in memory at a time. The results are the same for any number of threads. False, with the
 * reason on standard error, where no thread can be started, or pictures could not be approved. */
bool check_work_run(const struct check_options *options, const struct check_inputs *inputs,
	struct arena *arena, struct check_results *out);
