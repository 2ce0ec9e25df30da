// The import helper: forks a child for each asset and tells how it ended.
#include "import_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "import_child.h"
#include "renderer.h"

/* A child that reads an asset. */
struct child {
	struct child *next;
	pid_t process;
	int reply;         // descriptor
	double started_s;  // clock_now_s()
	double deadline_s; // likewise
	bool late;         // killed for it
};

struct helper {
	int ended;      // signalfd of SIGCHLD
	bool must_jail; // jails can be had here: a child without one reads nothing
	struct child *children;
};

bool import_helper_is_wanted(int argument_count, char **arguments) {
	return argument_count == 2 && strcmp(arguments[1], IMPORT_HELPER_ARGUMENT) == 0;
}

/* What a new child undoes of the helper. */
static void become_child(void) {
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Tries a jail in a child and greets the daemon with the outcome. */
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
	hello.jailed = probe > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
	helper->must_jail = hello.jailed; // the daemon and its user rely on it
	return send(IMPORT_HELPER_SOCKET, &hello, sizeof hello, MSG_NOSIGNAL) == sizeof hello;
}

static void answer(int reply, const struct import_reply *words) {
	// Smaller than a pipe's room, so it is written at once; nobody may be waiting any more.
	const ssize_t ignored = write(reply, words, sizeof *words);
	(void)ignored;
	close(reply);
}

/* Starts a child; takes the descriptors over. */
static void start_child(struct helper *helper, const struct import_request *request,
	const int descriptors[static IMPORT_DESCRIPTORS]) {
	const struct import_task task = {
		.request = *request,
		.asset = descriptors[IMPORT_ASSET],
		.result = descriptors[IMPORT_RESULT],
		.must_jail = helper->must_jail,
	};
	const pid_t process = fork();
	if (process == 0) {
		become_child();
		import_child_run(&task);
	}
	const int failure = errno;
	close(task.asset);
	close(task.result);
	if (process < 0) {
		const struct import_reply reply = {.status = -1, .failure = failure};
		answer(descriptors[IMPORT_REPLY], &reply);
		return;
	}
	struct child *child = xcalloc(1, sizeof *child);
	child->process = process;
	child->reply = descriptors[IMPORT_REPLY];
	child->started_s = clock_now_s();
	child->deadline_s = child->started_s + request->seconds;
	child->next = helper->children;
	helper->children = child;
}

/* Takes the daemon's next request; false when there will be no more. */
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

static void report(struct child *child, int status, const struct rusage *usage) {
	const double now_s = clock_now_s();
	const struct import_reply reply = {
		.status = status,
		.late = child->late || now_s > child->deadline_s,
		.seconds = now_s - child->started_s,
		.peak_bytes = (uint64_t)usage->ru_maxrss * 1024,
	};
	answer(child->reply, &reply);
}

static void reap(struct helper *helper) {
	struct signalfd_siginfo ignored;
	while (read(helper->ended, &ignored, sizeof ignored) > 0) {
	}
	struct rusage usage;
	int status;
	pid_t process;
	while ((process = wait4(-1, &status, WNOHANG, &usage)) > 0) {
		struct child **link = &helper->children;
		while (*link && (*link)->process != process) {
			link = &(*link)->next;
		}
		struct child *child = *link;
		if (child) {
			*link = child->next;
			report(child, status, &usage);
			free(child);
		}
	}
}

/* Kills who is past its time. Returns the milliseconds until the next one is; -1 = nobody. */
static int kill_late(struct helper *helper) {
	const double now_s = clock_now_s();
	int wait_ms = -1;
	for (struct child *child = helper->children; child; child = child->next) {
		const double left_ms = (child->deadline_s - now_s) * 1000;
		if (child->late) {
			continue;
		}
		if (left_ms <= 0) {
			child->late = true;
			kill(child->process, SIGKILL);
			continue;
		}
		// One more, so that it is past its time when the wait is over.
		const int ms = left_ms > 60000 ? 60000 : (int)left_ms + 1;
		wait_ms = wait_ms < 0 || ms < wait_ms ? ms : wait_ms;
	}
	return wait_ms;
}

static void serve(struct helper *helper) {
	bool open = true;
	while (open) {
		struct pollfd events[] = {
			{.fd = IMPORT_HELPER_SOCKET, .events = POLLIN},
			{.fd = helper->ended, .events = POLLIN},
		};
		if (poll(events, 2, kill_late(helper)) < 0 && errno != EINTR) {
			return;
		}
		if (events[1].revents) {
			reap(helper);
		}
		if (events[0].revents) {
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

/* Nothing of the daemon's is left but the socket and standard error. The helper outlives signals
 * to the whole process group: the daemon still finishes what it was asked for. */
static bool settle(struct helper *helper) {
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
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
		fprintf(stderr, "posed: %s is for posed itself\n", IMPORT_HELPER_ARGUMENT);
		return 2;
	}
	struct helper helper = {0};
	// With a zone in the environment, turning an archive's dates into times opens no file.
	setenv("TZ", "UTC0", 1);
	tzset();
	renderer_import_warm_up();
	if (!settle(&helper) || !greet(&helper)) {
		fprintf(stderr, "posed: the import helper cannot start: %s\n", strerror(errno));
		return EXIT_FAILURE;
	}
	serve(&helper);
	// Children die with their parent (PR_SET_PDEATHSIG); those that have not asked for it yet
	// are killed here.
	for (struct child *child = helper.children; child; child = child->next) {
		kill(child->process, SIGKILL);
	}
	// LeakSanitizer has nothing to look for in a process that ends at once.
	_exit(EXIT_SUCCESS);
}
