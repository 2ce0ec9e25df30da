/* Lets one call of a running daemon fail, for tests/faults/test_inject.py: a library to preload.
 *
 * The environment variable FAULT_CONTROL names a file of a struct control, which the test maps,
 * too. While `armed` is set, the allocations and the system calls on files of threads whose names
 * begin with one of `threads` are counted, and the one with the number `fail_at` fails, with
 * `error`; with `stays` all behind it fail, too. Other threads, such as those that answer readers
 * and draw, and other processes are not touched. Calls that cannot fail on a real machine are left
 * alone: those on descriptors that are no files, directories or sockets. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { KIND_ALLOCATIONS = 1, KIND_CALLS = 2 };

struct control {
	atomic_int armed;
	int kinds; // bits
	int error; // errno of system calls
	int stays;
	int64_t fail_at; // from 1
	_Atomic int64_t count;
	_Atomic int64_t failed;
	char threads[64]; // beginnings of names, each followed by a space
	char what[32];    // the call that failed first
};

static struct control *control;
static __thread int inside; // a call of ours, whose own calls are not counted

__attribute__((constructor)) static void open_control(void) {
	const char *path = getenv("FAULT_CONTROL");
	const int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	if (file >= 0) {
		void *block =
			mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
		control = block == MAP_FAILED ? NULL : block;
		close(file);
	}
}

static int is_wanted(void) {
	char name[16];
	inside = 1;
	const int failed = pthread_getname_np(pthread_self(), name, sizeof name);
	inside = 0;
	const char *wanted = control->threads;
	while (!failed && *wanted) {
		const size_t length = strcspn(wanted, " ");
		if (length > 0 && strncmp(name, wanted, length) == 0) {
			return 1;
		}
		wanted += length + (wanted[length] == ' ');
	}
	return 0;
}

/* True if this call is to fail. */
static int fails(int kind, const char *what) {
	if (!control || inside || !atomic_load(&control->armed) || !(control->kinds & kind) ||
		!is_wanted()) {
		return 0;
	}
	const int64_t number = atomic_fetch_add(&control->count, 1) + 1;
	const int now = number == control->fail_at || (control->stays && number > control->fail_at);
	if (now && atomic_fetch_add(&control->failed, 1) == 0) {
		strncpy(control->what, what, sizeof control->what - 1);
	}
	return now;
}

static int call_fails(const char *what) {
	const int failing = fails(KIND_CALLS, what);
	if (failing) {
		errno = control->error;
	}
	return failing;
}

/* Of descriptors. */
static int use_fails(int file, const char *what) {
	struct stat status;
	const int number = errno;
	const int real = control && atomic_load(&control->armed) && !inside &&
		syscall(SYS_fstat, file, &status) == 0 &&
		(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISSOCK(status.st_mode));
	errno = number;
	return real && call_fails(what);
}

/* --- Allocations --- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static void *refuse_memory(void) {
	errno = ENOMEM;
	return NULL;
}

void *malloc(size_t size) {
	return fails(KIND_ALLOCATIONS, "malloc") ? refuse_memory() : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
	return fails(KIND_ALLOCATIONS, "calloc") ? refuse_memory() : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
	return fails(KIND_ALLOCATIONS, "realloc") ? refuse_memory() : __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
	return fails(KIND_ALLOCATIONS, "aligned_alloc") ? refuse_memory()
							: __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
	void *made =
		fails(KIND_ALLOCATIONS, "posix_memalign") ? NULL : __libc_memalign(alignment, size);
	if (made) {
		*block = made;
	}
	return made ? 0 : ENOMEM;
}

/* --- System calls --- */

int openat(int directory, const char *path, int flags, ...) {
	va_list arguments;
	va_start(arguments, flags);
	const unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, unsigned) : 0;
	va_end(arguments);
	return call_fails("openat") ? -1 : (int)syscall(SYS_openat, directory, path, flags, mode);
}

int open(const char *path, int flags, ...) {
	va_list arguments;
	va_start(arguments, flags);
	const unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, unsigned) : 0;
	va_end(arguments);
	return call_fails("open") ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

ssize_t read(int file, void *bytes, size_t size) {
	return use_fails(file, "read") ? -1 : syscall(SYS_read, file, bytes, size);
}

ssize_t pread(int file, void *bytes, size_t size, off_t at) {
	return use_fails(file, "pread") ? -1 : syscall(SYS_pread64, file, bytes, size, at);
}

ssize_t write(int file, const void *bytes, size_t size) {
	if (use_fails(file, "write")) {
		// As disks do that become full: some of it is there.
		if (size > 1) {
			syscall(SYS_write, file, bytes, size / 2);
			errno = control->error;
		}
		return -1;
	}
	return syscall(SYS_write, file, bytes, size);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
	return use_fails(file, "pwrite") ? -1 : syscall(SYS_pwrite64, file, bytes, size, at);
}

int fsync(int file) {
	return use_fails(file, "fsync") ? -1 : (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
	return use_fails(file, "fdatasync") ? -1 : (int)syscall(SYS_fdatasync, file);
}

int renameat(int from, const char *old, int to, const char *new) {
	return call_fails("renameat") ? -1 : (int)syscall(SYS_renameat, from, old, to, new);
}

int unlinkat(int directory, const char *path, int flags) {
	return call_fails("unlinkat") ? -1 : (int)syscall(SYS_unlinkat, directory, path, flags);
}

int mkdirat(int directory, const char *path, mode_t mode) {
	return call_fails("mkdirat") ? -1 : (int)syscall(SYS_mkdirat, directory, path, mode);
}

int faccessat(int directory, const char *path, int mode, int flags) {
	return call_fails("faccessat") ? -1
				       : (int)syscall(SYS_faccessat2, directory, path, mode, flags);
}

int fstat(int file, struct stat *status) {
	return use_fails(file, "fstat") ? -1 : (int)syscall(SYS_fstat, file, status);
}

int fstatat(int directory, const char *path, struct stat *status, int flags) {
	return call_fails("fstatat") ? -1
				     : (int)syscall(SYS_newfstatat, directory, path, status, flags);
}

int ftruncate(int file, off_t size) {
	return use_fails(file, "ftruncate") ? -1 : (int)syscall(SYS_ftruncate, file, size);
}

int close(int file) {
	// It is closed in any case.
	const int failing = use_fails(file, "close");
	const int result = (int)syscall(SYS_close, file);
	if (failing) {
		errno = control->error;
	}
	return failing ? -1 : result;
}

void *mmap(void *at, size_t size, int rights, int flags, int file, off_t offset) {
	return call_fails("mmap")
		? MAP_FAILED
		: (void *)syscall(SYS_mmap, at, size, rights, flags, file, offset);
}

int memfd_create(const char *name, unsigned flags) {
	return call_fails("memfd_create") ? -1 : (int)syscall(SYS_memfd_create, name, flags);
}

int pipe2(int ends[2], int flags) {
	return call_fails("pipe2") ? -1 : (int)syscall(SYS_pipe2, ends, flags);
}

int socketpair(int domain, int type, int protocol, int ends[2]) {
	return call_fails("socketpair")
		? -1
		: (int)syscall(SYS_socketpair, domain, type, protocol, ends);
}

ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
	return call_fails("sendmsg") ? -1 : syscall(SYS_sendmsg, file, message, flags);
}

ssize_t recv(int file, void *bytes, size_t size, int flags) {
	return call_fails("recv") ? -1
				  : syscall(SYS_recvfrom, file, bytes, size, flags, NULL, NULL);
}
