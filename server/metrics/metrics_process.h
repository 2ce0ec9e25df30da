/* Figures of the process itself, under the names that every exporter gives them. */
#pragma once

struct buffer;

/* Appends process_resident_memory_bytes, process_open_fds, process_cpu_seconds_total and
 * process_start_time_seconds; what the system does not tell is left out. start_s is seconds of
 * CLOCK_REALTIME. Looks at every open descriptor, which with thousands of connections takes about a
 * millisecond. */
void metrics_write_process(double start_s, struct buffer *out);
