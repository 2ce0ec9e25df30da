/* `pose clip`: a rig's clips. */
#pragma once

#include "commands.h"

int run_clip(const struct command *command, const struct arguments *arguments);
