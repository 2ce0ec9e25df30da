/* Commands for many pictures in one file: frames, turntable, sheet. */
#pragma once

#include "commands.h"

int run_frames(const struct command *command, const struct arguments *arguments);
int run_turntable(const struct command *command, const struct arguments *arguments);
int run_sheet(const struct command *command, const struct arguments *arguments);
