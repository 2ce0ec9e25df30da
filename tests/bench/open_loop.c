// Sends requests at a fixed rate, whatever comes back: an open loop, as many strangers are.
// open_loop PORT RATE SECONDS CONNECTIONS PATH BODY: posts BODY to PATH; "@t" in it, once, is
// another moment of the first 0.7 s in each request. A request that finds all connections busy
// waits for one. Times count from when the request was due (so that a slow server cannot hide by
// slowing the client). RATE 0 is a closed loop: each connection sends its next request as soon as
// it has its answer. Prints one JSON object.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_REQUEST_BYTES 4096
#define MAX_HEAD_BYTES 4096
#define EVENTS 64

/* Seconds that answers are waited for behind the last request. */
#define PATIENCE_S 10.0

/* Requests a second at most of a closed loop. */
#define CLOSED_RATE_MAX 200000

/* Multiples of it spread over [0, 1) and do not meet. */
#define GOLDEN 0.6180339887498949
#define RANGE_S 0.7

struct times {
	double *ms; // [count]
	size_t count;
};

struct connection {
	int file;     // -1 = closed
	double due_s; // when its request should have been sent; 0 = it is idle
	char head[MAX_HEAD_BYTES];
	size_t head_bytes;
	bool has_head;
	int status;
	size_t left; // bytes of the answer's body
	struct connection *next_idle;
};

struct load {
	struct sockaddr_in address;
	double rate;    // requests a second; 0 = each connection sends when it has its answer
	double seconds; // that requests are sent for
	size_t total;   // requests at most
	const char *path, *before, *behind; // the body around its moment
	struct connection *connections;     // [connection_count]
	size_t connection_count;
	struct connection *idle;
	int events;
	double begun_s;
	size_t sent, under_way;
	size_t others, lost;                // answers of other statuses; requests without an answer
	struct times served, refused, late; // late: behind the moment that each was due
};

static double now_s(void) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void die(const char *what) {
	perror(what);
	exit(1);
}

static void connect_one(struct load *load, struct connection *connection) {
	connection->file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (connection->file < 0 ||
		connect(connection->file, (const struct sockaddr *)&load->address,
			sizeof load->address) != 0) {
		die("open_loop: connect");
	}
	fcntl(connection->file, F_SETFL, O_NONBLOCK);
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
	if (epoll_ctl(load->events, EPOLL_CTL_ADD, connection->file, &event) != 0) {
		die("open_loop: epoll_ctl");
	}
}

static void become_idle(struct load *load, struct connection *connection) {
	connection->due_s = 0;
	connection->head_bytes = 0;
	connection->has_head = false;
	connection->next_idle = load->idle;
	load->idle = connection;
	load->under_way--;
}

static size_t write_request(const struct load *load, char *out) {
	char moment[16];
	snprintf(moment, sizeof moment, "%.9f", fmod((double)load->sent * GOLDEN, 1) * RANGE_S);
	const size_t body_bytes =
		strlen(load->before) + (load->behind ? strlen(moment) + strlen(load->behind) : 0);
	return (size_t)snprintf(out, MAX_REQUEST_BYTES,
		"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
		"Content-Length: %zu\r\n\r\n%s%s%s",
		load->path, body_bytes, load->before, load->behind ? moment : "",
		load->behind ? load->behind : "");
}

static void send_next(struct load *load, double due_s) {
	struct connection *connection = load->idle;
	load->idle = connection->next_idle;
	if (connection->file < 0) {
		connect_one(load, connection);
	}
	char request[MAX_REQUEST_BYTES];
	const size_t size = write_request(load, request);
	connection->due_s = due_s;
	load->late.ms[load->late.count++] = (now_s() - due_s) * 1000;
	load->sent++;
	load->under_way++;
	if (write(connection->file, request, size) != (ssize_t)size) {
		die("open_loop: write");
	}
}

/* Sends the requests that are due and have a connection. Returns the milliseconds to the next, -1 =
 * none. */
static double send_due(struct load *load) {
	while (load->sent < load->total) {
		const double now = now_s();
		if (now > load->begun_s + load->seconds) {
			load->total = load->sent;
			break;
		}
		const double due_s =
			load->rate > 0 ? load->begun_s + (double)load->sent / load->rate : now;
		if (due_s > now) {
			return (due_s - now) * 1000;
		}
		if (!load->idle) {
			return -1;
		}
		send_next(load, due_s);
	}
	return -1;
}

static void note(struct load *load, const struct connection *connection) {
	struct times *times = connection->status == 200                  ? &load->served
		: connection->status == 503 || connection->status == 429 ? &load->refused
									 : NULL;
	if (times) {
		times->ms[times->count++] = (now_s() - connection->due_s) * 1000;
	} else {
		load->others++;
	}
}

