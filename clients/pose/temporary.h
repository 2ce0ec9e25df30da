/* A file that is being written beside the one it is to become. Nothing of it stays when the program
 * is ended meanwhile by SIGINT, SIGTERM or SIGHUP. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct temporary;

/* Takes care of those signals from here on, but for those that are blocked, ignored or handled
 * already: to be called before there are other threads. The file is not there yet. NULL and errno
 * when there is no memory. */
struct temporary *temporary_create(const char *path);

/* Makes the file, of a name with ".part" behind. A descriptor for writing, the caller's to close;
 * -1 and errno where the folder takes none. */
int temporary_open(struct temporary *temporary, mode_t mode);

/* Gives it the name that it is to have. False and errno: it stays what it was. */
bool temporary_rename(struct temporary *temporary);

/* Removes the file if it is still what it was, and gives the signals back. Keeps errno; takes NULL.
 */
void temporary_destroy(struct temporary *temporary);
