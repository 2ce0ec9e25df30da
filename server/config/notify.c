// Notifications to the service manager, and signs of life.
#include "config/notify.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

/* Timeout of a message in seconds: requests wait meanwhile. */
#define SEND_LIMIT_S 1

int notify_open(void) {
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	if (!path || !*path || strlen(path) >= sizeof address.sun_path) {
		return -1;
	}
	memcpy(address.sun_path, path, strlen(path));
	if (*path == '@') {
		address.sun_path[0] = '\0'; // the abstract namespace
	}
	const socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
	const int file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	const struct timeval limit = {.tv_sec = SEND_LIMIT_S};
	if (file >= 0 && setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0 &&
		connect(file, (const struct sockaddr *)&address, length) == 0) {
		return file;
	}
	log_line(LOG_WARNING, "NOTIFY_SOCKET %s: %s", path, strerror(errno));
	if (file >= 0) {
		close(file);
	}
	return -1;
}

void notify_over(int file, const char *message) {
	if (send(file, message, strlen(message), MSG_NOSIGNAL) < 0) {
		log_line(LOG_WARNING, "NOTIFY_SOCKET, %s: %s", message, strerror(errno));
	}
}

void notify(const char *message) {
	const int file = notify_open();
	if (file >= 0) {
		notify_over(file, message);
		close(file);
	}
}

void notify_reloading(void) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	char message[80];
	snprintf(message, sizeof message, "RELOADING=1\nMONOTONIC_USEC=%" PRId64,
		(int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000);
	notify(message);
}

/* --- Signs of life --- */

/* Seconds that the manager waits; 0 = it does not, or waits for another process. */
static double patience_s(void) {
	const char *microseconds = getenv("WATCHDOG_USEC"), *process = getenv("WATCHDOG_PID");
	if (!microseconds || (process && strtol(process, NULL, 10) != getpid())) {
		return 0;
	}
	return (double)strtoull(microseconds, NULL, 10) / 1e6;
}

void watchdog_begin(struct watchdog *watchdog) {
	const double waits_s = patience_s();
	*watchdog = (struct watchdog){
		.file = waits_s > 0 ? notify_open() : -1,
		.every_s = waits_s / 2,
		.next_s = clock_now_s(),
	};
}

void watchdog_end(struct watchdog *watchdog) {
	if (watchdog->file >= 0) {
		close(watchdog->file);
		watchdog->file = -1;
	}
}

void watchdog_run(struct watchdog *watchdog, double now_s) {
	if (watchdog->file >= 0 && now_s >= watchdog->next_s) {
		notify_over(watchdog->file, "WATCHDOG=1");
		watchdog->next_s = now_s + watchdog->every_s;
	}
}

double watchdog_next_s(const struct watchdog *watchdog) {
	return watchdog->file >= 0 ? watchdog->next_s : INFINITY;
}
