/* Signs of life for the service manager, which starts the daemon again when they stop: WatchdogSec=
 * in a unit of systemd, sd_watchdog_enabled(3). They come from the loop, which nothing may hold up.
 */
#pragma once

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
