// Connections: which there are, and how long each may take.
#include "http/clients.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "access/tokens.h"
#include "base/clock.h"
#include "base/memory.h"
#include "http/addresses.h"
#include "http/framing.h"
#include "http/http_loop.h"
#include "http/transaction.h"
#include "store/hash.h"

/* How long a head may take, from the connection's beginning or its last answer, as a share of the
 * time that a connection may be silent. The library ends silent ones itself, a little earlier; this
 * ends those that send a byte now and then, which the library would wait for without end. */
#define HEAD_SHARE (4.0 / 3)

/* The slowest line that bodies and answers are waited for, besides a silent connection's time. */
#define SLOW_BYTES_PER_S 16384.0

/* Neighbours in the /64 of an IPv6 address are one client: each has as many addresses as it likes.
 */
#define IPV6_CLIENT_BYTES 8

/* A number for who asks that strangers cannot foresee. */
static uint64_t make_key(uint64_t secret, struct hash_part who) {
	const struct hash_part parts[] = {{&secret, sizeof secret}, who};
	char text[HASH_TEXT_BYTES];
	hash_parts(parts, 2, text);
	text[16] = '\0';
	return strtoull(text, NULL, 16);
}

/* Not one of a local socket, which many clients of a proxy may share. */
static bool is_of_a_host(const struct sockaddr *address) {
	return address && (address->sa_family == AF_INET || address->sa_family == AF_INET6);
}

static uint64_t key_of_address(uint64_t secret, const struct sockaddr *address) {
	struct hash_part who = {"", 0};
	if (address && address->sa_family == AF_INET) {
		const struct sockaddr_in *ipv4 = (const void *)address;
		who = (struct hash_part){&ipv4->sin_addr, sizeof ipv4->sin_addr};
	} else if (address && address->sa_family == AF_INET6) {
		const struct sockaddr_in6 *ipv6 = (const void *)address;
		who = (struct hash_part){&ipv6->sin6_addr, IPV6_CLIENT_BYTES};
	}
	return make_key(secret, who);
}

uint64_t client_key_of(const struct http *http, const char *token) {
	// Longer than any address, so that no name stands for one.
	char who[TOKEN_NAME_MOST + 32];
	const int length = snprintf(who, sizeof who, "of the token %s", token);
	return make_key(http->secret, (struct hash_part){who, (size_t)length});
}

static void write_address(const struct sockaddr *address, char text[static INET6_ADDRSTRLEN]) {
	const sa_family_t family = address ? address->sa_family : AF_UNSPEC;
	const void *number = NULL;
	if (family == AF_INET) {
		number = &((const struct sockaddr_in *)(const void *)address)->sin_addr;
	} else if (family == AF_INET6) {
		number = &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
	}
	if (!number || !inet_ntop(family, number, text, INET6_ADDRSTRLEN)) {
		strcpy(text, "unix");
	}
}

/* Seconds that a connection has been idle before it may end for another: its first request is on
 * its way. */
#define FRESH_S 1.0

/* Seconds that a connection of the reserve may be silent. */
#define SPARE_SILENT_S 2.0

static bool is_among_idle(const struct http *http, const struct client *client) {
	return client->idler || client->less_idle || http->idlest == client;
}

void client_becomes_busy(struct http *http, struct client *client) {
	client->idle_since_s = 0;
	if (!is_among_idle(http, client)) {
		return;
	}
	*(client->idler ? &client->idler->less_idle : &http->idlest) = client->less_idle;
	*(client->less_idle ? &client->less_idle->idler : &http->last_idle) = client->idler;
	client->idler = client->less_idle = NULL;
}

void client_becomes_idle(struct http *http, struct client *client) {
	client->idle_since_s = clock_now_s();
	if (client->ending || is_among_idle(http, client)) {
		return;
	}
	client->idler = http->last_idle;
	*(http->last_idle ? &http->last_idle->less_idle : &http->idlest) = client;
	http->last_idle = client;
}

void client_end(struct http *http, struct client *client, double now_s) {
	client_becomes_busy(http, client);
	client->idle_since_s = now_s;
	client->ending = true;
	http->acceptor.ending++;
	shutdown(client->file, SHUT_RDWR);
}

bool clients_end_idlest(struct http *http, const struct client *like, double now_s) {
	for (struct client *c = http->idlest; c && now_s - c->idle_since_s >= FRESH_S;
		c = c->less_idle) {
		if (!like || c->key == like->key) {
			client_end(http, c, now_s);
			return true;
		}
	}
	return false;
}

