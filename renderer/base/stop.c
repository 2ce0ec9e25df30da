// When work is to stop before it is done.
#include "base/stop.h"

#include "base/clock.h"

bool stop_check(const struct stop *stop, struct error *err) {
	if (!stop) {
		return true;
	}
	if (atomic_load_explicit(&stop->left, memory_order_relaxed)) {
		return error_set(err, ERROR_CLIENT_LEFT, "the client went away");
	}
	if (atomic_load_explicit(&stop->shutting_down, memory_order_relaxed)) {
		return error_set(err, ERROR_SHUTTING_DOWN,
			"the daemon is shutting down before this is done");
	}
	const double deadline_s = atomic_load_explicit(&stop->deadline_s, memory_order_relaxed);
	return deadline_s <= 0 || clock_now_s() < deadline_s ||
		error_set(err, ERROR_DEADLINE,
			"the request took longer than it may; Posed-Deadline-Ms asks for another "
			"time");
}

void stop_extend(struct stop *stop, double deadline_s) {
	const double now_s = atomic_load_explicit(&stop->deadline_s, memory_order_relaxed);
	if (now_s > 0 && (deadline_s <= 0 || deadline_s > now_s)) {
		atomic_store_explicit(&stop->deadline_s, deadline_s, memory_order_relaxed);
	}
}
