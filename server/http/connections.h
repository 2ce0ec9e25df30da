/* Connections: which there are, and which are idle. Touched by the loop's thread only. */
#pragma once

#include <microhttpd.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "http/wire.h"

struct http;

/* A connection, from its beginning to its end. */
struct connection {
	int file;                        // its socket
	char address[INET6_ADDRSTRLEN];  // the client's, as text; "unix" = of a Unix socket
	uint64_t client;                 // a number for the client, from its address
	struct wire wire;                // owns its framing
	uint64_t requests;               // so far
	size_t of_address;               // connections of its address when it began; 0 = local
	bool spare;                      // beyond the limit: it gets /healthz only
	bool ending;                     // it ends for another
	double idle_since_s;             // its last request's end; 0 = one is under way
	LIST_ENTRY(connection) of_all;   // in http->connections
	TAILQ_ENTRY(connection) of_idle; // in http->idle
	bool is_idle;                    // likewise
};

LIST_HEAD(connection_list, connection);
TAILQ_HEAD(connection_queue, connection);

/* The library's callback for a connection's beginning and end. */
void connection_notify(void *http, struct MHD_Connection *connection, void **slot,
	enum MHD_ConnectionNotificationCode code);

/* A number for the client with a token of this name, which strangers cannot foresee. */
uint64_t client_of_token(const struct http *http, const char *token);

/* A request of the connection begins, and ends. */
void connection_becomes_busy(struct http *http, struct connection *connection);
void connection_becomes_idle(struct http *http, struct connection *connection);

/* Ends the connection, once. */
void connection_end(struct http *http, struct connection *connection, double now_s);

/* Ends the connection that has been idle for longest; with `like`, of those of its client. False
 * when none has been for a while. */
bool connections_end_idlest(struct http *http, const struct connection *like, double now_s);

/* Ends connections that take too long to begin a request. */
void connections_end_silent(struct http *http);

/* True when the client has closed its side, and nothing that it sent before is unread. Any thread.
 */
bool connection_is_closed(int file);
