/* posed verify: whether the store still has what was put. */
#pragma once

/* Takes the daemon's options, of which --data counts. Reads every record and every byte that one
 * names, and says on standard output what is wrong, a line each, and what there is in the last
 * line. Changes nothing, and may run beside a daemon: what that is writing is then not looked at,
 * and what it replaces or deletes meanwhile is no fault. Returns the exit status: 0 when all is
 * well, 1 when something is wrong or the directory cannot be read, 2 for wrong arguments. */
int verify_main(int argument_count, char **arguments);
