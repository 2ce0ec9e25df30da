// Names of the daemon, and origins of pages.
#include "access/origins.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/line_file.h"
#include "base/utf8.h"

/* Maximum length of a name in DNS. */
#define NAME_BYTES_MAX 253

/* The authority of a URL: "name", "name:port", "[::1]:port". */
struct authority {
	struct span name; // without brackets, and without the dot of a full name at its end
	struct span port; // empty = none
	bool bracketed;
};

static bool is_same(struct span a, struct span b) {
	return a.length == b.length && strncasecmp(a.start, b.start, a.length) == 0;
}

static struct span whole(const char *text) {
	return (struct span){text, strlen(text)};
}

/* Removes the next element of a list. False at the end. */
static bool take_part(struct span *list, struct span *part) {
	if (!list->start) {
		return false;
	}
	const char *comma = memchr(list->start, ',', list->length);
	const size_t length = comma ? (size_t)(comma - list->start) : list->length;
	*part = (struct span){list->start, length};
	*list = comma ? (struct span){comma + 1, list->length - length - 1} : (struct span){0};
	return true;
}

static bool is_name(struct span name) {
	for (size_t i = 0; i < name.length; i++) {
		const unsigned char c = (unsigned char)name.start[i];
		if (!isalnum(c) && c != '-' && c != '.' && c != '_') {
			return false;
		}
	}
	return name.length > 0 && name.length <= NAME_BYTES_MAX;
}

static bool is_address(const struct authority *authority) {
	const struct span name = authority->name;
	char text[INET6_ADDRSTRLEN];
	unsigned char bytes[sizeof(struct in6_addr)];
	if (name.length >= sizeof text) {
		return false;
	}
	memcpy(text, name.start, name.length);
	text[name.length] = '\0';
	return inet_pton(authority->bracketed ? AF_INET6 : AF_INET, text, bytes) == 1;
}

/* Reads the rest after a name: nothing, or a colon and digits. */
static bool read_port(struct span rest, struct span *port) {
	*port = (struct span){rest.start + 1, rest.length ? rest.length - 1 : 0};
	bool digits = rest.length == 0 || (rest.start[0] == ':' && port->length > 0);
	for (size_t i = 0; i < port->length; i++) {
		digits = digits && isdigit((unsigned char)port->start[i]);
	}
	return digits && port->length <= 5;
}

static bool read_authority(struct span text, struct authority *out) {
	const bool bracketed = text.length > 0 && text.start[0] == '[';
	const char *end = memchr(text.start, bracketed ? ']' : ':', text.length);
	if (bracketed && !end) {
		return false;
	}
	const size_t length = end ? (size_t)(end - text.start) : text.length;
	const size_t used = length + bracketed;
	*out = (struct authority){
		.name = {text.start + bracketed, length - bracketed}, .bracketed = bracketed};
	if (!read_port((struct span){text.start + used, text.length - used}, &out->port)) {
		return false;
	}
	if (bracketed) {
		return is_address(out);
	}
	const size_t last = out->name.length - 1;
	if (out->name.length > 1 && out->name.start[last] == '.') {
		out->name.length = last;
	}
	return is_name(out->name);
}

/* The authority of an origin such as "https://a.example:8443". */
static bool read_origin(struct span origin, struct authority *out) {
	static const char *const schemes[] = {"http://", "https://"};
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
		const struct span scheme = whole(schemes[i]);
		if (origin.length > scheme.length &&
			strncasecmp(origin.start, scheme.start, scheme.length) == 0) {
			return read_authority((struct span){origin.start + scheme.length,
						      origin.length - scheme.length},
				out);
		}
	}
	return false;
}

static bool is_empty_list(const char *text) {
	return strcmp(text, ORIGINS_NONE) == 0;
}

bool origins_check_hosts(const char *hosts, struct error *err) {
	struct span list = whole(hosts), part;
	struct authority authority;
	if (is_empty_list(hosts) || strcmp(hosts, "*") == 0) {
		return true;
	}
	while (take_part(&list, &part)) {
		char quoted[UTF8_QUOTED_BYTES];
		span_quote(part, quoted);
		if (!read_authority(part, &authority)) {
			return error_set(err, ERROR_INVALID_VALUE,
				"--hosts has %s, must be names such as posed.example.org, with a "
				"port or without, and a comma between them; * for any; or none",
				quoted);
		}
	}
	return true;
}