/* Takes bytes of a head that ends among them or later; returns how many were of the head. */
static size_t take_head(struct connection *connection, const char *data, size_t size) {
	size_t taken = 0;
	while (taken < size && !connection->has_head) {
		if (connection->head_bytes == MAX_HEAD_BYTES - 1) {
			fprintf(stderr, "open_loop: an answer's head is too long\n");
			exit(1);
		}
		connection->head[connection->head_bytes++] = data[taken++];
		connection->head[connection->head_bytes] = '\0';
		connection->has_head = connection->head_bytes >= 4 &&
			memcmp(connection->head + connection->head_bytes - 4, "\r\n\r\n", 4) == 0;
	}
	if (connection->has_head) {
		const char *length = strcasestr(connection->head, "\r\ncontent-length:");
		connection->status = atoi(connection->head + strlen("HTTP/1.1 "));
		connection->left = length ? strtoull(length + 17, NULL, 10) : 0;
	}
	return taken;
}

/* Bytes of an answer; there is one at a time on each connection. */
static void take(struct load *load, struct connection *connection, const char *data, size_t size) {
	size_t taken = 0;
	if (!connection->has_head) {
		taken = take_head(connection, data, size);
	}
	if (connection->has_head) {
		const size_t rest = size - taken;
		connection->left -= rest < connection->left ? rest : connection->left;
		if (connection->left == 0) {
			note(load, connection);
			become_idle(load, connection);
		}
	}
}

static void receive(struct load *load, struct connection *connection) {
	char data[65536];
	ssize_t size;
	while (connection->file >= 0 && (size = read(connection->file, data, sizeof data)) != -1) {
		if (size == 0) {
			close(connection->file);
			connection->file = -1;
			if (connection->due_s > 0) {
				load->lost++;
				become_idle(load, connection);
			}
		} else {
			take(load, connection, data, (size_t)size);
		}
	}
}

static void run(struct load *load) {
	load->begun_s = now_s();
	const double end_s = load->begun_s + load->seconds + PATIENCE_S;
	while ((load->sent < load->total || load->under_way > 0) && now_s() < end_s) {
		const double wait_ms = send_due(load);
		const double limit_ms = wait_ms < 0 ? 100 : wait_ms;
		const struct timespec limit = {
			.tv_sec = (time_t)(limit_ms / 1000),
			.tv_nsec = (long)(fmod(limit_ms, 1000) * 1e6),
		};
		struct epoll_event events[EVENTS];
		const int count = epoll_pwait2(load->events, events, EVENTS, &limit, NULL);
		for (int i = 0; i < count; i++) {
			receive(load, events[i].data.ptr);
		}
	}
	load->lost += load->under_way;
}

static int compare(const void *a, const void *b) {
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double percentile(const struct times *times, double share) {
	const size_t place = (size_t)(share * (double)times->count);
	return times->count ? times->ms[place < times->count ? place : times->count - 1] : 0;
}

static void print_times(const char *name, struct times *times) {
	qsort(times->ms, times->count, sizeof *times->ms, compare);
	printf("\"%s\": {\"count\": %zu, \"p50_ms\": %.3f, \"p90_ms\": %.3f, \"p99_ms\": %.3f, "
	       "\"most_ms\": %.3f}, ",
		name, times->count, percentile(times, 0.5), percentile(times, 0.9),
		percentile(times, 0.99), percentile(times, 1));
}

static void init(struct load *load, char **arguments) {
	*load = (struct load){
		.address = {.sin_family = AF_INET,
			.sin_port = htons((uint16_t)atoi(arguments[0])),
			.sin_addr.s_addr = htonl(INADDR_LOOPBACK)},
		.rate = atof(arguments[1]),
		.seconds = atof(arguments[2]),
		.connection_count = (size_t)atoi(arguments[3]),
		.path = arguments[4],
		.before = arguments[5],
		.events = epoll_create1(EPOLL_CLOEXEC),
	};
	load->total = (size_t)((load->rate > 0 ? load->rate : CLOSED_RATE_MAX) * load->seconds);
	char *place = strstr(arguments[5], "@t");
	if (place) {
		*place = '\0';
		load->behind = place + 2;
	}
	load->connections = calloc(load->connection_count, sizeof *load->connections);
	load->served.ms = calloc(load->total, sizeof(double));
	load->refused.ms = calloc(load->total, sizeof(double));
	load->late.ms = calloc(load->total, sizeof(double));
	if (load->events < 0 || !load->connections || !load->served.ms || !load->refused.ms ||
		!load->late.ms) {
		die("open_loop");
	}
	load->under_way = load->connection_count;
	for (size_t i = 0; i < load->connection_count; i++) {
		connect_one(load, &load->connections[i]);
		become_idle(load, &load->connections[i]);
	}
}

int main(int count, char **arguments) {
	if (count != 7 || atof(arguments[2]) < 0 || atof(arguments[3]) <= 0 ||
		atoi(arguments[4]) <= 0) {
		fprintf(stderr, "usage: open_loop PORT RATE SECONDS CONNECTIONS PATH BODY\n");
		return 2;
	}
	struct load load;
	init(&load, arguments + 1);
	run(&load);
	printf("{\"sent\": %zu, ", load.sent);
	print_times("served", &load.served);
	print_times("refused", &load.refused);
	print_times("late", &load.late);
	printf("\"others\": %zu, \"lost\": %zu}\n", load.others, load.lost);
	return 0;
}
