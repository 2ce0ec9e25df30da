/* Commands about rigs: put, list, show, compatibility, delete. */
#pragma once

#include "base/buffer.h"
#include "commands.h"

int run_put(const struct command *command, const struct arguments *arguments);
int run_list(const struct command *command, const struct arguments *arguments);
int run_show(const struct command *command, const struct arguments *arguments);
int run_compatibility(const struct command *command, const struct arguments *arguments);
int run_delete(const struct command *command, const struct arguments *arguments);

/* Puts an asset under a name; what the daemon says goes to standard output. The exit status. */
int rigs_put(const struct arguments *arguments, const char *name, const struct buffer *asset);
