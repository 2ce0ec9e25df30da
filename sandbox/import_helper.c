// The import helper: forks a child for each asset and reports its end.
#include "sandbox/importer.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "renderer.h"
#include "sandbox/import_internal.h"
#include "sandbox/sandbox.h"

/* Milliseconds between checks of the memory of several children together, in which a child can fill
 * some ten MiB. A single child has a limit of its own. */
#define WATCH_MS 10

/* A child that reads an asset. */
struct child {
	LIST_ENTRY(child) of_all;
	pid_t process;
	struct import_request request;
	int result, reply;   // descriptors
	double started_s;    // clock_now_s()
	enum import_end end; // the reason for killing it
	bool killed;
};

struct helper {
	int ended;                   // signalfd of SIGCHLD
	bool must_sandbox;           // the sandbox works here, so that no child may read without it
	LIST_HEAD(, child) children; // newest first
	size_t child_count;
	struct pollfd *events; // [event_room]
	size_t event_room;
};

bool import_helper_is_wanted(int argument_count, char **arguments) {
	return argument_count == 2 && strcmp(arguments[1], IMPORT_HELPER_ARGUMENT) == 0;
}

/* Undoes the helper's settings in a new child. */
static void become_child(void) {
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Tries a sandbox in a child and greets the daemon with the outcome. */
static bool greet(struct helper *helper) {
	struct import_hello hello = {0};
	int words[2];
	if (pipe2(words, O_CLOEXEC) != 0) {
		return false;
	}
	const pid_t probe = fork();
	if (probe == 0) {
		become_child();
		import_child_probe(words[1]);
	}
	close(words[1]);
	int status = -1;
	if (probe > 0 && read(words[0], hello.why_not, sizeof hello.why_not - 1) < 0) {
		hello.why_not[0] = '\0';
	}
	close(words[0]);
	if (probe < 0 || waitpid(probe, &status, 0) != probe) {
		snprintf(hello.why_not, sizeof hello.why_not, "fork: %s", strerror(errno));
	} else if (WIFSIGNALED(status)) {
		snprintf(hello.why_not, sizeof hello.why_not,
			"a process that tried was killed (%s)", strsignal(WTERMSIG(status)));
	}
	hello.sandboxed = probe > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
	helper->must_sandbox = hello.sandboxed; // the daemon and its users rely on it
	return send(IMPORT_HELPER_SOCKET, &hello, sizeof hello, MSG_NOSIGNAL) == sizeof hello;
}

static void answer(int reply, const struct import_reply *words) {
	// Fits into the pipe, so that it does not block; the reader may be gone.
	const ssize_t ignored = write(reply, words, sizeof *words);
	(void)ignored;
	close(reply);
}

/* Starts a child; consumes the descriptors. */
static void start_child(struct helper *helper, const struct import_request *request,
	const int descriptors[static IMPORT_DESCRIPTORS]) {
	const struct import_task task = {
		.request = *request,
		.asset = descriptors[IMPORT_ASSET],
		.result = descriptors[IMPORT_RESULT],
		.must_sandbox = helper->must_sandbox,
	};
	const pid_t process = fork();
	if (process == 0) {
		become_child();
		import_child_run(&task);
	}
	const int failure = errno;
	close(task.asset);
	if (process < 0) {
		close(task.result);
		const struct import_reply reply = {.status = -1, .failure = failure};
		answer(descriptors[IMPORT_REPLY], &reply);
		return;
	}
	struct child *child = xcalloc(1, sizeof *child);
	child->process = process;
	child->request = *request;
	child->result = task.result;
	child->reply = descriptors[IMPORT_REPLY];
	child->started_s = clock_now_s();
	LIST_INSERT_HEAD(&helper->children, child, of_all);
	helper->child_count++;
}

/* Receives the daemon's next request; false at the end. */
static bool take_request(struct helper *helper) {
	struct import_request request;
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(IMPORT_DESCRIPTORS * sizeof(int))];
	} control;
	struct iovec part = {&request, sizeof request};
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control.room,
		.msg_controllen = sizeof control.room,
	};
	const ssize_t size = recvmsg(IMPORT_HELPER_SOCKET, &message, MSG_CMSG_CLOEXEC);
	if (size < 0 && errno == EINTR) {
		return true;
	}
	const struct cmsghdr *head = size > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	if (size != sizeof request || !head || head->cmsg_type != SCM_RIGHTS ||
		head->cmsg_len != CMSG_LEN(IMPORT_DESCRIPTORS * sizeof(int))) {
		return false;
	}
	int descriptors[IMPORT_DESCRIPTORS];
	memcpy(descriptors, CMSG_DATA(head), sizeof descriptors);
	start_child(helper, &request, descriptors);
	return true;
}

