/* The import helper: this program started once more, small and of one thread, so that it can fork a
 * child for each asset at once. The daemon itself could not: it has threads, a graphics driver, and
 * all other clients' rigs, which no reader of strangers' bytes is to be born with. */
#pragma once

#include <stdbool.h>

/* Whether the arguments ask for the helper instead of the daemon. */
bool import_helper_is_wanted(int argument_count, char **arguments);

/* Serves import_wire.h on its socket until the daemon has closed it, and ends its children with
 * itself. Returns the exit status. */
int import_helper_main(void);
