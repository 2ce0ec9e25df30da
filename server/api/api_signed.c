// GET /i/{signature}/...: a picture whose link is its own permission.
#include <inttypes.h>
#include <string.h>

#include "access/auth.h"
#include "api/api.h"
#include "api/results.h"

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

/* A picture that is pinned to a content can be cached for as long as the link is good. */
static bool pin(
	struct request_context *context, const struct link *link, int64_t at_s, struct error *err) {
	const int64_t left_s = link->expires_s ? link->expires_s - at_s : RESULT_KEPT_S;
	return !link->content || result_pin(context, link->content, left_s, err);
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
	const int64_t at_s = link_now_s();
	struct link_parts parts;
	struct link link;
	if (!link_split(context->tail, &parts, err) ||
		!auth_admit_link(auth, &parts, &context->grant, err) ||
		!check_query(context, err) ||
		!link_read(context->arena, parts.path, &rules, &link, err) ||
		!check_expiry(&link, at_s, err) || !answer_as(context, &link, err)) {
		return false;
	}
	return pin(context, &link, at_s, err);
}
