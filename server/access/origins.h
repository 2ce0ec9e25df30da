/* The browser's side of access: the names that the daemon goes by, and what pages of other origins
 * may do. A page whose name was moved to the daemon's address (DNS rebinding) is of the daemon's
 * own origin for the browser, and only the header Host tells; a page of another origin says so in
 * the header Origin. */
#pragma once

#include <stdbool.h>

#include "base/error.h"

/* In a list's place: it is empty. */
#define ORIGINS_NONE "none"

/* All texts are borrowed. */
struct origin_rules {
	const char *hosts;   // "NAME,NAME:PORT": the daemon's besides those it always has; "*" =
			     // any name; ORIGINS_NONE
	const char *trusted; // "ORIGIN,ORIGIN": their pages are like its own; ORIGINS_NONE
	const char *cors_origin; // whose pages may read answers; "*" = everyone's
	const char *listen;      // "ADDR:PORT", whose name is the daemon's
	bool any_host;           // behind a Unix socket, where no page gets by itself
};

/* The pages that a call is for. */
enum pages {
	PAGES_OWN, // the daemon's, and those of trusted origins; a named cors_origin may read
	PAGES_ANY, // those of cors_origin, too
};

/* Where a request comes from; NULL = the header is not there. */
struct page {
	const char *host, *origin;
};

/* Whether the text of --hosts or of --trusted-origins is a list of such. ERROR_INVALID_VALUE. */
bool origins_check_hosts(const char *hosts, struct error *err);
bool origins_check_trusted(const char *trusted, struct error *err);

/* Whether a value of Host names the daemon: a loopback name, an address as digits, the name that it
 * listens at, or one of hosts. ERROR_MISDIRECTED. */
bool origins_check_host(const struct origin_rules *rules, const char *host, struct error *err);

/* Whether a page may send a request that may change something. Programs have no origin, and may.
 * ERROR_FORBIDDEN. */
bool origins_check_sender(const struct origin_rules *rules, const struct page *page,
	enum pages pages, struct error *err);

/* Whether a page may send and read a request, as far as origins go: what answers to a browser that
 * asks before are made of. */
bool origins_let(const struct origin_rules *rules, const struct page *page, enum pages pages);

/* The value of Access-Control-Allow-Origin, borrowed from the rules or the page; NULL = no page of
 * another origin may read the answer. */
const char *origins_reader(
	const struct origin_rules *rules, const struct page *page, enum pages pages);

/* Whether origins_reader() depends on the page. */
bool origins_vary(const struct origin_rules *rules);