static struct client *begin(struct http *http, struct MHD_Connection *connection) {
	struct client *client = xcalloc(1, sizeof *client);
	client->connection = connection;
	client->file =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	const struct sockaddr *address =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
			->client_addr;
	client->key = key_of_address(http->secret, address);
	write_address(address, client->address);
	client->wire.framing = framing_create();
	wires_set(http->wires, client->file, &client->wire);
	if (is_of_a_host(address)) {
		client->of_address = addresses_enter(http->addresses, client->key);
	}
	client_becomes_idle(http, client);
	client->older = http->clients;
	if (http->clients) {
		http->clients->newer = client;
	}
	http->clients = client;
	http->options.service->connections++;
	return client;
}

static void end(struct http *http, struct client *client) {
	*(client->newer ? &client->newer->older : &http->clients) = client->older;
	if (client->older) {
		client->older->newer = client->newer;
	}
	client_becomes_busy(http, client);
	if (client->of_address > 0) {
		addresses_leave(http->addresses, client->key);
	}
	http->acceptor.ending -= client->ending;
	http->acceptor.spare -= client->spare;
	http->options.service->connections--;
	wires_set(http->wires, client->file, NULL);
	framing_destroy(client->wire.framing);
	free(client);
}

void client_notify(void *context, struct MHD_Connection *connection, void **slot,
	enum MHD_ConnectionNotificationCode code) {
	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		*slot = begin(context, connection);
	} else {
		end(context, *slot);
		*slot = NULL;
	}
}

bool client_has_left(int file) {
	struct pollfd state = {.fd = file, .events = POLLRDHUP};
	int unread = 0;
	return poll(&state, 1, 0) == 1 && (state.revents & (POLLRDHUP | POLLHUP | POLLERR)) &&
		ioctl(file, FIONREAD, &unread) == 0 && unread == 0;
}

/* Whether a transfer has taken longer than even a slow line needs. */
static bool is_too_slow(const struct http *http, double since_s, uint64_t bytes, double now_s) {
	return now_s - since_s > http->options.idle_s + (double)bytes / SLOW_BYTES_PER_S;
}

/* Whether a client reads too slowly; of a stream the piece that is being sent counts, since others
 * took their time to be made. */
static bool is_read_too_slowly(const struct transaction *transaction, double now_s) {
	const struct stream *stream = transaction->stream;
	return !stream ? is_too_slow(transaction->http, transaction->answer_s,
				 transaction->access.bytes, now_s)
		       : !stream->starved &&
			is_too_slow(transaction->http, stream->piece_s, stream->piece.size, now_s);
}

/* Whether a stream was to end, and its client has not taken what was made before. */
static bool is_to_be_cut(const struct transaction *transaction, double now_s) {
	const struct stream_control *control =
		transaction->stream ? transaction->context.response.stream.control : NULL;
	const double cut_s = control ? atomic_load(&control->cut_s) : 0;
	return cut_s > 0 && now_s > cut_s;
}

static bool is_to_end(const struct transaction *transaction, double now_s) {
	switch (transaction->stage) {
	case STAGE_RECEIVING:
		// The library goes by the edges of epoll's events and takes a short read for the
		// end of what there is: a FIN that comes with the last bytes it sees only when the
		// connection times out.
		return client_has_left(transaction->client->file) ||
			is_too_slow(transaction->http, transaction->access.started_s,
				transaction->body.size + transaction->discarded, now_s);
	case STAGE_WAITING:
		return false;
	case STAGE_ANSWERED:
		return transaction->answer_s > 0 &&
			(is_read_too_slowly(transaction, now_s) ||
				is_to_be_cut(transaction, now_s));
	}
	return false;
}

void clients_sweep(struct http *http) {
	const double now_s = clock_now_s();
	// The library closes what is shut down at the event that this makes.
	for (const struct transaction *e = http->alive; e; e = e->older) {
		if (is_to_end(e, now_s)) {
			shutdown(e->client->file, SHUT_RDWR);
		}
	}
	for (const struct client *c = http->clients; c; c = c->older) {
		const double patience_s =
			c->spare ? SPARE_SILENT_S : http->options.idle_s * HEAD_SHARE;
		if (c->idle_since_s > 0 && now_s - c->idle_since_s > patience_s) {
			shutdown(c->file, SHUT_RDWR);
		}
	}
}
