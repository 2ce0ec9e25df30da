// Signs of life for the service manager.
#include "http/watchdog.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "config/notify.h"

/* Seconds that the manager waits; 0 = it does not, or waits for another process. */
static double patience_s(void) {
	const char *microseconds = getenv("WATCHDOG_USEC"), *process = getenv("WATCHDOG_PID");
	if (!microseconds || (process && strtol(process, NULL, 10) != getpid())) {
		return 0;
	}
	return (double)strtoull(microseconds, NULL, 10) / 1e6;
}

void watchdog_begin(struct watchdog *watchdog) {
	const double waits_s = patience_s();
	*watchdog = (struct watchdog){
		.file = waits_s > 0 ? notify_open() : -1,
		.every_s = waits_s / 2,
		.next_s = clock_now_s(),
	};
}

void watchdog_end(struct watchdog *watchdog) {
	if (watchdog->file >= 0) {
		close(watchdog->file);
		watchdog->file = -1;
	}
}

void watchdog_run(struct watchdog *watchdog, double now_s) {
	if (watchdog->file >= 0 && now_s >= watchdog->next_s) {
		notify_over(watchdog->file, "WATCHDOG=1");
		watchdog->next_s = now_s + watchdog->every_s;
	}
}

double watchdog_next_s(const struct watchdog *watchdog) {
	return watchdog->file >= 0 ? watchdog->next_s : INFINITY;
}
