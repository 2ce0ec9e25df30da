/* Commands for one picture: frame, compare, crowd. */
#pragma once

#include "commands.h"

run_command run_frame, run_compare, run_crowd;

/* Draws a file with no daemon, as `pose frame FILE` does. The exit status. */
int pictures_draw_file(const struct arguments *arguments, const char *path);

/* Has the daemon draw a rig. The exit status. */
int pictures_draw_rig(const struct arguments *arguments, const char *rig);

/* The exit status of a command that took its argument for a rig's name: says, where it failed and a
 * file may have been meant, that there is none. Returns the status. */
int pictures_end_rig(const struct arguments *arguments, const char *rig, int status);

/* True when an argument is a file rather than a rig's name: it has a slash, is standard input, or
 * is there and no folder. */
bool pictures_is_file(const char *subject);
