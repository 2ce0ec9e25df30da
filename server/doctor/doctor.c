// posed doctor: checks the machine part by part and prints findings.
#include "doctor/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "doctor/doctor_internal.h"
#include "sandbox/importer.h"
#include "version.h"

enum { EXIT_MISSING = 1 };

static void print(const struct finding *finding) {
	printf("%-4s  %-12s - %s\n", finding_level_name(finding->level), finding->what,
		finding->says);
	if (finding->advice) {
		printf("                     %s\n", finding->advice);
	}
	fflush(stdout);
}

void doctor_note(struct doctor *doctor, enum finding_level level, const char *what,
	const char *advice, const char *format, ...) {
	if (doctor->count == FINDINGS_MAX) {
		return;
	}
	char text[2000];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	struct finding *finding = &doctor->findings[doctor->count++];
	*finding = (struct finding){
		.level = level,
		.what = arena_strndup(doctor->arena, what, strlen(what)),
		.says = arena_strndup(doctor->arena, text, strlen(text)),
		.advice = advice,
	};
	doctor->failed |= level == FINDING_FAIL;
	if (!doctor->quiet) {
		print(finding);
	}
}

/* Many more descriptors than a daemon with a hundred clients needs. */
#define MIN_DESCRIPTORS 1024

static void check_instructions(struct doctor *doctor) {
	if (renderer_cpu_lanes() == 8) {
		doctor_note(doctor, FINDING_OK, "processor", NULL,
			"AVX2 is available: the CPU skins eight vertices at a time");
	} else {
		doctor_note(doctor, FINDING_WARN, "processor",
			"Virtual machines: pass the host's processor through (QEMU: -cpu host).",
			"no AVX2: skinning on the CPU takes about one and a half times as long");
	}
}

/* Cores that the control group allows; 0 = no limit. */
static double core_limit(void) {
	FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
	double limit = 0, period = 0;
	if (file) {
		if (fscanf(file, "%lf %lf", &limit, &period) != 2) {
			limit = 0; // "max"
		}
		fclose(file);
	}
	return period > 0 ? limit / period : 0;
}

static void check_threads(struct doctor *doctor) {
	cpu_set_t set;
	int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
	if (sched_getaffinity(0, sizeof set, &set) == 0) {
		cores = CPU_COUNT(&set);
	}
	const double allowed = core_limit();
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

static void check_descriptors(struct doctor *doctor) {
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
		doctor_note(doctor, FINDING_WARN, "descriptors", NULL, "getrlimit: %s",
			strerror(errno));
	} else if (limit.rlim_cur < MIN_DESCRIPTORS) {
		doctor_note(doctor, FINDING_WARN, "descriptors",
			"ulimit -n 16384, LimitNOFILE=16384 (systemd), --ulimit nofile=16384 "
			"(docker).",
			"the limit is %llu open files: half as many connections, less some 120",
			(unsigned long long)limit.rlim_cur);
	} else {
		doctor_note(doctor, FINDING_OK, "descriptors", NULL, "up to %llu open files",
			(unsigned long long)limit.rlim_cur);
	}
}

/* Assets are passed between processes in memory files. */
static void check_memory_files(struct doctor *doctor) {
	const int file = memory_file_open("doctor");
	if (file >= 0 && memory_file_write(file, "x", 1) && memory_file_seal(file)) {
		doctor_note(doctor, FINDING_OK, "memory files", NULL,
			"memfd_create works; /dev/shm is not needed");
	} else {
		doctor_note(doctor, FINDING_FAIL, "memory files",
			"Let the container's seccomp profile allow memfd_create (Linux 3.17).",
			"memfd_create: %s: assets cannot be passed to the process that reads them",
			strerror(errno));
	}
	if (file >= 0) {
		close(file);
	}
}

