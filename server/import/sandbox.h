/* What keeps a process that reads strangers' bytes from everything but reading them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Whether the address space is limited: the sanitizers reserve terabytes of it, and would not even
 * start. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANDBOX_LIMITS_MEMORY 0
#else
#define SANDBOX_LIMITS_MEMORY 1
#endif

struct sandbox_limits {
	size_t memory_bytes; // that may be mapped besides what is mapped when it is entered
	size_t file_bytes;   // that the one writable file may grow to
	double cpu_seconds;  // rounded up to whole ones
	int writable;        // the descriptor that may be written to, besides standard error
};

/* Shuts this process in for good: it may compute, get and give back memory, write to the one
 * descriptor and to standard error, and exit. Whatever else it asks the kernel for (files, sockets,
 * processes, threads, executable memory) kills it with SIGSYS. No core dumps, no new privileges, no
 * tracing by others of the same user; open descriptors and mappings stay usable.
 *
 * For a process of one thread. False with ERROR_INTERNAL and what the kernel does not offer; what
 * could be had is in force all the same. */
bool sandbox_enter(const struct sandbox_limits *limits, struct error *err);