static double seconds_of(const struct timeval *time) {
	return (double)time->tv_sec + (double)time->tv_usec * 1e-6;
}

static void report(struct child *child, int status, const struct rusage *usage) {
	struct import_reply reply = {
		.status = status,
		.end = child->end,
		.seconds = clock_now_s() - child->started_s,
		.cpu_seconds = seconds_of(&usage->ru_utime) + seconds_of(&usage->ru_stime),
		.peak_bytes = (uint64_t)usage->ru_maxrss * 1024,
	};
	if (reply.end == IMPORT_END_OWN && reply.cpu_seconds > child->request.cpu_seconds) {
		reply.end = IMPORT_END_CPU;
	}
	answer(child->reply, &reply);
	close(child->result);
}

static struct child *find_child(const struct helper *helper, pid_t process) {
	struct child *child;
	LIST_FOREACH(child, &helper->children, of_all) {
		if (child->process == process) {
			break;
		}
	}
	return child;
}

static void reap(struct helper *helper) {
	struct signalfd_siginfo ignored;
	while (read(helper->ended, &ignored, sizeof ignored) > 0) {
	}
	struct rusage usage;
	int status;
	pid_t process;
	while ((process = wait4(-1, &status, WNOHANG, &usage)) > 0) {
		struct child *child = find_child(helper, process);
		if (child) {
			LIST_REMOVE(child, of_all);
			helper->child_count--;
			report(child, status, &usage);
			free(child);
		}
	}
}

static void kill_child(struct child *child, enum import_end end) {
	if (!child->killed) {
		child->killed = true;
		child->end = end;
		kill(child->process, SIGKILL);
	}
}

/* Processor time of a child so far; elapsed time if the kernel does not tell. */
static double cpu_seconds(const struct child *child, double now_s) {
	clockid_t clock;
	struct timespec taken;
	if (clock_getcpuclockid(child->process, &clock) != 0 || clock_gettime(clock, &taken) != 0) {
		return now_s - child->started_s;
	}
	return (double)taken.tv_sec + (double)taken.tv_nsec * 1e-9;
}

/* Kills children above their time limits. Returns the seconds until the next one may exceed them.
 */
static double end_late(struct helper *helper) {
	const double now_s = clock_now_s();
	double next_s = INFINITY;
	struct child *child;
	LIST_FOREACH(child, &helper->children, of_all) {
		const double cpu_left_s = child->request.cpu_seconds - cpu_seconds(child, now_s);
		const double wall_left_s = child->started_s + child->request.wall_seconds - now_s;
		if (cpu_left_s <= 0) {
			kill_child(child, IMPORT_END_CPU);
		} else if (wall_left_s <= 0) {
			kill_child(child, IMPORT_END_WALL);
		} else if (!child->killed) {
			// One thread uses at most the elapsed time.
			next_s = fmin(next_s, fmin(cpu_left_s, wall_left_s));
		}
	}
	return next_s;
}

/* Private memory of a child in bytes, with its result. */
static uint64_t memory_of(const struct child *child) {
	char path[40];
	unsigned long all = 0, resident = 0, shared = 0;
	snprintf(path, sizeof path, "/proc/%ld/statm", (long)child->process);
	FILE *file = fopen(path, "re");
	if (file) {
		if (fscanf(file, "%lu %lu %lu", &all, &resident, &shared) != 3) {
			resident = shared = 0;
		}
		fclose(file);
	}
	struct stat result;
	const uint64_t written =
		fstat(child->result, &result) == 0 ? (uint64_t)result.st_blocks * 512 : 0;
	const uint64_t own = resident > shared ? resident - shared : 0;
	return own * (uint64_t)sysconf(_SC_PAGESIZE) + written;
}

/* If all children together exceed the memory limit, kills the largest one except for the oldest, so
 * that one of them finishes. Kills one at a time, and waits until its memory is free. */
static void end_greatest(struct helper *helper) {
	struct child *child, *greatest = NULL;
	uint64_t most = 0, sum = 0;
	LIST_FOREACH(child, &helper->children, of_all) {
		const uint64_t bytes = memory_of(child);
		const bool is_oldest = !LIST_NEXT(child, of_all);
		sum += bytes;
		if (child->killed) {
			return;
		}
		if (!is_oldest && bytes >= most) {
			greatest = child;
			most = bytes;
		}
	}
	if (greatest && sum > greatest->request.all_bytes) {
		kill_child(greatest, IMPORT_END_CROWDED);
	}
}

