// Results of checks as plain data.
#include "base/check.h"

#include <math.h>

const char *const check_level_names[CHECK_LEVEL_COUNT + 1] = {
	"ok", "note", "warning", "error", NULL};

const char *const check_state_names[CHECK_STATE_COUNT + 1] = {
	"none", "new", "unchanged", "updated", "absent", NULL};

const char *const check_better_names[] = {"neither", "before", "after"};

enum check_level check_level_of(const struct check_limits *limits, double value) {
	const double rising[] = {limits->note, limits->warning, limits->error};
	enum check_level level = CHECK_OK;
	for (int i = 0; i < 3; i++) {
		if (!(value < rising[i]) && rising[i] < INFINITY) {
			level = (enum check_level)(CHECK_NOTE + i);
		}
	}
	return level;
}

void check_summary_add(struct check_summary *summary, const struct check_finding *finding) {
	if (finding->state == CHECK_STATE_ABSENT) {
		return;
	}
	if (finding->suppressed) {
		summary->suppressed++;
		return;
	}
	summary->errors += finding->level == CHECK_ERROR;
	summary->warnings += finding->level == CHECK_WARNING;
	summary->notes += finding->level == CHECK_NOTE;
	if (finding->state != CHECK_STATE_UNCHANGED) {
		summary->fresh++;
		summary->worst = finding->level > summary->worst ? finding->level : summary->worst;
	}
}

struct check_summary check_summarise(const struct check_file *files, size_t file_count) {
	struct check_summary summary = {.files = file_count, .worst = CHECK_OK};
	for (size_t i = 0; i < file_count; i++) {
		for (size_t k = 0; k < files[i].finding_count; k++) {
			check_summary_add(&summary, &files[i].findings[k]);
		}
	}
	return summary;
}
