// The table of rules.
#include "check/rules.h"

const struct check_rule *const check_rules[] = {
#define CHECK_RULE_ROW(name) &check_rule_##name,
	CHECK_RULES(CHECK_RULE_ROW)
#undef CHECK_RULE_ROW
};

const int check_rule_count = sizeof check_rules / sizeof *check_rules;
