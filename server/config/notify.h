/* Notifications to the service manager, as sd_notify(3) sends them: one datagram. Written by hand,
 * because libsystemd is far larger, and containers do not have it. */
#pragma once

/* Sends a message such as "READY=1" to the manager that NOTIFY_SOCKET names, if there is one. Logs
 * failures. */
void notify(const char *message);

/* Opens a socket to the manager, for messages that must arrive even when the process has run out of
 * descriptors; -1 = none. The caller closes it. */
int notify_open(void);

/* Sends a message over such a socket. */
void notify_over(int file, const char *message);

/* Announces a reload: "RELOADING=1" with the time. */
void notify_reloading(void);
