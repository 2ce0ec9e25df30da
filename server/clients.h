/* Connections, and the patience with them. Touched by the loop's thread only. */
#pragma once

#include <microhttpd.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include "wire.h"

struct http;

/* A connection of a client, from its beginning to its end. */
struct client {
	struct MHD_Connection *connection; // borrowed from the library
	int file;                          // its socket
	char address[INET6_ADDRSTRLEN];    // as text; "unix" = of a Unix socket
	uint64_t key;                      // for the share of its requests without a token
	struct wire wire;                  // owns its framing
	uint64_t requests;                 // so far
	double idle_since_s;               // its last request's end; 0 = one is under way
	struct client *older, *newer;      // in http->clients
};

/* The library's callback for a connection's beginning and end. */
void client_notify(void *http, struct MHD_Connection *connection, void **slot,
	enum MHD_ConnectionNotificationCode code);

/* A number for a token's name that strangers cannot foresee. */
uint64_t client_key_of(const struct http *http, const char *token);

/* Ends connections that take too long for what they do, or whose client left. */
void clients_sweep(struct http *http);

/* Whether a client has ended its side, and nothing it sent before is still unread. Any thread. */
bool client_has_left(int file);
