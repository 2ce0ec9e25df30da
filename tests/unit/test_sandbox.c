// The sandbox: what a process may still do inside, and what kills it.
#include "sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* Budgets of the children here. */
#define MEMORY_BYTES ((size_t)64 << 20)
#define FILE_BYTES ((size_t)1 << 20)

enum { EXIT_DONE = 10, EXIT_REFUSED = 11, EXIT_NO_JAIL = 12 };

static int writable; // the descriptor that a child may write to
static pid_t parent;

/* Runs a function in a sandbox of its own and returns how that ended, as of wait(). */
static int run_sandboxed(bool (*function)(void)) {
	writable = memfd_create("test", 0);
	parent = getpid();
	fflush(NULL);
	const pid_t child = fork();
	if (child == 0) {
		signal(SIGABRT, SIG_DFL); // cmocka listens
		const struct sandbox_limits limits = {MEMORY_BYTES, FILE_BYTES, 1, writable};
		if (!sandbox_enter(&limits, NULL)) {
			_exit(EXIT_NO_JAIL);
		}
		_exit(function() ? EXIT_DONE : EXIT_REFUSED);
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	close(writable);
	return status;
}

static bool opens_a_file(void) {
	return open("/etc/passwd", O_RDONLY) >= 0;
}

static bool makes_a_file(void) {
	return open("/tmp/posed-sandbox", O_WRONLY | O_CREAT, 0600) >= 0;
}

static bool removes_a_file(void) {
	return unlink("/tmp/posed-sandbox") == 0;
}

static bool makes_a_socket(void) {
	return socket(AF_INET, SOCK_STREAM, 0) >= 0;
}

static bool makes_a_socket_pair(void) {
	int ends[2];
	return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;
}

static bool runs_a_program(void) {
	char *arguments[] = {"true", NULL}, *environment[] = {NULL};
	return execve("/bin/true", arguments, environment) == 0;
}

static bool forks(void) {
	return syscall(SYS_fork) >= 0;
}

static void *do_nothing(void *context) {
	return context;
}

static bool starts_a_thread(void) {
	pthread_t thread;
	return pthread_create(&thread, NULL, do_nothing, NULL) == 0;
}

static bool looks_at_its_parent(void) {
	return ptrace(PTRACE_ATTACH, parent, NULL, NULL) == 0;
}

static bool signals_its_parent(void) {
	return kill(parent, 0) == 0;
}

static bool signals_a_thread_of_its_parent(void) {
	return syscall(SYS_tgkill, 1, 1, 0) == 0;
}

static bool maps_code(void) {
	return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
		MAP_FAILED;
}

static bool makes_data_code(void) {
	static _Alignas(4096) unsigned char page[4096];
	return mprotect(page, sizeof page, PROT_READ | PROT_EXEC) == 0;
}

static bool writes_elsewhere(void) {
	return write(STDOUT_FILENO, "", 0) == 0;
}

static bool copies_a_descriptor(void) {
	return dup(STDERR_FILENO) >= 0;
}

static bool cuts_the_result(void) {
	return ftruncate(writable, 0) == 0;
}

static bool lifts_its_limits(void) {
	return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0;
}

static void what_is_none_of_its_business_kills(void **state) {
	(void)state;
#define CASE(name) \
	{ #name, name }
	static const struct {
		const char *name;
		bool (*function)(void);
	} cases[] = {
		CASE(opens_a_file),
		CASE(makes_a_file),
		CASE(removes_a_file),
		CASE(makes_a_socket),
		CASE(makes_a_socket_pair),
		CASE(runs_a_program),
		CASE(forks),
		CASE(starts_a_thread),
		CASE(looks_at_its_parent),
		CASE(signals_its_parent),
		CASE(signals_a_thread_of_its_parent),
		CASE(maps_code),
		CASE(makes_data_code),
		CASE(writes_elsewhere),
		CASE(copies_a_descriptor),
		CASE(cuts_the_result),
		CASE(lifts_its_limits),
	};
#undef CASE
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const int status = run_sandboxed(cases[i].function);
		if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGSYS) {
			fail_msg("%s: status %#x, must be killed by SIGSYS", cases[i].name,
				(unsigned)status);
		}
	}
}

static bool computes_and_writes(void) {
	for (size_t size = 1; size < MEMORY_BYTES / 4; size *= 3) {
		unsigned char *block = calloc(size, 1);
		unsigned char *grown = block ? realloc(block, size * 2) : NULL;
		if (!grown) {
			return false;
		}
		grown[size] = 1;
		if (write(writable, grown, size < 1000 ? size : 1000) < 0) {
			return false;
		}
		free(grown);
	}
	return pwrite(writable, "x", 1, 0) == 1 && write(STDERR_FILENO, "", 0) == 0;
}

static void memory_and_the_result_are_free_to_use(void **state) {
	(void)state;
	const int status = run_sandboxed(computes_and_writes);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EXIT_DONE);
}

static int compare(const void *a, const void *b) {
	return memcmp(a, b, sizeof(int));
}

static bool sorts(void) {
	static int numbers[4096];
	for (int i = 0; i < 4096; i++) {
		numbers[i] = i * 7919 % 4096;
	}
	qsort(numbers, 4096, sizeof *numbers, compare);
	return true;
}

static void long_lists_can_be_sorted(void **state) {
	(void)state;
	const int status = run_sandboxed(sorts);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EXIT_DONE);
}

static bool takes_too_much(void) {
	void *block = malloc(MEMORY_BYTES + 1);
	const bool had = block;
	free(block);
	return had;
}

static void memory_has_an_end(void **state) {
	(void)state;
	if (!SANDBOX_LIMITS_MEMORY) {
		skip();
	}
	const int status = run_sandboxed(takes_too_much);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EXIT_REFUSED);
}

static bool writes_too_much(void) {
	static const unsigned char zeros[4096];
	for (size_t done = 0; done <= FILE_BYTES; done += sizeof zeros) {
		if (write(writable, zeros, sizeof zeros) != sizeof zeros) {
			return false;
		}
	}
	return true;
}

static void the_result_has_an_end(void **state) {
	(void)state;
	signal(SIGXFSZ, SIG_IGN); // as the daemon does
	const int status = run_sandboxed(writes_too_much);
	signal(SIGXFSZ, SIG_DFL);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EXIT_REFUSED);
}

static bool never_ends(void) {
	for (volatile unsigned i = 0;; i++) {
	}
	return true;
}

static void time_has_an_end(void **state) {
	(void)state;
	const int status = run_sandboxed(never_ends);
	assert_true(WIFSIGNALED(status));
	assert_true(WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
}

static bool aborts(void) {
	abort();
}

static void an_assertion_is_told_from_a_breakout(void **state) {
	(void)state;
	const int status = run_sandboxed(aborts);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}

/* Kernels without filters are served, too; what this can test is not there then. */
static int need_filters(void **state) {
	(void)state;
	if (run_sandboxed(computes_and_writes) >> 8 == EXIT_NO_JAIL) {
		print_message("SKIPPED: this kernel offers no filters\n");
		exit(77);
	}
	return 0;
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_none_of_its_business_kills),
		cmocka_unit_test(memory_and_the_result_are_free_to_use),
		cmocka_unit_test(long_lists_can_be_sorted),
		cmocka_unit_test(memory_has_an_end),
		cmocka_unit_test(the_result_has_an_end),
		cmocka_unit_test(time_has_an_end),
		cmocka_unit_test(an_assertion_is_told_from_a_breakout),
	};
	return cmocka_run_group_tests(tests, need_filters, NULL);
}
