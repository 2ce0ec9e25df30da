/* "posed health": whether the daemon is ready, for a container's health check. */
#pragma once

/* Takes the options of the daemon, of which --listen says where to ask; one line on standard
 * output. Returns 0 if it is ready, 1 if not, 2 for wrong arguments. */
int health_main(int argument_count, char **arguments);
