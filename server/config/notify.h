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

/* --- Signs of life, from the loop, which nothing may hold up: the manager starts the daemon again
 * when they stop. WatchdogSec= in a unit of systemd, sd_watchdog_enabled(3). --- */

struct watchdog {
	int file;       // socket to the manager; -1 = it expects no signs
	double every_s; // half of what the manager waits
	double next_s;  // when the next is due, on clock_now_s()
};

/* Reads WATCHDOG_USEC and WATCHDOG_PID. */
void watchdog_begin(struct watchdog *watchdog);
void watchdog_end(struct watchdog *watchdog);

/* Gives a sign when one is due. */
void watchdog_run(struct watchdog *watchdog, double now_s);

/* When the next is due; INFINITY = never. */
double watchdog_next_s(const struct watchdog *watchdog);
