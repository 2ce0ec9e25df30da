/* Shared by listen.c (TCP and all) and listen_unix.c. */
#pragma once

#include "http/listen.h"

#include <sys/un.h>

/* Connections that may wait to be accepted: a burst of clients, as far as the kernel goes along. */
#define LISTEN_BACKLOG 1024

/* The address of "unix:/PATH". False with ERROR_INVALID_VALUE. */
bool unix_address(const char *address, struct sockaddr_un *out, struct error *err);

/* Whether a socket can be made at a path, or put in place of one that nobody listens at. */
bool unix_check(const char *address, struct error *err);
bool unix_open(struct listener *listener, const char *address, unsigned mode, struct error *err);

/* Removes the socket at a path if nobody listens there. */
void unix_remove(const char *path);

int unix_connect(const char *address, struct error *err);
