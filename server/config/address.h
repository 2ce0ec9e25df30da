/* Addresses to listen on, as --listen has them: "ADDR:PORT", "[ADDR]:PORT" for IPv6, or
 * "unix:/PATH". */
#pragma once

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/error.h"

#define ADDRESS_UNIX_PREFIX "unix:"

struct addrinfo;

/* True for the form "unix:...". */
bool address_is_path(const char *address);

/* True if only this machine can connect: to a Unix socket, or to a loopback address. Looks up names
 * of hosts; false also when that fails. */
bool address_is_local(const char *address);

/* True for 127.0.0.0/8 and ::1. */
bool address_is_loopback(const struct sockaddr *address);

/* Checks that posed could listen at an address. Looks up names of hosts, and for a path looks at
 * the file and its directory. False with ERROR_INVALID_VALUE or ERROR_CONFLICT. */
bool address_check(const char *address, struct error *err);

/* Resolves an address that is not a path; the caller calls freeaddrinfo(). NULL with
 * ERROR_INVALID_VALUE. */
struct addrinfo *address_resolve(const char *address, struct error *err);

/* Reads "unix:/PATH". False with ERROR_INVALID_VALUE. */
bool address_read_path(const char *address, struct sockaddr_un *out, struct error *err);

/* Checks that a Unix socket can be made at a path; *stale: a socket without a listener is there,
 * to be removed first. False with ERROR_CONFLICT. */
bool address_path_is_free(const struct sockaddr_un *at, bool *stale, struct error *err);

/* A socket connected to a path; -1 with errno. */
int address_connect_path(const struct sockaddr_un *at);
