// The loop: an epoll set of our own around the HTTP library. The library's own epoll loop stalls
// when exactly 128 connections are ready at once; and every call into it comes from one thread.
#include "http/http.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/delayed.h"
#include "base/log.h"
#include "base/memory.h"
#include "cache/doorkeeper.h"
#include "http/addresses.h"
#include "http/loop.h"
#include "http/router.h"
#include "http/waits.h"
#include "http/wire.h"
#include "work/client_share.h"
#include "work/service_times.h"

/* Seconds that requests under way have after the first signal; then their work is called off. A
 * second later the daemon ends, also while a client sends or reads a byte now and then, or a thread
 * does not come back: with what it takes to tidy up that is within 8 s, and less than the 10 s
 * after which Docker kills. */
#define DRAIN_LIMIT_S 6.5
#define CALLED_OFF_LIMIT_S 1

/* Bytes for a connection's request line and headers; also the piece in which bodies arrive. */
#define CONNECTION_BYTES 32768

/* Seconds after the first signal for work that no client waits for. */
#define UNWANTED_LIMIT_S 1

/* Milliseconds between looks at the clients' patience, for those that left while they wait, and at
 * the clock while draining. */
#define SWEEP_MS 1000
#define WAITING_MS 20
#define DRAIN_STEP_MS 100

/* Milliseconds that the loop sleeps at most. */
#define SLEEP_MS 60000

/* Milliseconds that lines of the log about requests wait for others. */
#define FLUSH_MS 100

__attribute__((format(printf, 2, 0))) static void log_library(
	void *context, const char *format, va_list arguments) {
	(void)context;
	char text[512];
	vsnprintf(text, sizeof text, format, arguments);
	text[strcspn(text, "\n")] = '\0';
	log_line(LOG_DEBUG, "libmicrohttpd: %s", text);
}

/* Leaves escapes alone: "%2F" in a name must not become a slash before the path is split. */
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
	(void)context;
	(void)connection;
	return strlen(text);
}

static bool start_daemon(struct http *http, struct error *err) {
	const unsigned most = http->acceptor.most + ACCEPTOR_RESERVE;
	// Without a polling thread of its own, the library works only inside of MHD_run.
	http->daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME |
			MHD_USE_ERROR_LOG | MHD_USE_NO_LISTEN_SOCKET,
		0, NULL, NULL, transaction_handle, http, MHD_OPTION_EXTERNAL_LOGGER, log_library,
		NULL, MHD_OPTION_NOTIFY_COMPLETED, transaction_completed, http,
		MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_NOTIFY_CONNECTION,
		connection_notify, http, MHD_OPTION_CONNECTION_LIMIT, most,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)http->options.idle_s,
		MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
	return http->daemon || error_set(err, ERROR_INTERNAL, "libmicrohttpd does not start");
}

static bool watch(struct http *http, int file, struct error *err) {
	struct epoll_event event = {.events = EPOLLIN, .data.fd = file};
	return epoll_ctl(http->events, EPOLL_CTL_ADD, file, &event) == 0 ||
		error_set(err, ERROR_INTERNAL, "epoll: %s", strerror(errno));
}

static bool open_descriptors(struct http *http, struct error *err) {
	http->events = epoll_create1(EPOLL_CLOEXEC);
	http->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (http->events < 0 || http->wake < 0) {
		return error_set(err, ERROR_INTERNAL, "epoll or eventfd: %s", strerror(errno));
	}
	const union MHD_DaemonInfo *info =
		MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	return watch(http, info->epoll_fd, err) && watch(http, http->wake, err) &&
		watch(http, http->options.signals, err);
}

static bool draw_random(struct http *http, struct error *err) {
	const bool drawn =
		getrandom(&http->instance, sizeof http->instance, 0) == sizeof http->instance &&
		getrandom(&http->secret, sizeof http->secret, 0) == sizeof http->secret;
	return drawn || error_set(err, ERROR_INTERNAL, "getrandom: %s", strerror(errno));
}

static void create_shares(struct http *http) {
	for (int pool = EXECUTOR_LOOP + 1; pool < EXECUTOR_COUNT; pool++) {
		const struct client_share_options options = {.burst = http->options.queue_length};
		http->shares[pool] = client_share_create(&options);
	}
}

