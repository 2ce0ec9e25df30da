/* The socket that clients connect to. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Room for what listen_address() writes. */
#define LISTEN_ADDRESS_BYTES 128

/* A listening socket and what it leaves in the file system. Start with LISTENER_NONE. */
struct listener {
	int file;       // the socket; -1 = none, or given away
	char path[108]; // of the Unix socket that was made; "" = none
};

#define LISTENER_NONE ((struct listener){.file = -1})

/* True if only this machine can connect to a listening socket. */
bool listen_is_local(int socket);

/* Opens a listening socket: the one that systemd hands over (sd_listen_fds(3)), whatever the
 * address; else at "ADDR:PORT", "[ADDR]:PORT" for IPv6, port 0 for a free one; or "unix:/PATH" with
 * these permissions, where the socket of a daemon that is no more is replaced. False with
 * ERROR_INVALID_VALUE when the text is no address, ERROR_CONFLICT when it cannot be had. */
bool listener_open(
	struct listener *listener, const char *address, unsigned mode, struct error *err);

/* Closes the socket if it is still here, and removes its path unless another daemon listens there
 * by now. A socket that was given away must be closed before. */
void listener_finish(struct listener *listener);

/* Writes what a socket is bound to: "http://127.0.0.1:8600" or "unix:/PATH". */
bool listen_address(int socket, char text[static LISTEN_ADDRESS_BYTES], struct error *err);

/* A socket connected to an address of the forms above; -1 with ERROR_INVALID_VALUE or
 * ERROR_CONFLICT. */
int listen_connect(const char *address, struct error *err);
