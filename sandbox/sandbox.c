// The sandbox of processes that read untrusted bytes.
#include "sandbox/sandbox.h"

#include <errno.h>
#include <math.h>
#include <seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/delayed.h"

/* Bytes mapped at present, from which limits count. */
static size_t mapped_bytes(void) {
	unsigned long pages = 0;
	FILE *file = fopen("/proc/self/statm", "re");
	if (file) {
		if (fscanf(file, "%lu", &pages) != 1) {
			pages = 0;
		}
		fclose(file);
	}
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Lowers a limit irrevocably, or leaves a lower one. */
static bool limit(__rlimit_resource_t what, const char *name, rlim_t most, struct error *err) {
	struct rlimit now;
	if (getrlimit(what, &now) != 0) {
		return error_set(err, ERROR_INTERNAL, "getrlimit %s: %s", name, strerror(errno));
	}
	if (most < now.rlim_max) {
		now.rlim_max = most;
	}
	now.rlim_cur = now.rlim_max;
	return setrlimit(what, &now) == 0 ||
		error_set(err, ERROR_INTERNAL, "setrlimit %s: %s", name, strerror(errno));
}

static bool set_limits(const struct sandbox_limits *limits, struct error *err) {
	const rlim_t seconds = (rlim_t)ceil(limits->cpu_seconds);
	bool ok = limit(RLIMIT_CORE, "CORE", 0, err);
	ok &= limit(RLIMIT_CPU, "CPU", seconds ? seconds : 1, err);
	ok &= limit(RLIMIT_FSIZE, "FSIZE", limits->file_bytes, err);
#if SANDBOX_LIMITS_MEMORY
	ok &= limit(RLIMIT_AS, "AS", mapped_bytes() + limits->memory_bytes, err);
#else
	(void)mapped_bytes;
#endif
	// For kernels without filters: no new descriptors, and, except for root, no new processes.
	ok &= limit(RLIMIT_NOFILE, "NOFILE", 0, err);
	ok &= limit(RLIMIT_NPROC, "NPROC", 0, err);
	return ok;
}

/* An allowed system call, if there is a test only with this argument. */
struct rule {
	int call;
	unsigned tests; // 0 or 1
	struct scmp_arg_cmp test;
};

/* The argument must be this value; and must have none of these bits. */
static struct scmp_arg_cmp is(unsigned argument, scmp_datum_t value) {
	return (struct scmp_arg_cmp){.arg = argument, .op = SCMP_CMP_EQ, .datum_a = value};
}

static struct scmp_arg_cmp lacks(unsigned argument, scmp_datum_t bits) {
	return (struct scmp_arg_cmp){
		.arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = bits, .datum_b = 0};
}

/* System calls for memory (malloc, large arrays), locks of the C library, and exiting; a failed
 * assertion prints, and raises SIGABRT only in this process. */
static bool add_rules(scmp_filter_ctx filter, const struct sandbox_limits *limits, int *failure) {
	const scmp_datum_t self = (scmp_datum_t)getpid(), out = (scmp_datum_t)limits->writable;
	const struct scmp_arg_cmp none = {0};
	const struct rule rules[] = {
		{SCMP_SYS(brk), 0, none},
		{SCMP_SYS(mmap), 1, lacks(2, PROT_EXEC)},
		{SCMP_SYS(mprotect), 1, lacks(2, PROT_EXEC)},
		{SCMP_SYS(munmap), 0, none},
		{SCMP_SYS(mremap), 0, none},
		{SCMP_SYS(madvise), 0, none},
		{SCMP_SYS(sysinfo), 0, none}, // qsort, for the size of the machine's memory
		{SCMP_SYS(write), 1, is(0, out)},
		{SCMP_SYS(pwrite64), 1, is(0, out)},
		{SCMP_SYS(write), 1, is(0, STDERR_FILENO)},
		{SCMP_SYS(writev), 1, is(0, STDERR_FILENO)},
		{SCMP_SYS(futex), 0, none},
		{SCMP_SYS(clock_gettime), 0, none},
		{SCMP_SYS(getrandom), 0, none},
		{SCMP_SYS(getpid), 0, none},
		{SCMP_SYS(gettid), 0, none},
		{SCMP_SYS(tgkill), 1, is(0, self)},
		{SCMP_SYS(rt_sigprocmask), 0, none},
		{SCMP_SYS(rt_sigreturn), 0, none},
#if !SANDBOX_LIMITS_MEMORY
		// For sanitizers: their signal stack, which they remove at exit, and locks.
		{SCMP_SYS(sigaltstack), 0, none},
		{SCMP_SYS(sched_yield), 0, none},
#endif
		{SCMP_SYS(exit), 0, none},
		{SCMP_SYS(exit_group), 0, none},
	};
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
		*failure = seccomp_rule_add_array(
			filter, SCMP_ACT_ALLOW, rules[i].call, rules[i].tests, &rules[i].test);
		if (*failure) {
			return false;
		}
	}
	return true;
}

static bool filter_calls(const struct sandbox_limits *limits, struct error *err) {
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
	if (!filter) {
		return error_set(err, ERROR_INTERNAL, "seccomp: cannot create a filter");
	}
	int failure = 0;
	const bool loaded =
		add_rules(filter, limits, &failure) && (failure = seccomp_load(filter)) == 0;
	// Its memory stays: giving it back might need a call that the filter is in the way of.
	return loaded || error_set(err, ERROR_INTERNAL, "seccomp: %s", strerror(-failure));
}

bool sandbox_prepare(struct error *err) {
	return delayed_load(&delayed_seccomp, err);
}

bool sandbox_enter(const struct sandbox_limits *limits, struct error *err) {
	const bool can_filter = sandbox_prepare(err);
	bool ok = set_limits(limits, err) && can_filter;
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 ||
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
		ok = error_set(err, ERROR_INTERNAL, "prctl: %s", strerror(errno));
	}
	return can_filter && filter_calls(limits, err) && ok;
}
