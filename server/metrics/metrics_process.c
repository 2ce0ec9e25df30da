// Figures of the process itself.
#include "metrics/metrics_process.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "metrics/metrics_text.h"

static void write_memory(struct buffer *out) {
	unsigned long long all, resident;
	FILE *file = fopen("/proc/self/statm", "re");
	if (!file) {
		return;
	}
	if (fscanf(file, "%llu %llu", &all, &resident) == 2) {
		metrics_text_single(out, METRICS_TYPE_GAUGE, "process_resident_memory_bytes",
			"Memory that is in RAM.", (double)resident * (double)sysconf(_SC_PAGESIZE));
	}
	fclose(file);
}

static void write_descriptors(struct buffer *out) {
	DIR *stream = opendir("/proc/self/fd");
	if (!stream) {
		return;
	}
	int count = 0;
	struct dirent *entry;
	while ((entry = readdir(stream))) {
		count += entry->d_name[0] != '.';
	}
	closedir(stream);
	// Without the one that listed them.
	metrics_text_single(
		out, METRICS_TYPE_GAUGE, "process_open_fds", "Open file descriptors.", count - 1);
}

static double seconds(struct timeval time) {
	return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

void metrics_write_process(double start_s, struct buffer *out) {
	struct rusage usage;
	write_memory(out);
	write_descriptors(out);
	if (getrusage(RUSAGE_SELF, &usage) == 0) {
		metrics_text_single(out, METRICS_TYPE_COUNTER, "process_cpu_seconds_total",
			"Processor time used, user and system.",
			seconds(usage.ru_utime) + seconds(usage.ru_stime));
	}
	metrics_text_single(out, METRICS_TYPE_GAUGE, "process_start_time_seconds",
		"When the process started, in seconds since 1970.", start_s);
}
