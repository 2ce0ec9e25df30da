/* Commands that look at a machine and at a running daemon. */
#pragma once

/* posed doctor: checks the machine for a daemon with the same options. Takes them and --json.
 * Prints findings; returns the exit status: 0 if the daemon would start and draw, 1 if not, 2 for
 * wrong arguments. */
int doctor_main(int argument_count, char **arguments);

/* posed health: asks a daemon if it is ready, for a container's health check. Takes the daemon's
 * options, of which --listen counts. Prints one line; returns the exit status: 0 if it is ready, 1
 * if not, 2 for wrong arguments. */
int health_main(int argument_count, char **arguments);
