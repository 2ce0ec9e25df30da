/* Files that are not read here, by their content: models of other formats, pictures, archives. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Room for what foreign_name() writes. */
#define FOREIGN_NAME_BYTES 96

/* Writes "an FBX file (binary, version 7400)". False where nobody knows what it is. */
bool foreign_name(const unsigned char *bytes, size_t size, char name[static FOREIGN_NAME_BYTES]);

/* The format named by the ending of a path, such as "FBX" for "a/fox.fbx"; NULL where it names none
 * of a model. For files whose content is not at hand. */
const char *foreign_ending(const char *path);

/* Gives every thing a name of its own. A missing or empty name becomes stem and index ("node3");
 * the first thing of a name keeps it; a second becomes "bone#2", a third "bone#3", numbers that
 * are someone's own name left out.
 *
 * own    [count] names in the file; NULL = none
 * unique [count] filled with malloc memory, the caller's */
void names_make_unique(const char *const *own, size_t count, const char *stem, char **unique);
