/* posed verify: whether the store still has what was put. */
#pragma once

/* Takes the daemon's options, of which --data counts, and --json. Says on standard output what
 * verify_store() finds, a line each, and what there is in the last line; or all of it as JSON.
 * Returns the exit status: 0 without damage, 1 when something is damaged or the directory cannot be
 * read, 2 for wrong arguments. */
int verify_main(int argument_count, char **arguments);
