/* `pose example`: a rig's examples. */
#pragma once

#include "commands.h"

int run_example(const struct command *command, const struct arguments *arguments);
