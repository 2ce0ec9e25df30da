// Equal requests whose work is done once.
#include "http/waits.h"

#include "http/loop.h"

static struct transaction_list *slot_of(struct http *http, const struct cache_key *key) {
	return &http->leaders[key->words[0] % LEADER_SLOTS];
}

static struct transaction *find_leader(struct http *http, const char *tag) {
	const struct cache_key key = cache_key_of(tag);
	struct transaction *leader;
	LIST_FOREACH(leader, slot_of(http, &key), coalescing.of_slot) {
		if (cache_key_equal(&key, &leader->coalescing.key)) {
			return leader;
		}
	}
	return NULL;
}

bool coalesce_join(struct transaction *transaction) {
	struct transaction *leader = find_leader(transaction->http, transaction->context.etag);
	if (!leader) {
		return false;
	}
	transaction_enter(transaction, TRANSACTION_WAITING);
	transaction->coalescing.leader = leader;
	TAILQ_INSERT_TAIL(&leader->coalescing.followers, transaction, of_queue);
	stop_extend(&leader->context.stop, transaction->deadline_s);
	return true;
}

void coalesce_begin(struct transaction *transaction) {
	struct coalescing *coalescing = &transaction->coalescing;
	coalescing->key = cache_key_of(transaction->context.etag);
	coalescing->leads = true;
	LIST_INSERT_HEAD(
		slot_of(transaction->http, &coalescing->key), transaction, coalescing.of_slot);
}

void coalesce_end(struct transaction *transaction) {
	if (transaction->coalescing.leads) {
		LIST_REMOVE(transaction, coalescing.of_slot);
		transaction->coalescing.leads = false;
	}
}

void coalesce_leave(struct transaction *transaction) {
	struct transaction *leader = transaction->coalescing.leader;
	if (!leader) {
		return;
	}
	TAILQ_REMOVE(&leader->coalescing.followers, transaction, of_queue);
	transaction->coalescing.leader = NULL;
	const bool is_for_others =
		leader->state == TRANSACTION_OVERDUE || leader->state == TRANSACTION_ABANDONED;
	if (is_for_others && TAILQ_EMPTY(&leader->coalescing.followers)) {
		atomic_store(&leader->context.stop.left, true);
	}
}
