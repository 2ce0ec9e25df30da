/* posed doctor: what this machine offers a daemon, what is missing, and what to do about it. */
#pragma once

/* Takes the daemon's own options and --json. Writes a line for each finding. Returns the exit
 * status: 0, 1 when the daemon could not start or not draw as the options want it, 2 for wrong
 * arguments. */
int doctor_main(int argument_count, char **arguments);
