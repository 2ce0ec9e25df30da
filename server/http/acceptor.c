// New connections.
#include "http/acceptor.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "http/loop.h"

/* Connections at most, and at least: with fewer nothing is worth starting. */
#define CONNECTIONS_MAX 4096
#define CONNECTIONS_MIN 16

/* Connections of the reserve that one address may have beyond its share. */
#define SPARE_SHARE (ACCEPTOR_RESERVE / 4)

/* Descriptors of a connection: its socket, and the file that it is sent or that its body is in. */
#define DESCRIPTORS_EACH 2

/* Descriptors for what pools do: processes that read assets, files that are written or loaded. */
#define DESCRIPTORS_FOR_WORK 96

/* Connections that are accepted in one turn, while those that there are wait. */
#define ACCEPTS_AT_ONCE 32

/* Seconds after which accepting is tried again when the process or the system is out of something:
 * what ends meanwhile may be none of ours. */
#define PAUSE_S 0.1

/* Seconds between lines of the log about the same. */
#define QUIET_S 10

/* Connections of one address at most: it is to leave some for others. */
static size_t share_of(unsigned most) {
	return most * (size_t)3 / 4;
}

static unsigned count_open(void) {
	unsigned count = 0;
	DIR *folder = opendir("/proc/self/fd");
	while (folder && readdir(folder)) {
		count++;
	}
	if (folder) {
		closedir(folder);
	}
	return count;
}

/* As many connections as there can be descriptors for. */
static bool divide_descriptors(unsigned *most, struct error *err) {
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
		return error_set(err, ERROR_INTERNAL, "getrlimit: %s", strerror(errno));
	}
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	getrlimit(RLIMIT_NOFILE, &limit);
	const rlim_t others =
		count_open() + DESCRIPTORS_FOR_WORK + (rlim_t)DESCRIPTORS_EACH * ACCEPTOR_RESERVE;
	const rlim_t left = limit.rlim_cur > others ? limit.rlim_cur - others : 0;
	const rlim_t fitting = left / DESCRIPTORS_EACH;
	*most = fitting < CONNECTIONS_MAX ? (unsigned)fitting : CONNECTIONS_MAX;
	if (*most < CONNECTIONS_MIN) {
		return error_set(err, ERROR_CONFLICT,
			"the limit of %llu open files (ulimit -n) is too low, must be %llu at "
			"least",
			(unsigned long long)limit.rlim_cur,
			(unsigned long long)(others + DESCRIPTORS_EACH * CONNECTIONS_MIN));
	}
	if (*most < CONNECTIONS_MAX) {
		log_line(LOG_WARNING,
			"the limit of %llu open files (ulimit -n) is enough for %u connections; "
			"for %d it must be %llu",
			(unsigned long long)limit.rlim_cur, *most, CONNECTIONS_MAX,
			(unsigned long long)(others + DESCRIPTORS_EACH * CONNECTIONS_MAX));
	}
	return true;
}

bool acceptor_begin(struct acceptor *acceptor, int listening, struct error *err) {
	*acceptor = (struct acceptor){
		.listening = listening, .told_s = -INFINITY, .crowded_s = -INFINITY};
	return divide_descriptors(&acceptor->most, err);
}

/* True while one more can be taken, be it one of the reserve. */
static bool has_room(const struct http *http) {
	return http->options.service->connections < http->acceptor.most + ACCEPTOR_RESERVE;
}

static void set_watched(struct http *http, bool watched) {
	struct acceptor *acceptor = &http->acceptor;
	if (watched == acceptor->watched) {
		return;
	}
	struct epoll_event event = {.events = EPOLLIN, .data.fd = acceptor->listening};
	if (epoll_ctl(http->events, watched ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, acceptor->listening,
		    &event) == 0) {
		acceptor->watched = watched;
	} else {
		log_line(LOG_ERROR, "epoll: %s", strerror(errno));
	}
}

