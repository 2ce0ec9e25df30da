/* Shared libraries that are loaded on demand, so that a process that does not use them starts
 * without them: together they take several times as long to load as a small picture takes to draw.
 *
 * Code that uses such a library calls its functions as if it were linked. The build (delayed.sh)
 * makes a trampoline of each of these functions, which delayed_load() connects with the library. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "base/error.h"

typedef void delayed_function(void);

struct delayed_library {
	const char *file;                   // as the loader looks for it: libzip.so.4
	const char *package;                // Debian's, "" = unknown
	const char *const *names;           // [count] of functions
	delayed_function *volatile *places; // [count] that the trampolines jump to
	size_t count;
	int state;         // of delayed.c
	char failure[200]; // the loader's words
};

/* Those of DELAYED in the Makefile; curl and sixel are in pose only, microhttpd in the daemon,
 * seccomp in both. */
extern struct delayed_library delayed_archive, delayed_assimp, delayed_curl, delayed_gif,
	delayed_jpeg, delayed_webp, delayed_webpmux, delayed_microhttpd, delayed_ode,
	delayed_seccomp, delayed_sixel, delayed_zip, delayed_zstd;

/* Loads the library at the first call; the outcome stays. To be called before any of its functions:
 * a call of one that is not loaded aborts. False with ERROR_INTERNAL, which names the file, its
 * package and the loader's words. Any thread. */
bool delayed_load(struct delayed_library *library, struct error *err);

/* The place of a function until its library is loaded. Prints a message and aborts. */
__attribute__((noreturn)) void delayed_not_loaded(void);

#ifdef __cplusplus
}
#endif