struct http *http_create(const struct http_options *options, struct error *err) {
	if (!delayed_load(&delayed_microhttpd, err)) {
		return NULL;
	}
	struct http *http = xcalloc(1, sizeof *http);
	http->options = *options;
	http->events = http->wake = -1;
	create_shares(http);
	http->doorkeeper = doorkeeper_create();
	http->wires = wires_create();
	http->service_times = service_times_create(options->routes->count + 1);
	http->next_deadline_s = INFINITY;
	LIST_INIT(&http->connections);
	TAILQ_INIT(&http->idle);
	LIST_INIT(&http->transactions);
	TAILQ_INIT(&http->timed);
	refusals_begin(&http->refusals);
	pthread_mutex_init(&http->mutex, NULL);
	watchdog_begin(&http->watchdog);
	const bool begun = acceptor_begin(&http->acceptor, options->listening, err);
	http->addresses = addresses_create(http->acceptor.most + ACCEPTOR_RESERVE);
	options->service->connections_max = http->acceptor.most;
	if (!begun || !draw_random(http, err) || !start_daemon(http, err) ||
		!open_descriptors(http, err)) {
		http_destroy(http);
		return NULL;
	}
	return http;
}

void http_destroy(struct http *http) {
	if (!http) {
		return;
	}
	acceptor_end(&http->acceptor);
	watchdog_end(&http->watchdog);
	if (http->daemon) {
		MHD_stop_daemon(http->daemon);
	}
	if (http->wake >= 0) {
		close(http->wake);
	}
	if (http->events >= 0) {
		close(http->events);
	}
	for (int pool = 0; pool < EXECUTOR_COUNT; pool++) {
		client_share_destroy(http->shares[pool]);
	}
	while (http->spare_arena_count > 0) {
		arena_destroy(http->spare_arenas[--http->spare_arena_count]);
	}
	addresses_destroy(http->addresses);
	doorkeeper_destroy(http->doorkeeper);
	wires_destroy(http->wires);
	service_times_destroy(http->service_times);
	pthread_mutex_destroy(&http->mutex);
	free(http);
}

void http_configure(struct http *http, const struct origin_rules *origins, bool access_log) {
	http->options.origins = *origins;
	http->options.access_log = access_log;
}

void http_finish_job(struct transaction *transaction) {
	struct http *http = transaction->http;
	pthread_mutex_lock(&http->mutex);
	const bool first = SLIST_EMPTY(&http->done);
	SLIST_INSERT_HEAD(&http->done, transaction, of_done);
	// Written under the mutex: once the loop has the transaction, http may be gone at any
	// moment.
	if (first && eventfd_write(http->wake, 1) != 0) {
		log_line(LOG_ERROR, "eventfd: %s", strerror(errno));
	}
	pthread_mutex_unlock(&http->mutex);
}

static void finish_jobs(struct http *http) {
	pthread_mutex_lock(&http->mutex);
	struct transaction *transaction = SLIST_FIRST(&http->done), *next;
	SLIST_INIT(&http->done);
	eventfd_t ignored;
	if (transaction) {
		eventfd_read(http->wake, &ignored);
	}
	pthread_mutex_unlock(&http->mutex);
	for (; transaction; transaction = next) {
		next = SLIST_NEXT(transaction, of_done);
		transaction_finish_work(transaction);
	}
}

/* The progress of the shutdown. */
struct drain {
	bool begun, called_off;
	double unwanted_s, call_off_s, end_s; // when these limits are reached, on clock_now_s()
};

static void take_signal(struct http *http, struct drain *drain) {
	struct signalfd_siginfo signal;
	if (read(http->options.signals, &signal, sizeof signal) != sizeof signal) {
		return;
	}
	if (http->options.on_signal) {
		http->options.on_signal(http->options.context, (int)signal.ssi_signo);
	}
	if (signal.ssi_signo == SIGHUP) {
		return;
	}
	const double now_s = clock_now_s();
	if (drain->begun) {
		drain->call_off_s = fmin(drain->call_off_s, now_s);
		drain->end_s = drain->call_off_s + CALLED_OFF_LIMIT_S;
		return;
	}
	log_line(LOG_INFO, "stopping: %zu requests under way", http->options.service->in_flight);
	drain->begun = true;
	drain->unwanted_s = now_s + UNWANTED_LIMIT_S;
	drain->call_off_s = now_s + DRAIN_LIMIT_S;
	drain->end_s = drain->call_off_s + CALLED_OFF_LIMIT_S;
	http->options.service->stopping = true;
	acceptor_end(&http->acceptor);
}

