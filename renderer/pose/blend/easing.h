/* Easing of a change: shares of time -> shares of the change. */
#pragma once

enum easing {
	EASING_LINEAR,   // x
	EASING_SMOOTH,   // 3 x^2 - 2 x^3: starts and ends at rest
	EASING_SMOOTHER, // 6 x^5 - 15 x^4 + 10 x^3: and without a jolt
	EASING_COS,      // (1 - cos pi x) / 2
	EASING_EXP,      // (2^20x - 1) / 2046 up to a half, then the same backwards
	EASING_COUNT,
};

/* The easings' names in requests, in the order of the enum, ended by NULL. */
extern const char *const easing_names[EASING_COUNT + 1];

/* The share of the change at a share of its time: 0 up to 0, 1 from 1 on, in between without ever
 * going back, and a half at a half. The same bits on every machine. METHODS C.7. */
double easing_share(enum easing easing, double share);
