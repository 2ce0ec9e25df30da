/* Work on a mesh that others watch and may stop. */
#pragma once

#include "base/stop.h"

/* Zero it, or pass NULL, for work that nobody watches. */
struct watch {
	const struct stop *stop; // NULL = never stopped
	_Atomic float *share;    // NULL = nobody looks; rises from 0 to 1
};

/* Says how far the work has come, and whether to go on: as stop_check. For between steps. */
static inline bool watch_step(const struct watch *watch, double share, struct error *err) {
	if (!watch) {
		return true;
	}
	if (watch->share) {
		atomic_store_explicit(watch->share, (float)share, memory_order_relaxed);
	}
	return stop_check(watch->stop, err);
}
