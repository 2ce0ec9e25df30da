/* `pose fit`: what skinning methods need of a rig, made ahead. */
#pragma once

#include "commands.h"

int run_fit(const struct command *command, const struct arguments *arguments);
