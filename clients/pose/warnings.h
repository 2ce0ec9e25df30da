/* Warnings about assets, on standard error: a sentence, or with --json {"file", "warning"} on one
 * line. Nothing with --quiet. */
#pragma once

#include "options.h"

struct rig;

/* path: of the asset; NULL = the daemon warns, of what it was asked for. */
void warning_print(const struct arguments *arguments, const char *path, const char *words);

/* Everything that reading the asset changed or left out. */
void warnings_print_rig(const struct arguments *arguments, const char *path, const struct rig *rig);
