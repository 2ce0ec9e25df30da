/* Access from browsers: the daemon's names, and the rights of pages of other origins. After DNS
 * rebinding a browser takes a foreign page for one of the daemon's own origin, and only the header
 * Host reveals it; other foreign pages are recognized by the header Origin. */
#pragma once

#include <stdbool.h>

#include "base/error.h"

/* Text of an empty list. */
#define ORIGINS_NONE "none"

/* All texts are borrowed. */
struct origin_rules {
	const char *hosts;       // "NAME,NAME:PORT": the daemon's besides its built-in ones; "*" =
				 // any name; ORIGINS_NONE
	const char *trusted;     // "ORIGIN,ORIGIN": treated as the daemon's own; ORIGINS_NONE
	const char *cors_origin; // whose pages may read responses; "*" = any
	const char *listen;      // "ADDR:PORT", whose name is the daemon's
	bool any_host;           // accept any Host, on a Unix socket, which pages cannot reach
};

/* The pages that may use a route. */
enum pages {
	PAGES_OWN, // the daemon's, and those of trusted origins; a named cors_origin may read
	PAGES_ANY, // those of cors_origin, too
};

/* Headers of a request; NULL = absent. */
struct page {
	const char *host, *origin;
};

/* Checks the texts of --hosts and --trusted-origins. ERROR_INVALID_VALUE. */
bool origins_check_hosts(const char *hosts, struct error *err);
bool origins_check_trusted(const char *trusted, struct error *err);

/* Checks that a value of Host names the daemon: a loopback name, an address as digits, the name
 * that it listens at, or one of hosts. ERROR_MISDIRECTED. */
bool origins_check_host(const struct origin_rules *rules, const char *host, struct error *err);

/* Checks that a page may send a request that changes something. Programs send no origin, and may.
 * ERROR_FORBIDDEN. */
bool origins_check_sender(const struct origin_rules *rules, const struct page *page,
	enum pages pages, struct error *err);

/* True if a page's origin may send requests to a route and read the responses: for preflight
 * responses. */
bool origins_let(const struct origin_rules *rules, const struct page *page, enum pages pages);

/* The value of Access-Control-Allow-Origin, borrowed from the rules or the page; NULL = no page of
 * another origin may read the answer. */
const char *origins_reader(
	const struct origin_rules *rules, const struct page *page, enum pages pages);

/* True if origins_reader() depends on the page. */
bool origins_vary(const struct origin_rules *rules);
