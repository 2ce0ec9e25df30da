/* The exit statuses of `pose`, for pipelines and scripts. */
#pragma once

enum {
	STATUS_OK = 0,
	STATUS_FAILED = 1,  // none of the others
	STATUS_USAGE = 2,   // the command line is wrong
	STATUS_REFUSED = 3, // the asset is broken, or the request is refused (4xx)
	STATUS_AWAY = 4,    // no daemon is there, or it stays busy
	STATUS_DIFFERENT =
		5, // a comparison differs by more than --tolerance, or checks found faults
	STATUS_NO_DRIVER = 6, // no graphics driver is there to draw with
};

/* Of an answer that is no 2xx; 0 = there was no answer. */
int status_of_http(int http_status);

/* Their lines in --help. */
void status_print(void);
