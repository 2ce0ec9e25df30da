/* Commands for one picture: frame, compare, crowd. */
#pragma once

#include "commands.h"

run_command run_frame, run_compare, run_crowd;

/* Draws a file with no daemon, as `pose frame FILE` does. The exit status. */
int pictures_draw_file(const struct arguments *arguments, const char *path);

/* Has the daemon draw a rig. The exit status. */
int pictures_draw_rig(const struct arguments *arguments, const char *rig);
