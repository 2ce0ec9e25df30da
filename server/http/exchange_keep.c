// Answers that others get, too: which are worth keeping, and where they are kept.
#include "http/exchange_keep.h"

#include "cache/cache.h"
#include "cache/cache_disk.h"
#include "cache/cached.h"

/* Seconds that an answer must have taken to be kept though it was asked for once only: more than it
 * takes to write it to the disk. Pictures always are worth it. */
#define WORTH_KEEPING_S 0.00025

static bool is_worth_keeping(const struct exchange *exchange) {
	double taken_s = 0;
	for (int i = SPAN_QUEUE + 1; i < SPAN_COUNT; i++) {
		taken_s += exchange->call.spans_s[i];
	}
	return exchange->asked || exchange->place == PLACE_RENDER || taken_s >= WORTH_KEEPING_S;
}

static void keep(struct exchange *exchange) {
	const struct call *call = &exchange->call;
	cache_put(call->service->cache, call->etag, exchange->shared);
	if (call->service->cache_disk) {
		cache_disk_put(call->service->cache_disk, call->etag, exchange->shared);
	}
}

bool exchange_find_on_disk(struct exchange *exchange) {
	const struct call *call = &exchange->call;
	if (!call->service->cache_disk || !call->etag) {
		return false;
	}
	exchange->shared = cache_disk_get(call->service->cache_disk, call->etag);
	if (exchange->shared) {
		cache_put(call->service->cache, call->etag, exchange->shared);
		exchange->call.step = NULL;
	}
	return exchange->shared;
}

void exchange_share(struct exchange *exchange) {
	struct call *call = &exchange->call;
	struct answer *answer = &call->answer;
	if (exchange->shared || call->step || !call->etag || answer->status || answer->has_file ||
		answer->stream.fill) {
		return;
	}
	const struct cached_parts parts = {
		.content_type = answer->content_type,
		.headers = answer->headers,
		.header_count = answer->header_count,
		.take_body = &answer->body,
	};
	exchange->shared = cached_create(&parts);
	if (is_worth_keeping(exchange)) {
		keep(exchange);
	}
}
