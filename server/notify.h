/* Word to the service manager, as sd_notify(3) has it: one datagram. By hand, because libsystemd
 * would be the larger of the two by far, and is in no container. */
#pragma once

/* Says something like "READY=1" to whoever NOTIFY_SOCKET names; without one nobody listens.
 * What does not arrive is logged. */
void notify(const char *words);

/* Says that a reload begins: "RELOADING=1" with the time. */
void notify_reloading(void);
