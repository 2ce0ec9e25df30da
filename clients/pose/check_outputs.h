/* The reports of a check on their way out. */
#pragma once

#include "check_options.h"
#include "checks/report.h"

/* True when a format goes to a file that an option names; false for what goes where the text does.
 */
bool check_report_has_file(const struct check_report_format *format);

/* True when a report that is written shows the cameras of findings. */
bool check_outputs_have_cameras(const struct check_options *options);

/* Refuses two reports on standard output. STATUS_OK, or the exit status with the sentence on
 * standard error. */
int check_outputs_check(const struct check_options *options);

/* Writes the report that is to be the next run's baseline, if there is to be one. False with the
 * reason on standard error. */
bool check_outputs_keep(const struct check_options *options, const struct check_report *report);

/* Writes all reports that are wanted, each as a whole or not at all, and the text. Text goes to
 * standard output, or to standard error where a report goes there. STATUS_OK or STATUS_FAILED, with
 * the reason on standard error.
 *
 * viewer   address of a daemon whose viewer has the assets by their paths; NULL = none */
int check_outputs_write(const struct check_options *options, const struct check_report *report,
	const char *viewer, struct arena *arena);
