/* `pose watch FILE [RIG]`: draws a file, or puts it to the daemon, whenever it changes. */
#pragma once

#include "commands.h"

int run_watch(const struct command *command, const struct arguments *arguments);
