// Connections: which there are, and how long each may take.
#include "http/connections.h"

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
#include "http/loop.h"
#include "store/hash.h"

/* The longest time for a head, from the connection's beginning or its last response, as a share of
 * the time that a connection may be silent. The library ends silent ones itself, a little earlier;
 * this ends those that send a byte now and then, which the library would wait for without end. */
#define HEAD_SHARE (4.0 / 3)

/* Neighbours in the /64 of an IPv6 address are one client: each has as many addresses as it likes.
 */
#define IPV6_CLIENT_BYTES 8

/* A number for a client that strangers cannot foresee. */
static uint64_t client_of(uint64_t secret, struct hash_part who) {
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

static uint64_t client_of_address(uint64_t secret, const struct sockaddr *address) {
	struct hash_part who = {"", 0};
	if (address && address->sa_family == AF_INET) {
		const struct sockaddr_in *ipv4 = (const void *)address;
		who = (struct hash_part){&ipv4->sin_addr, sizeof ipv4->sin_addr};
	} else if (address && address->sa_family == AF_INET6) {
		const struct sockaddr_in6 *ipv6 = (const void *)address;
		who = (struct hash_part){&ipv6->sin6_addr, IPV6_CLIENT_BYTES};
	}
	return client_of(secret, who);
}

uint64_t client_of_token(const struct http *http, const char *token) {
	// Longer than any address, so that no name stands for one.
	char who[MAX_TOKEN_NAME + 32];
	const int length = snprintf(who, sizeof who, "of the token %s", token);
	return client_of(http->secret, (struct hash_part){who, (size_t)length});
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

void connection_becomes_busy(struct http *http, struct connection *connection) {
	connection->idle_since_s = 0;
	if (connection->is_idle) {
		connection->is_idle = false;
		TAILQ_REMOVE(&http->idle, connection, of_idle);
	}
}

void connection_becomes_idle(struct http *http, struct connection *connection) {
	connection->idle_since_s = clock_now_s();
	if (!connection->ending && !connection->is_idle) {
		connection->is_idle = true;
		TAILQ_INSERT_TAIL(&http->idle, connection, of_idle);
	}
}

void connection_end(struct http *http, struct connection *connection, double now_s) {
	connection_becomes_busy(http, connection);
	connection->idle_since_s = now_s;
	connection->ending = true;
	http->acceptor.ending++;
	shutdown(connection->file, SHUT_RDWR);
}

bool connections_end_idlest(struct http *http, const struct connection *like, double now_s) {
	struct connection *connection;
	TAILQ_FOREACH(connection, &http->idle, of_idle) {
		if (now_s - connection->idle_since_s < FRESH_S) {
			return false;
		}
		if (!like || connection->client == like->client) {
			connection_end(http, connection, now_s);
			return true;
		}
	}
	return false;
}

static struct connection *begin(struct http *http, struct MHD_Connection *library) {
	struct connection *connection = xcalloc(1, sizeof *connection);
	connection->file =
		MHD_get_connection_info(library, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	const struct sockaddr *address =
		MHD_get_connection_info(library, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
	connection->client = client_of_address(http->secret, address);
	write_address(address, connection->address);
	connection->wire.framing = framing_create();
	wires_set(http->wires, connection->file, &connection->wire);
	if (is_of_a_host(address)) {
		connection->of_address = addresses_enter(http->addresses, connection->client);
	}
	connection_becomes_idle(http, connection);
	LIST_INSERT_HEAD(&http->connections, connection, of_all);
	http->options.service->connections++;
	return connection;
}

static void end(struct http *http, struct connection *connection) {
	LIST_REMOVE(connection, of_all);
	connection_becomes_busy(http, connection);
	if (connection->of_address > 0) {
		addresses_leave(http->addresses, connection->client);
	}
	http->acceptor.ending -= connection->ending;
	http->acceptor.spare -= connection->spare;
	http->options.service->connections--;
	wires_set(http->wires, connection->file, NULL);
	framing_destroy(connection->wire.framing);
	free(connection);
}

void connection_notify(void *http, struct MHD_Connection *connection, void **slot,
	enum MHD_ConnectionNotificationCode code) {
	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		*slot = begin(http, connection);
	} else {
		end(http, *slot);
		*slot = NULL;
	}
}

bool connection_is_closed(int file) {
	struct pollfd state = {.fd = file, .events = POLLRDHUP};
	int unread = 0;
	return poll(&state, 1, 0) == 1 && (state.revents & (POLLRDHUP | POLLHUP | POLLERR)) &&
		ioctl(file, FIONREAD, &unread) == 0 && unread == 0;
}

void connections_end_silent(struct http *http) {
	const double now_s = clock_now_s();
	const struct connection *connection;
	LIST_FOREACH(connection, &http->connections, of_all) {
		const double limit_s =
			connection->spare ? SPARE_SILENT_S : http->options.idle_s * HEAD_SHARE;
		if (connection->idle_since_s > 0 && now_s - connection->idle_since_s > limit_s) {
			// The library closes it at the event that this makes.
			shutdown(connection->file, SHUT_RDWR);
		}
	}
}
