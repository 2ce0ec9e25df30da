/* Word to the service manager, as sd_notify(3) has it: one datagram. By hand, because libsystemd
 * would be the larger of the two by far, and is in no container. */
#pragma once

/* Says something like "READY=1" to the manager that NOTIFY_SOCKET names; without one nobody
 * listens. What does not arrive is logged. */
void notify(const char *words);

/* A socket to the same, for words that have to get through even when no descriptor is left; -1 =
 * nobody listens, or there is none. The caller closes it. */
int notify_open(void);

/* Says it over such a socket. */
void notify_over(int file, const char *words);

/* Says that a reload begins: "RELOADING=1" with the time. */
void notify_reloading(void);
