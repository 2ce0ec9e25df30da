// GET /i/{signature}/...: a picture whose link is its own permission.
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "access/auth.h"
#include "api/api.h"

/* Seconds that caches may keep what never changes: a year, as RFC 9111's readers take for ever. */
#define KEPT_S 31536000

#define CONTENT_PREFIX "sha256:"

/* A link ends on a date, which only the clock that people set knows. */
static int64_t now_s(void) {
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec;
}

static bool check_query(const struct request_context *context, struct error *err) {
	return context->parameter_count == 0 ||
		error_set(err, ERROR_INVALID_VALUE,
			"a link takes no query, which its signature would not cover; options are "
			"parts of its path");
}

static bool check_expiry(const struct link *link, int64_t at_s, struct error *err) {
	return link->expires_s == 0 || at_s < link->expires_s ||
		error_set(err, ERROR_EXPIRED,
			"the link was good until %" PRId64
			" in seconds since 1970, and now is %" PRId64,
			link->expires_s, at_s);
}

static bool check_content(
	const struct link *link, const struct rig_summary *rig, struct error *err) {
	const char *digits = rig->content + strlen(CONTENT_PREFIX);
	return !link->content || strncmp(digits, link->content, strlen(link->content)) == 0 ||
		error_set(err, ERROR_EXPIRED,
			"the link is for a rig of the content %s..., and the rig has another now",
			link->content);
}

/* A picture that is pinned to a content can be cached for as long as the link is good; under a name
 * alone there can be another picture at any time, and so there can of a clip that is not part of
 * the content.
 */
static void set_caching(struct request_context *context, const struct link *link, int64_t at_s) {
	if (link->content && !context->hold.sets[ITEM_CLIPS]) {
		const int64_t left_s = link->expires_s ? link->expires_s - at_s : KEPT_S;
		context->cache_control =
			arena_printf(context->arena, "public, max-age=%" PRId64 ", immutable",
				left_s < KEPT_S ? left_s : KEPT_S);
	}
}

/* Answers as the same picture's other link would, so that they share work, responses and tags. */
static bool answer_as(struct request_context *context, const struct link *link, struct error *err) {
	context->path = FRAME_LINK_PATH;
	context->rig = link->rig;
	context->item = link->ending;
	context->parameters = link->parameters;
	context->parameter_count = link->count;
	return api_frame_link(context, err);
}

bool api_signed(struct request_context *context, struct error *err) {
	const struct auth *auth = context->service->auth;
	const struct link_rules rules = auth_link_rules(auth);
	const int64_t at_s = now_s();
	struct link_parts parts;
	struct link link;
	if (!link_split(context->tail, &parts, err) ||
		!auth_admit_link(auth, &parts, &context->grant, err) ||
		!check_query(context, err) ||
		!link_read(context->arena, parts.path, &rules, &link, err) ||
		!check_expiry(&link, at_s, err) || !answer_as(context, &link, err) ||
		!check_content(&link, &context->hold.summary, err)) {
		return false;
	}
	set_caching(context, &link, at_s);
	return true;
}
