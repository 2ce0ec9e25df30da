// posed health: sends GET /readyz and prints the result in one line.
#include "doctor/doctor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "config/config.h"
#include "http/listen.h"

/* Timeout of sending and of receiving; Docker gives a check 30 s in all. */
#define TIMEOUT_S 5

enum { HEALTH_READY, HEALTH_NOT_READY };

/* Sends the request and reads the start of the response, ended by NUL. */
static bool ask(int file, char *response, size_t size, struct error *err) {
	static const char request[] = "GET /readyz HTTP/1.1\r\nHost: localhost\r\n"
				      "Connection: close\r\n\r\n";
	const struct timeval limit = {.tv_sec = TIMEOUT_S};
	setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
	setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
	size_t used = 0;
	ssize_t count = send(file, request, sizeof request - 1, MSG_NOSIGNAL);
	while (count > 0 && used < size - 1) {
		count = recv(file, response + used, size - 1 - used, 0);
		used += count > 0 ? (size_t)count : 0;
	}
	response[used] = '\0';
	return count >= 0 ||
		error_set(err, ERROR_NO_RENDERER, "no response: %s",
			errno == EAGAIN ? "timeout" : strerror(errno));
}

/* The number in "HTTP/1.1 200 OK"; 0 = not a status line. */
static int status_of(const char *response) {
	int status = 0;
	return sscanf(response, "HTTP/1.%*1d %3d ", &status) == 1 ? status : 0;
}

static bool is_ready(const char *address, struct error *err) {
	char response[4096];
	const int file = listen_connect(address, err);
	const bool received = file >= 0 && ask(file, response, sizeof response, err);
	if (file >= 0) {
		close(file);
	}
	const int status = received ? status_of(response) : 0;
	if (received && status == 0) {
		return error_set(err, ERROR_NO_RENDERER, "the peer did not send HTTP");
	}
	if (received && status != 200) {
		// A problem document is one line.
		const char *body = strstr(response, "\r\n\r\n");
		return error_set(err, ERROR_NO_RENDERER, "status %d: %.*s", status,
			body ? (int)strcspn(body + 4, "\r\n") : 0, body ? body + 4 : "");
	}
	return received;
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
