/* Names that are unique, whatever the file says. */
#pragma once

#include <stddef.h>

/* Gives every thing a name of its own. A missing or empty name becomes stem and index ("node3");
 * the first thing of a name keeps it; a second becomes "bone#2", a third "bone#3", numbers that
 * are someone's own name left out.
 *
 * own    [count] names in the file; NULL = none
 * unique [count] filled with malloc memory, the caller's */
void names_make_unique(const char *const *own, size_t count, const char *stem, char **unique);
