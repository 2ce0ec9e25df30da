// The HTTP library with nothing behind it: what posed's rates are measured against.
// bare_mhd BYTES [STATUS]: answers every request, its body read, with as many bytes and posed's
// headers. Prints its port on a line; ends with its standard input.
#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

/* As in server/http/http.c. */
#define CONNECTIONS_MAX 4096
#define CONNECTION_BYTES 32768
#define IDLE_S 30

struct bare {
	char *body; // [body_bytes]
	size_t body_bytes;
	unsigned status;
	unsigned long long requests; // so far
};

/* Those of an answer to POST /v1/pose, the ones that the library adds aside. */
static const char *const headers[][2] = {
	{"Server-Timing", "queue;dur=0.017, pose;dur=0.020, encode;dur=0.054"},
	{"Content-Type", "application/octet-stream"},
	{"Vary", "Accept"},
	{"ETag", "\"995461e40a4093afa457391f0740f32c\""},
	{"Cache-Control", "no-cache"},
	{"X-Content-Type-Options", "nosniff"},
	{"Access-Control-Allow-Origin", "*"},
	{"Access-Control-Expose-Headers",
		"Allow, ETag, Location, Posed-Frames, Posed-Instances, Posed-Layout, "
		"Posed-Request-Id, Posed-Skinning, Posed-Vertices, Retry-After, Server-Timing"},
	{"Timing-Allow-Origin", "*"},
};

static enum MHD_Result answer(struct bare *bare, struct MHD_Connection *connection) {
	struct MHD_Response *response = MHD_create_response_from_buffer(
		bare->body_bytes, bare->body, MHD_RESPMEM_PERSISTENT);
	for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
		MHD_add_response_header(response, headers[i][0], headers[i][1]);
	}
	char id[32];
	snprintf(id, sizeof id, "%08x-%llu", 0xa5702966u, ++bare->requests);
	MHD_add_response_header(response, "Posed-Request-Id", id);
	const enum MHD_Result queued = MHD_queue_response(connection, bare->status, response);
	MHD_destroy_response(response);
	return queued;
}

/* Called when the head is there, for each piece of the body, and at the request's end. */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path,
	const char *method, const char *version, const char *data, size_t *data_bytes,
	void **slot) {
	(void)path, (void)method, (void)version, (void)data;
	if (!*slot) {
		*slot = context;
		return MHD_YES;
	}
	if (*data_bytes > 0) {
		*data_bytes = 0;
		return MHD_YES;
	}
	return answer(context, connection);
}

static int open_epoll(struct MHD_Daemon *daemon) {
	const int file = epoll_create1(EPOLL_CLOEXEC);
	const int library = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
	struct epoll_event of_library = {.events = EPOLLIN, .data.fd = library};
	struct epoll_event of_input = {.events = EPOLLIN, .data.fd = STDIN_FILENO};
	if (file < 0 || epoll_ctl(file, EPOLL_CTL_ADD, library, &of_library) != 0 ||
		epoll_ctl(file, EPOLL_CTL_ADD, STDIN_FILENO, &of_input) != 0) {
		perror("bare_mhd: epoll");
		exit(1);
	}
	return file;
}

static void serve(struct MHD_Daemon *daemon) {
	const int file = open_epoll(daemon);
	for (bool open = true; open;) {
		MHD_UNSIGNED_LONG_LONG limit_ms;
		const bool limited = MHD_get_timeout(daemon, &limit_ms) == MHD_YES;
		struct epoll_event events[2];
		const int count = epoll_wait(file, events, 2, limited ? (int)limit_ms : -1);
		for (int i = 0; i < count; i++) {
			open = open && events[i].data.fd != STDIN_FILENO;
		}
		MHD_run(daemon);
	}
	close(file);
}

static struct MHD_Daemon *start(struct bare *bare) {
	const struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	return MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0,
		NULL, NULL, handle, bare, MHD_OPTION_SOCK_ADDR, &address,
		MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS_MAX, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
		(size_t)CONNECTION_BYTES, MHD_OPTION_CONNECTION_TIMEOUT, IDLE_S,
		MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

int main(int count, char **arguments) {
	if (count < 2) {
		fprintf(stderr, "usage: bare_mhd BYTES [STATUS]\n");
		return 2;
	}
	struct bare bare = {
		.body_bytes = strtoull(arguments[1], NULL, 10),
		.status = count > 2 ? (unsigned)strtoul(arguments[2], NULL, 10) : MHD_HTTP_OK,
	};
	bare.body = malloc(bare.body_bytes + 1);
	if (!bare.body) {
		perror("bare_mhd");
		return 1;
	}
	memset(bare.body, 'x', bare.body_bytes);
	struct MHD_Daemon *daemon = start(&bare);
	if (!daemon) {
		perror("bare_mhd: the library does not start");
		return 1;
	}
	printf("%d\n", MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
	fflush(stdout);
	serve(daemon);
	MHD_stop_daemon(daemon);
	free(bare.body);
	return 0;
}