bool origins_check_trusted(const char *trusted, struct error *err) {
	struct span list = whole(trusted), part;
	struct authority authority;
	if (is_empty_list(trusted)) {
		return true;
	}
	while (take_part(&list, &part)) {
		char quoted[UTF8_QUOTED_BYTES];
		span_quote(part, quoted);
		if (!read_origin(part, &authority)) {
			return error_set(err, ERROR_INVALID_VALUE,
				"--trusted-origins has %s, must be origins such as "
				"https://example.org, with a comma between them; or none",
				quoted);
		}
	}
	return true;
}

/* "localhost" and its subdomains, which DNS cannot redirect (RFC 6761). */
static bool is_loopback_name(struct span name) {
	const struct span local = whole("localhost"), below = whole(".localhost");
	return is_same(name, local) ||
		(name.length > below.length &&
			is_same((struct span){name.start + name.length - below.length,
					below.length},
				below));
}

static bool is_listed_host(const char *hosts, const struct authority *requested) {
	struct span list = whole(hosts), part;
	struct authority authority;
	if (is_empty_list(hosts)) {
		return false;
	}
	while (take_part(&list, &part)) {
		if (read_authority(part, &authority) && is_same(authority.name, requested->name) &&
			(!authority.port.length || is_same(authority.port, requested->port))) {
			return true;
		}
	}
	return false;
}

static bool is_ours(const struct origin_rules *rules, const struct authority *requested) {
	struct authority listen;
	return is_address(requested) || is_loopback_name(requested->name) ||
		is_listed_host(rules->hosts, requested) ||
		(read_authority(whole(rules->listen), &listen) &&
			is_same(listen.name, requested->name));
}

bool origins_check_host(const struct origin_rules *rules, const char *host, struct error *err) {
	struct authority requested;
	if (rules->any_host || strcmp(rules->hosts, "*") == 0 ||
		(read_authority(whole(host), &requested) && is_ours(rules, &requested))) {
		return true;
	}
	char quoted[UTF8_QUOTED_BYTES];
	utf8_quote(host, quoted, sizeof quoted);
	return error_set(err, ERROR_MISDIRECTED,
		"the request is for the host %s, and this daemon answers for localhost, addresses "
		"and the names that it is given with --hosts",
		quoted);
}

/* True if an origin is that of the daemon's pages, by Host or by a name of hosts, which has the
 * scheme's default port if it has none. */
static bool is_own(const struct origin_rules *rules, const struct page *page) {
	struct authority origin, host;
	struct span list = whole(rules->hosts), part;
	if (!read_origin(whole(page->origin), &origin)) {
		return false;
	}
	if (page->host && read_authority(whole(page->host), &host) &&
		is_same(host.name, origin.name) && is_same(host.port, origin.port)) {
		return true;
	}
	while (!is_empty_list(rules->hosts) && take_part(&list, &part)) {
		if (read_authority(part, &host) && is_same(host.name, origin.name) &&
			is_same(host.port, origin.port)) {
			return true;
		}
	}
	return false;
}

static bool is_trusted(const struct origin_rules *rules, const struct page *page) {
	struct span list = whole(rules->trusted), part;
	while (page->origin && !is_empty_list(rules->trusted) && take_part(&list, &part)) {
		if (is_same(part, whole(page->origin))) {
			return true;
		}
	}
	return false;
}

static bool is_open(const struct origin_rules *rules) {
	return strcmp(rules->cors_origin, "*") == 0;
}

bool origins_let(const struct origin_rules *rules, const struct page *page, enum pages pages) {
	return !page->origin || is_own(rules, page) || is_trusted(rules, page) ||
		(pages == PAGES_ANY &&
			(is_open(rules) || strcasecmp(rules->cors_origin, page->origin) == 0));
}

bool origins_check_sender(const struct origin_rules *rules, const struct page *page,
	enum pages pages, struct error *err) {
	if (origins_let(rules, page, pages)) {
		return true;
	}
	char quoted[UTF8_QUOTED_BYTES];
	utf8_quote(page->origin, quoted, sizeof quoted);
	return error_set(err, ERROR_FORBIDDEN,
		"pages of %s may not send this: only this daemon's own, and those of its "
		"--trusted-origins%s",
		quoted, pages == PAGES_ANY ? " or --cors-origin" : "");
}

const char *origins_reader(
	const struct origin_rules *rules, const struct page *page, enum pages pages) {
	if (is_open(rules) && pages == PAGES_ANY) {
		return rules->cors_origin;
	}
	if (is_trusted(rules, page)) {
		return page->origin;
	}
	return is_open(rules) ? NULL : rules->cors_origin;
}

bool origins_vary(const struct origin_rules *rules) {
	return !is_empty_list(rules->trusted);
}