/* Enforces the limits. Returns the milliseconds until the next check; -1 = when there is a child.
 */
static int hold_to_limits(struct helper *helper) {
	const double next_s = end_late(helper);
	if (helper->child_count > 1) {
		end_greatest(helper);
		return WATCH_MS;
	}
	// Rounds up, so that the limit is exceeded after the wait.
	return isinf(next_s) ? -1 : (int)(fmin(next_s, 60) * 1000) + 1;
}

/* Positions of the events that the helper waits for. */
enum { EVENT_REQUEST, EVENT_ENDED, EVENT_CHILDREN };

/* Waits for an event. False on a failure. */
static bool wait_for_events(struct helper *helper) {
	const size_t count = EVENT_CHILDREN + helper->child_count;
	if (count > helper->event_room) {
		free(helper->events);
		helper->events = xcalloc(2 * count, sizeof *helper->events);
		helper->event_room = 2 * count;
	}
	struct pollfd *events = helper->events;
	events[EVENT_REQUEST] = (struct pollfd){.fd = IMPORT_HELPER_SOCKET, .events = POLLIN};
	events[EVENT_ENDED] = (struct pollfd){.fd = helper->ended, .events = POLLIN};
	size_t i = EVENT_CHILDREN;
	const struct child *child;
	LIST_FOREACH(child, &helper->children, of_all) {
		events[i++] = (struct pollfd){.fd = child->reply};
	}
	if (poll(events, count, hold_to_limits(helper)) < 0) {
		return errno == EINTR;
	}
	return true;
}

/* Kills children whose replies are no longer awaited. */
static void end_unwanted(struct helper *helper) {
	size_t i = EVENT_CHILDREN;
	struct child *child;
	LIST_FOREACH(child, &helper->children, of_all) {
		if (helper->events[i++].revents & POLLERR) {
			kill_child(child, IMPORT_END_OWN);
		}
	}
}

static void serve(struct helper *helper) {
	bool open = true;
	while (open) {
		if (!wait_for_events(helper)) {
			return;
		}
		// Before the list of children changes.
		const bool request = helper->events[EVENT_REQUEST].revents;
		const bool ended = helper->events[EVENT_ENDED].revents;
		end_unwanted(helper);
		if (ended) {
			reap(helper);
		}
		if (request) {
			open = take_request(helper);
		}
	}
}

static bool is_socket(int descriptor) {
	int type;
	socklen_t size = sizeof type;
	return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
		type == SOCK_SEQPACKET;
}

/* Closes everything of the daemon's except for the socket and standard error. The helper survives
 * signals to the process group, because the daemon still finishes its requests. */
static bool settle(struct helper *helper) {
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	const int nowhere = open("/dev/null", O_RDWR);
	if (nowhere < 0 || dup2(nowhere, STDIN_FILENO) < 0 || dup2(nowhere, STDOUT_FILENO) < 0 ||
		close_range(IMPORT_HELPER_SOCKET + 1, ~0u, 0) != 0 ||
		fcntl(IMPORT_HELPER_SOCKET, F_SETFD, FD_CLOEXEC) != 0) {
		return false;
	}
	sigset_t ending;
	sigemptyset(&ending);
	sigaddset(&ending, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ending, NULL);
	helper->ended = signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
	return helper->ended >= 0;
}

int import_helper_main(void) {
	if (!is_socket(IMPORT_HELPER_SOCKET)) {
		fprintf(stderr, "posed: %s is reserved for posed itself\n", IMPORT_HELPER_ARGUMENT);
		return 2;
	}
	struct helper helper = {0};
	// Otherwise converting the dates of archives would open a file.
	setenv("TZ", "UTC0", 1);
	tzset();
	renderer_import_warm_up();
	sandbox_prepare(NULL); // greet() says why not
	if (!settle(&helper) || !greet(&helper)) {
		fprintf(stderr, "posed: the import helper cannot start: %s\n", strerror(errno));
		return EXIT_FAILURE;
	}
	serve(&helper);
	// Children die with their parent (PR_SET_PDEATHSIG), except for those that have not set it
	// yet.
	const struct child *child;
	LIST_FOREACH(child, &helper.children, of_all) {
		kill(child->process, SIGKILL);
	}
	// Without LeakSanitizer, which is of no use in a process that exits at once.
	_exit(EXIT_SUCCESS);
}
