/* Connections, and the patience with them. Touched by the loop's thread only. */
#pragma once

#include <microhttpd.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include "http/wire.h"

struct http;

/* A connection of a client, from its beginning to its end. */
struct client {
	struct MHD_Connection *connection; // borrowed from the library
	int file;                          // its socket
	char address[INET6_ADDRSTRLEN];    // as text; "unix" = of a Unix socket
	uint64_t key;                      // for the share of its requests without a token
	struct wire wire;                  // owns its framing
	uint64_t requests;                 // so far
	size_t of_address;                 // connections of its host when it began; 0 = local
	bool spare;                        // there was no room for it: it gets /healthz only
	bool ending;                       // it ends for another
	double idle_since_s;               // its last request's end; 0 = one is under way
	struct client *older, *newer;      // in http->clients
	struct client *idler, *less_idle;  // without a request under way: its neighbours there
};

/* The library's callback for a connection's beginning and end. */
void client_notify(void *http, struct MHD_Connection *connection, void **slot,
	enum MHD_ConnectionNotificationCode code);

/* A number for a token's name that strangers cannot foresee. */
uint64_t client_key_of(const struct http *http, const char *token);

/* Tells that a request of the client begins, and ends. */
void client_becomes_busy(struct http *http, struct client *client);
void client_becomes_idle(struct http *http, struct client *client);

/* Ends the connection, once. */
void client_end(struct http *http, struct client *client, double now_s);

/* Ends the connection that has been idle for longest; with `like`, of those of its address. False
 * when none has been for a while. */
bool clients_end_idlest(struct http *http, const struct client *like, double now_s);

/* Ends connections that take too long for what they do, or whose client left. */
void clients_sweep(struct http *http);

/* Whether a client has ended its side, and nothing it sent before is still unread. Any thread. */
bool client_has_left(int file);
