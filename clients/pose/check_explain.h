/* The rules of checks, for people. */
#pragma once

#include "base/check_profile.h"

/* Prints a table of the rules that a profile wants, with its limits. */
void check_explain_list(const struct check_profile *profile);

/* Prints all that there is to know of a rule, with the limits of a profile. The exit status. */
int check_explain_rule(const struct check_profile *profile, const char *id);