/* Requests count, not connections: those of idle clients stay open for as long as they like. */
static bool is_drained(const struct http *http, const struct drain *drain) {
	return drain->begun && http->jobs == 0 &&
		(http->options.service->in_flight == 0 || clock_now_s() > drain->end_s);
}

/* True when threads do not come back. */
static bool is_stuck(const struct http *http, const struct drain *drain) {
	const bool is_wanted = drain->called_off || http->options.service->in_flight > 0;
	return drain->begun && clock_now_s() > (is_wanted ? drain->end_s : drain->unwanted_s);
}

static void end_patience(struct http *http, struct drain *drain) {
	if (drain->begun && !drain->called_off && clock_now_s() >= drain->call_off_s) {
		drain->called_off = true;
		transactions_call_off(http);
	}
}

/* Milliseconds that may be slept. Never without end: whatever the library or a clock forgets is
 * found after a while. */
static int sleep_limit(const struct http *http, const struct drain *drain) {
	MHD_UNSIGNED_LONG_LONG library_ms;
	double limit_ms = drain->begun                 ? DRAIN_STEP_MS
		: http->options.service->in_flight > 0 ? (http->jobs > 0 ? WAITING_MS : SWEEP_MS)
		: http->options.service->connections   ? SWEEP_MS
						       : INFINITY;
	if (http->unflushed || log_is_behind()) {
		limit_ms = fmin(limit_ms, FLUSH_MS);
	}
	if (MHD_get_timeout(http->daemon, &library_ms) == MHD_YES) {
		limit_ms = fmin(limit_ms, (double)library_ms);
	}
	const double of_requests_s = fmin(
		fmin(http->next_deadline_s, timed_streams_next_s(http)), refusals_next_s(http));
	const double next_s = fmin(of_requests_s,
		fmin(acceptor_next_s(&http->acceptor), watchdog_next_s(&http->watchdog)));
	limit_ms = fmin(limit_ms, fmax(0, (next_s - clock_now_s()) * 1000));
	return (int)ceil(fmin(limit_ms, SLEEP_MS));
}

/* The times of periodic work. */
struct chores {
	double waiting_s, sweep_s, flush_s; // when next
};

static void do_chores(struct http *http, struct chores *chores) {
	const double now_s = clock_now_s();
	watchdog_run(&http->watchdog, now_s);
	transactions_end_late(http);
	if ((http->unflushed || log_is_behind()) && now_s >= chores->flush_s) {
		log_flush();
		http->unflushed = false;
		chores->flush_s = now_s + FLUSH_MS / 1000.0;
	}
	if (now_s >= chores->waiting_s && http->jobs > 0) {
		transactions_end_abandoned(http);
		chores->waiting_s = now_s + WAITING_MS / 1000.0;
	}
	if (now_s >= chores->sweep_s) {
		transactions_end_slow(http);
		connections_end_silent(http);
		timed_streams_end_abandoned(http);
		heap_trim_now_and_then(&http->options.service->trim,
			http->options.service->pools[EXECUTOR_DISK], now_s);
		for (int pool = EXECUTOR_LOOP + 1; pool < EXECUTOR_COUNT; pool++) {
			thread_pool_watch(http->options.service->pools[pool]);
		}
		chores->sweep_s = now_s + SWEEP_MS / 1000.0;
	}
}

bool http_serve(struct http *http) {
	struct drain drain = {0};
	struct chores chores = {0};
	wires_use(http->wires);
	acceptor_run(http, false);
	while (!is_drained(http, &drain) && !is_stuck(http, &drain)) {
		struct epoll_event events[4];
		const int count = epoll_wait(http->events, events, 4, sleep_limit(http, &drain));
		bool connecting = false;
		for (int i = 0; i < count; i++) {
			if (events[i].data.fd == http->options.signals) {
				take_signal(http, &drain);
			}
			connecting |= events[i].data.fd == http->acceptor.listening;
		}
		acceptor_run(http, connecting);
		finish_jobs(http);
		end_patience(http, &drain);
		timed_streams_run(http);
		refusals_release(http);
		MHD_run(http->daemon);
		do_chores(http, &chores);
	}
	wires_use(NULL);
	return http->jobs == 0;
}
