/* A report made by hand, whose names have all that formats must escape. */
#pragma once

#include "base/check.h"

#define NASTY_RULES 4
#define NASTY_NAME "Walk \"<&'>\n\t]]>\x01\x1b[31m,:%|`@all#1\\ \xf0\x9f\xa6\x8a"

/* Two files, one of them refused; findings of all levels, suppressed, known and gone ones, with
 * pictures and a curve. Lives as long as the process. */
const struct check_report *nasty_report(void);

extern const struct check_rule_info *const nasty_rules[NASTY_RULES];