static void check_sandbox(struct doctor *doctor) {
	const struct config *config = doctor->config;
	const struct importer_options options = {
		.sandbox = SANDBOX_REQUIRE, .seconds = config->import_seconds, .memory_bytes = 1};
	struct error err = {0};
	struct importer *importer =
		config->sandbox == SANDBOX_OFF ? NULL : importer_create(&options, &err);
	if (importer) {
		doctor_note(doctor, FINDING_OK, "sandbox", NULL,
			"assets are read in sandboxed processes (seccomp, limits)");
	} else if (config->sandbox == SANDBOX_OFF) {
		doctor_note(doctor, FINDING_WARN, "sandbox", "Remove --sandbox off.",
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

static void check_machine(struct doctor *doctor) {
	check_instructions(doctor);
	check_threads(doctor);
	check_descriptors(doctor);
	check_memory_files(doctor);
	check_sandbox(doctor);
}

/* Free disk space below which there is a warning. */
#define MIN_FREE_GIB 1.0

/* The directory itself, or its nearest existing parent, whose permissions decide on making it. */
static const char *nearest_directory(struct doctor *doctor, const char *path) {
	char *near = arena_strndup(doctor->arena, path, strlen(path));
	struct stat status;
	while (stat(near, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
		char *slash = strrchr(near, '/');
		if (!slash) {
			return ".";
		}
		if (slash == near) {
			return "/";
		}
		*slash = '\0';
	}
	return near;
}

/* Checks that files can be made in a directory, or the directory itself: 0 or an errno. *where is
 * the directory whose permissions decide. */
static int try_directory(struct doctor *doctor, const char *path, const char **where) {
	*where = nearest_directory(doctor, path);
	struct stat status;
	if (stat(*where, &status) != 0) {
		return errno;
	}
	if (!S_ISDIR(status.st_mode)) {
		return ENOTDIR;
	}
	// Permissions do not tell everything: really make a directory.
	char *probe = doctor_text(doctor, "%s/.posed-doctor-XXXXXX", *where);
	if (!mkdtemp(probe)) {
		return errno;
	}
	return rmdir(probe) == 0 ? 0 : errno;
}

/* Creates no lock file. */
static bool is_locked(struct doctor *doctor, const char *path) {
	const int lock = open(doctor_text(doctor, "%s/lock", path), O_RDONLY | O_CLOEXEC);
	const bool locked = lock >= 0 && flock(lock, LOCK_SH | LOCK_NB) != 0;
	if (lock >= 0) {
		close(lock); // and with it the lock
	}
	return locked;
}

static void check_space(struct doctor *doctor, const char *where) {
	struct statvfs space;
	if (statvfs(where, &space) != 0) {
		return;
	}
	const double gib = (double)space.f_bavail * (double)space.f_frsize / (1 << 30);
	const bool low = gib < MIN_FREE_GIB || (space.f_files > 0 && space.f_favail < 100);
	doctor_note(doctor, low ? FINDING_WARN : FINDING_OK, "disk",
		low ? "Uploads fail with 507 when the disk is full: make room, or move --data."
		    : NULL,
		"%.1f GiB are free%s", gib,
		space.f_files > 0 && space.f_favail < 100 ? ", but hardly any inodes" : "");
}

static bool has_rigs(struct doctor *doctor, const char *path) {
	return access(doctor_text(doctor, "%s/rigs", path), R_OK | X_OK) == 0 &&
		access(doctor_text(doctor, "%s/objects", path), R_OK | X_OK) == 0;
}

static void check_read_only_data(struct doctor *doctor, const char *path) {
	if (has_rigs(doctor, path)) {
		doctor_note(doctor, FINDING_OK, "data", NULL, "rigs in %s can be served read-only",
			path);
	} else {
		doctor_note(doctor, FINDING_FAIL, "data",
			"Give --data the directory of another posed.",
			"%s has no readable rigs/ and objects/", path);
	}
}

static const char *data_advice(struct doctor *doctor, int failure, const char *where) {
	if (failure != ENOTDIR && has_rigs(doctor, doctor->config->data)) {
		return "Make it writable, or serve its rigs with --read-only.";
	}
	if (failure == EROFS || failure == ENOENT) {
		return "Mount a writable volume there (docker -v rigs:PATH), or give "
		       "--data another directory.";
	}
	if (failure == ENOTDIR) {
		return "Give --data a directory.";
	}
	return doctor_text(doctor,
		"posed runs as user %u: chown %u %s, or give --data a directory of its own.",
		(unsigned)geteuid(), (unsigned)geteuid(), where);
}

static void check_data(struct doctor *doctor) {
	const char *path = doctor->config->data, *where;
	if (doctor->config->read_only) {
		check_read_only_data(doctor, path);
		return;
	}
	const int failure = try_directory(doctor, path, &where);
	if (failure) {
		doctor_note(doctor, FINDING_FAIL, "data", data_advice(doctor, failure, where),
			"rigs cannot be stored in %s: %s: %s", path, where, strerror(failure));
		return;
	}
	if (is_locked(doctor, path)) {
		doctor_note(doctor, FINDING_WARN, "data",
			"If a second daemon is to run, give it another --data.",
			"%s is in use: a posed holds its lock", path);
	} else {
		doctor_note(doctor, FINDING_OK, "data", NULL, "rigs %s %s",
			strcmp(where, path) == 0 ? "are stored in" : "will be stored in a new",
			path);
	}
	check_space(doctor, where);
}

/* Mesa's directory of compiled shaders; NULL = none. */
static const char *shader_cache(struct doctor *doctor) {
	const char *own = getenv("MESA_SHADER_CACHE_DIR");
	const char *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	if (own) {
		return own;
	}
	if (cache) {
		return doctor_text(doctor, "%s/mesa_shader_cache", cache);
	}
	const struct passwd *user = home ? NULL : getpwuid(geteuid());
	home = user ? user->pw_dir : home;
	return home ? doctor_text(doctor, "%s/.cache/mesa_shader_cache", home) : NULL;
}

static void check_shader_cache(struct doctor *doctor) {
	static const char advice[] =
		"Set MESA_SHADER_CACHE_DIR (or HOME) to a persistent directory that posed may "
		"write to.";
	const char *disabled = getenv("MESA_SHADER_CACHE_DISABLE");
	const char *path = shader_cache(doctor), *where = "";
	const int failure = path ? try_directory(doctor, path, &where) : 0;
	if (disabled && (strcmp(disabled, "true") == 0 || strcmp(disabled, "1") == 0)) {
		doctor_note(doctor, FINDING_WARN, "shader cache",
			"Unset MESA_SHADER_CACHE_DISABLE.",
			"it is disabled: each start compiles all shaders again");
	} else if (!path || failure) {
		doctor_note(doctor, FINDING_WARN, "shader cache", advice,
			"compiled shaders cannot be cached (%s%s%s): each start takes longer",
			path ? where : "no home directory", path ? ": " : "",
			path ? strerror(failure) : "");
	} else {
		doctor_note(doctor, FINDING_OK, "shader cache", NULL, "Mesa's is %s", path);
	}
}

static void check_folders(struct doctor *doctor) {
	check_data(doctor);
	check_shader_cache(doctor);
}

static void print_help(void) {
	printf("usage: posed doctor [--json] [OPTION VALUE]...\n\n"
	       "Checks this machine for a daemon with the same options (posed --help), renders\n"
	       "with every driver it finds, and says what is missing and what to do.\n\n"
	       "exit status: 0 a daemon would start and draw, 1 it would not, 2 wrong arguments\n");
}

static void check_graphics(struct doctor *doctor) {
	struct graphics_facts *facts = xcalloc(1, sizeof *facts);
	doctor_probe(doctor->config->renderer, facts);
	doctor_judge_graphics(doctor, facts);
	free(facts);
}

static bool check(const struct config *config, bool json) {
	struct doctor *doctor = xcalloc(1, sizeof *doctor);
	doctor->config = config;
	doctor->arena = arena_create();
	doctor->quiet = json;
	doctor_note(doctor, FINDING_OK, "version", NULL, "posed %s", POSED_VERSION);
	check_machine(doctor);
	check_folders(doctor);
	check_graphics(doctor);
	if (json) {
		struct buffer text = {0};
		findings_write(doctor->findings, doctor->count, !doctor->failed, &text);
		printf("%.*s\n", (int)text.size, (const char *)text.data);
		buffer_finish(&text);
	}
	const bool ok = !doctor->failed;
	arena_destroy(doctor->arena);
	free(doctor);
	return ok;
}

int doctor_main(int argument_count, char **arguments) {
	if (config_take_flag(&argument_count, arguments, "--help")) {
		print_help();
		return EXIT_SUCCESS;
	}
	const bool json = config_take_flag(&argument_count, arguments, "--json");
	struct config config;
	int status;
	if (!config_read_or_end(argument_count, arguments, "posed doctor", &config, &status)) {
		return status;
	}
	// As in the daemon, so that measurements hold there.
	setenv("LP_NUM_THREADS", "0", 0);
	const bool ok = check(&config, json);
	config_finish(&config);
	return ok ? EXIT_SUCCESS : EXIT_MISSING;
}
