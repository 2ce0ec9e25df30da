// "posed health": one GET /readyz, told in one line.
#include "doctor/health.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "config/config.h"
#include "http/listen.h"

/* Seconds that the daemon may take over each step; Docker gives a check 30 in all. */
#define STEP_LIMIT_S 5

enum { HEALTH_READY, HEALTH_NOT_READY };

/* Sends the request and reads the answer's beginning, ended by NUL. */
static bool ask(int file, char *answer, size_t size, struct error *err) {
	static const char request[] = "GET /readyz HTTP/1.1\r\nHost: localhost\r\n"
				      "Connection: close\r\n\r\n";
	const struct timeval limit = {.tv_sec = STEP_LIMIT_S};
	setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
	setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
	size_t used = 0;
	ssize_t count = send(file, request, sizeof request - 1, MSG_NOSIGNAL);
	while (count > 0 && used < size - 1) {
		count = recv(file, answer + used, size - 1 - used, 0);
		used += count > 0 ? (size_t)count : 0;
	}
	answer[used] = '\0';
	return count >= 0 ||
		error_set(err, ERROR_NO_RENDERER, "no answer: %s",
			errno == EAGAIN ? "too late" : strerror(errno));
}

/* The number in "HTTP/1.1 200 OK"; 0 if it is no such line. */
static int status_of(const char *answer) {
	int status = 0;
	return sscanf(answer, "HTTP/1.%*1d %3d ", &status) == 1 ? status : 0;
}

static bool is_ready(const char *address, struct error *err) {
	char answer[4096];
	const int file = listen_connect(address, err);
	const bool answered = file >= 0 && ask(file, answer, sizeof answer, err);
	if (file >= 0) {
		close(file);
	}
	const int status = answered ? status_of(answer) : 0;
	if (answered && status == 0) {
		return error_set(err, ERROR_NO_RENDERER, "what answers does not speak HTTP");
	}
	if (answered && status != 200) {
		// The problem document, which is one line.
		const char *body = strstr(answer, "\r\n\r\n");
		return error_set(err, ERROR_NO_RENDERER, "status %d: %.*s", status,
			body ? (int)strcspn(body + 4, "\r\n") : 0, body ? body + 4 : "");
	}
	return answered;
}

int health_main(int argument_count, char **arguments) {
	struct config config;
	int status;
	if (!config_read_or_end(argument_count, arguments, "posed", &config, &status)) {
		return status;
	}
	struct error err = {0};
	const bool ready = is_ready(config.listen, &err);
	printf("posed: %s%s\n", ready ? "ready" : "not ready: ", ready ? "" : err.text);
	config_finish(&config);
	return ready ? HEALTH_READY : HEALTH_NOT_READY;
}
