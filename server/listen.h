/* The socket that clients connect to. */
#pragma once

#include "base/error.h"

/* Opens a listening socket at "ADDR:PORT", "[ADDR]:PORT" for IPv6; port 0 takes a free one. -1 with
 * ERROR_INVALID_VALUE when the text is no address, ERROR_CONFLICT when it cannot be had. */
int listen_open(const char *address, struct error *err);

/* Writes what the socket is bound to, such as "127.0.0.1:8600". */
bool listen_address(int socket, char *text, size_t size, struct error *err);
