/* What ODE has other threads do, done by the one that steps a world: a threading implementation of
 * its interface (ode/threading.h). Of the library's own two, the one that all worlds share unless
 * told otherwise keeps lists without locks, though worlds are stepped in different threads; and
 * both end the process when a step was left in the middle. */
#pragma once

#include <ode/ode.h>

struct serial;

/* One for one world. Free with serial_destroy, after the world; takes NULL. */
struct serial *serial_create(void);
void serial_destroy(struct serial *serial);

/* Has a world's steps done by it. */
void serial_serve(struct serial *serial, dWorldID world);