/* Says once in a while that connections are not accepted, and always when they are again. */
static void tell_stopped(struct acceptor *acceptor, const char *why, double now_s) {
	if (!acceptor->told && now_s - acceptor->told_s >= QUIET_S) {
		acceptor->told = true;
		acceptor->told_s = now_s;
		log_line(LOG_WARNING, "no more connections are accepted: %s", why);
	}
}

static void tell_started(struct http *http) {
	if (http->acceptor.told) {
		http->acceptor.told = false;
		log_line(LOG_INFO, "connections are accepted again: %zu of %u are open",
			http->options.service->connections, http->acceptor.most);
	}
}

/* Makes room for a connection that was accepted, or counts it to the reserve. */
static void admit(struct http *http, struct connection *connection, double now_s) {
	struct acceptor *acceptor = &http->acceptor;
	const size_t share = share_of(acceptor->most);
	const size_t staying =
		http->options.service->connections - acceptor->ending - acceptor->spare;
	const bool greedy = connection->of_address > share;
	if (!greedy && staying <= acceptor->most) {
		return;
	}
	if (now_s - acceptor->crowded_s >= QUIET_S) {
		acceptor->crowded_s = now_s;
		log_line(LOG_WARNING,
			"%s has all connections that it may have (%zu): idle ones "
			"end for new ones",
			greedy ? connection->address : "posed", greedy ? share : acceptor->most);
	}
	if (connections_end_idlest(http, greedy ? connection : NULL, now_s)) {
		return;
	}
	if (connection->of_address > share + SPARE_SHARE) {
		connection_end(http, connection, now_s);
		return;
	}
	connection->spare = true;
	acceptor->spare++;
}

/* Reasons of accept() that lie with the process or the system, not with a client. */
static bool is_out_of(int reason) {
	return reason == EMFILE || reason == ENFILE || reason == ENOBUFS || reason == ENOMEM;
}

/* False when there is nothing more to accept now. */
static bool accept_one(struct http *http, double now_s) {
	struct acceptor *acceptor = &http->acceptor;
	struct sockaddr_storage address = {0};
	socklen_t length = sizeof address;
	const int file = accept4(acceptor->listening, (struct sockaddr *)&address, &length,
		SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (file >= 0) {
		const struct connection *before = LIST_FIRST(&http->connections);
		// On failure the library closes the socket.
		if (MHD_add_connection(http->daemon, file, (struct sockaddr *)&address, length) ==
				MHD_YES &&
			LIST_FIRST(&http->connections) != before) {
			admit(http, LIST_FIRST(&http->connections), now_s);
		}
		return true;
	}
	const int reason = errno;
	if (is_out_of(reason)) {
		acceptor->again_s = now_s + PAUSE_S;
		connections_end_idlest(http, NULL, now_s);
		tell_stopped(acceptor, strerror(reason), now_s);
	}
	// Others are of a client that left in between, or of its network.
	return reason != EAGAIN && !is_out_of(reason);
}

void acceptor_run(struct http *http, bool ready) {
	struct acceptor *acceptor = &http->acceptor;
	if (acceptor->listening < 0) {
		return;
	}
	const double now_s = clock_now_s();
	const bool pausing = now_s < acceptor->again_s;
	const bool again = acceptor->again_s > 0 && !pausing;
	if (again) {
		acceptor->again_s = 0;
	}
	if ((ready || again) && !pausing) {
		int count = 0;
		while (count < ACCEPTS_AT_ONCE && has_room(http) && accept_one(http, now_s)) {
			count++;
		}
	}
	const bool full = !has_room(http);
	if (full) {
		tell_stopped(acceptor, "all are taken, and none of them is idle", now_s);
	} else if (acceptor->again_s == 0) {
		tell_started(http);
	}
	set_watched(http, !full && acceptor->again_s == 0);
}

double acceptor_next_s(const struct acceptor *acceptor) {
	return acceptor->listening >= 0 && acceptor->again_s > 0 ? acceptor->again_s : INFINITY;
}

void acceptor_end(struct acceptor *acceptor) {
	if (acceptor->listening >= 0) {
		close(acceptor->listening);
		acceptor->listening = -1;
	}
}
