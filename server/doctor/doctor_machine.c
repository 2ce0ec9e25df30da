// The doctor's look at the processor, at limits, and at what the sandbox needs.
#include "doctor/doctor_machine.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "doctor/doctor_note.h"
#include "import/importer.h"
#include "import/memory_file.h"

/* Descriptors that a daemon with a hundred clients needs, with much to spare. */
#define DESCRIPTORS_WANTED 1024

static void look_at_instructions(struct doctor *doctor) {
	if (renderer_cpu_lanes() == 8) {
		doctor_note(doctor, FINDING_OK, "processor", NULL,
			"AVX2 is there: the CPU skins eight vertices at a time");
	} else {
		doctor_note(doctor, FINDING_WARN, "processor",
			"Virtual machines: pass the host's processor through (QEMU: -cpu host).",
			"no AVX2: skinning on the CPU takes about one and a half times as long");
	}
}

/* Processors' worth of time that the control group allows; 0 = no limit. */
static double quota(void) {
	FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
	double most = 0, period = 0;
	if (file) {
		if (fscanf(file, "%lf %lf", &most, &period) != 2) {
			most = 0; // "max"
		}
		fclose(file);
	}
	return period > 0 ? most / period : 0;
}

static void look_at_threads(struct doctor *doctor) {
	cpu_set_t set;
	int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
	if (sched_getaffinity(0, sizeof set, &set) == 0) {
		cores = CPU_COUNT(&set);
	}
	const double allowed = quota();
	const double usable = allowed > 0 && allowed < cores ? allowed : cores;
	const int threads = doctor->config->render_threads;
	const char *limit = usable < cores ? " by its control group's limit" : "";
	if (threads > usable + 0.5) {
		doctor_note(doctor, FINDING_WARN, "threads",
			doctor_text(doctor,
				"--render-threads %d, or a higher limit (docker --cpus).",
				usable < 2 ? 1 : (int)usable),
			"%d render threads share %g cores%s: each is slower for it", threads,
			usable, limit);
	} else {
		doctor_note(doctor, FINDING_OK, "threads", NULL, "%d render threads on %g cores%s",
			threads, usable, limit);
	}
}

static void look_at_descriptors(struct doctor *doctor) {
	struct rlimit most;
	if (getrlimit(RLIMIT_NOFILE, &most) != 0) {
		doctor_note(doctor, FINDING_WARN, "descriptors", NULL, "getrlimit: %s",
			strerror(errno));
	} else if (most.rlim_cur < DESCRIPTORS_WANTED) {
		doctor_note(doctor, FINDING_WARN, "descriptors",
			"ulimit -n 16384, LimitNOFILE=16384 (systemd), --ulimit nofile=16384 "
			"(docker).",
			"the limit is %llu open files: half as many connections, less some 120",
			(unsigned long long)most.rlim_cur);
	} else {
		doctor_note(doctor, FINDING_OK, "descriptors", NULL, "up to %llu open files",
			(unsigned long long)most.rlim_cur);
	}
}

/* Assets cross processes in such files. */
static void look_at_memory_files(struct doctor *doctor) {
	const int file = memory_file_open("doctor");
	if (file >= 0 && memory_file_write(file, "x", 1) && memory_file_seal(file)) {
		doctor_note(doctor, FINDING_OK, "memory files", NULL,
			"memfd_create works; /dev/shm is not needed");
	} else {
		doctor_note(doctor, FINDING_FAIL, "memory files",
			"Let the container's seccomp profile allow memfd_create (Linux 3.17).",
			"memfd_create: %s: no asset can be handed to the process that reads it",
			strerror(errno));
	}
	if (file >= 0) {
		close(file);
	}
}

static void look_at_sandbox(struct doctor *doctor) {
	const struct config *config = doctor->config;
	const struct importer_options options = {
		.sandbox = SANDBOX_REQUIRE, .seconds = config->import_seconds, .memory_bytes = 1};
	struct error err = {0};
	struct importer *importer =
		config->sandbox == SANDBOX_OFF ? NULL : importer_create(&options, &err);
	if (importer) {
		doctor_note(doctor, FINDING_OK, "sandbox", NULL,
			"assets are read in processes that can do nothing else (seccomp, limits)");
	} else if (config->sandbox == SANDBOX_OFF) {
		doctor_note(doctor, FINDING_WARN, "sandbox", "Leave --sandbox off away.",
			"--sandbox off: a fault in a decoder ends the daemon");
	} else {
		doctor_note(doctor,
			config->sandbox == SANDBOX_REQUIRE ? FINDING_FAIL : FINDING_WARN, "sandbox",
			"A kernel with CONFIG_SECCOMP_FILTER, and a container profile that allows "
			"seccomp() and prctl(), as docker's own does.",
			"%s", err.text);
	}
	importer_destroy(importer);
}

void doctor_look_at_machine(struct doctor *doctor) {
	look_at_instructions(doctor);
	look_at_threads(doctor);
	look_at_descriptors(doctor);
	look_at_memory_files(doctor);
	look_at_sandbox(doctor);
}
