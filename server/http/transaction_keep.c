// Answers that others get, too: which are worth keeping, and where they are kept.
#include "http/transaction_keep.h"

#include "cache/cache.h"
#include "cache/cache_disk.h"
#include "cache/cached.h"

/* Seconds that an answer must have taken to be kept though it was asked for once only: more than it
 * takes to write it to the disk. Pictures always are worth it. */
#define WORTH_KEEPING_S 0.00025

static bool is_worth_keeping(const struct transaction *transaction) {
	double taken_s = 0;
	for (int i = SPAN_QUEUE + 1; i < SPAN_COUNT; i++) {
		taken_s += transaction->context.spans_s[i];
	}
	return transaction->asked || transaction->place == EXECUTOR_RENDER ||
		taken_s >= WORTH_KEEPING_S;
}

static void keep(struct transaction *transaction) {
	const struct request_context *context = &transaction->context;
	cache_put(context->service->cache, context->etag, transaction->shared);
	if (context->service->cache_disk) {
		cache_disk_put(context->service->cache_disk, context->etag, transaction->shared);
	}
}

bool transaction_find_on_disk(struct transaction *transaction) {
	const struct request_context *context = &transaction->context;
	if (!context->service->cache_disk || !context->etag) {
		return false;
	}
	transaction->shared = cache_disk_get(context->service->cache_disk, context->etag);
	if (transaction->shared) {
		cache_put(context->service->cache, context->etag, transaction->shared);
		transaction->context.step = NULL;
	}
	return transaction->shared;
}

void transaction_share(struct transaction *transaction) {
	struct request_context *context = &transaction->context;
	struct response *response = &context->response;
	if (transaction->shared || context->step || !context->etag || response->status ||
		response->has_file || response->stream.fill) {
		return;
	}
	const struct cached_parts parts = {
		.content_type = response->content_type,
		.headers = response->headers,
		.header_count = response->header_count,
		.take_body = &response->body,
	};
	transaction->shared = cached_create(&parts);
	if (is_worth_keeping(transaction)) {
		keep(transaction);
	}
}
