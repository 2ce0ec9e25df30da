// The exit statuses of `pose`.
#include "status.h"

#include <stdio.h>

static const char *const meanings[] = {
	[STATUS_OK] = "done",
	[STATUS_FAILED] = "failed",
	[STATUS_USAGE] = "wrong usage",
	[STATUS_REFUSED] = "the asset is broken, or the request is refused (4xx)",
	[STATUS_AWAY] = "no daemon is there, or it stays busy",
	[STATUS_DIFFERENT] =
		"what was compared differs by more than --tolerance, or checks found faults",
	[STATUS_NO_DRIVER] = "no graphics driver is there to draw a file with",
};

int status_of_http(int http_status) {
	switch (http_status) {
	case 0:
	case 429: // this client's share is used up
	case 502: // a proxy's words for no daemon
	case 503:
	case 504:
		return STATUS_AWAY;
	default:
		return http_status >= 400 && http_status < 500 ? STATUS_REFUSED : STATUS_FAILED;
	}
}

void status_print(void) {
	printf("\nexit status:\n");
	for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
		printf("  %zu  %s\n", i, meanings[i]);
	}
}
