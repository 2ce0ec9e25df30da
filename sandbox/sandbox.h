/* The sandbox of processes that read untrusted bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* 1 if the address space is limited. Sanitizers reserve terabytes of it, and would not start. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANDBOX_LIMITS_MEMORY 0
#else
#define SANDBOX_LIMITS_MEMORY 1
#endif

struct sandbox_limits {
	size_t memory_bytes; // may be mapped in addition to present mappings
	size_t file_bytes;   // maximum size of the writable file
	double cpu_seconds;  // rounded up to whole ones
	int writable;        // the only writable descriptor besides standard error
};

/* Loads the library that sandbox_enter() needs: before a fork, once for all children. False with
 * ERROR_INTERNAL. */
bool sandbox_prepare(struct error *err);

/* Sandboxes this process irrevocably: it may compute, allocate and free memory, write to the one
 * descriptor and to standard error, and exit. Any other system call (for files, sockets, processes,
 * threads, executable memory) kills it with SIGSYS. No core dumps, no new privileges, no
 * tracing by others of the same user; open descriptors and mappings stay usable.
 *
 * For a process of one thread. False with ERROR_INTERNAL and the features that the kernel
 * lacks; all others are in force nevertheless. */
bool sandbox_enter(const struct sandbox_limits *limits, struct error *err);
