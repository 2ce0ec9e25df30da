// The doctor's look at the data directory, and at where drivers keep compiled shaders.
#include "doctor/doctor_folders.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "doctor/doctor_note.h"

/* Room on the disk from which on there is nothing to say. */
#define ROOM_WANTED_GIB 1.0

/* The directory itself, or the nearest above it that is there: what decides over making it. */
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

/* Whether files can be made in a directory, or the directory itself: 0 or an errno. *where is the
 * directory that decides. */
static int try_directory(struct doctor *doctor, const char *path, const char **where) {
	*where = nearest_directory(doctor, path);
	struct stat status;
	if (stat(*where, &status) != 0) {
		return errno;
	}
	if (!S_ISDIR(status.st_mode)) {
		return ENOTDIR;
	}
	// Really made, and gone at once: permissions do not tell of everything.
	char *probe = doctor_text(doctor, "%s/.posed-doctor-XXXXXX", *where);
	if (!mkdtemp(probe)) {
		return errno;
	}
	return rmdir(probe) == 0 ? 0 : errno;
}

/* Without making a lock that is not there. */
static bool is_locked(struct doctor *doctor, const char *path) {
	const int lock = open(doctor_text(doctor, "%s/lock", path), O_RDONLY | O_CLOEXEC);
	const bool locked = lock >= 0 && flock(lock, LOCK_SH | LOCK_NB) != 0;
	if (lock >= 0) {
		close(lock); // and with it the lock
	}
	return locked;
}

static void look_at_room(struct doctor *doctor, const char *where) {
	struct statvfs room;
	if (statvfs(where, &room) != 0) {
		return;
	}
	const double gib = (double)room.f_bavail * (double)room.f_frsize / (1 << 30);
	const bool little = gib < ROOM_WANTED_GIB || (room.f_files > 0 && room.f_favail < 100);
	doctor_note(doctor, little ? FINDING_WARN : FINDING_OK, "disk",
		little ? "Rigs that find no room are answered with 507: clear up, or move --data."
		       : NULL,
		"%.1f GiB are free%s", gib,
		room.f_files > 0 && room.f_favail < 100 ? ", but hardly any inodes" : "");
}

/* Whether there are rigs that can be read. */
static bool has_rigs(struct doctor *doctor, const char *path) {
	return access(doctor_text(doctor, "%s/rigs", path), R_OK | X_OK) == 0 &&
		access(doctor_text(doctor, "%s/objects", path), R_OK | X_OK) == 0;
}

static void look_at_read_only_data(struct doctor *doctor, const char *path) {
	if (has_rigs(doctor, path)) {
		doctor_note(
			doctor, FINDING_OK, "data", NULL, "rigs in %s are served read-only", path);
	} else {
		doctor_note(doctor, FINDING_FAIL, "data",
			"Give --data a directory that another posed has written.",
			"%s has no rigs/ and objects/ that can be read", path);
	}
}

static const char *data_advice(struct doctor *doctor, int failure, const char *where) {
	if (failure != ENOTDIR && has_rigs(doctor, doctor->config->data)) {
		return "Make it writable, or serve the rigs that are there with --read-only.";
	}
	if (failure == EROFS || failure == ENOENT) {
		return "Mount a volume there that may be written to (docker -v rigs:PATH), or give "
		       "--data another directory.";
	}
	if (failure == ENOTDIR) {
		return "Give --data a directory.";
	}
	return doctor_text(doctor,
		"posed runs as user %u: chown %u %s, or give --data a directory of its own.",
		(unsigned)geteuid(), (unsigned)geteuid(), where);
}

static void look_at_data(struct doctor *doctor) {
	const char *path = doctor->config->data, *where;
	if (doctor->config->read_only) {
		look_at_read_only_data(doctor, path);
		return;
	}
	const int failure = try_directory(doctor, path, &where);
	if (failure) {
		doctor_note(doctor, FINDING_FAIL, "data", data_advice(doctor, failure, where),
			"rigs cannot be kept in %s: %s: %s", path, where, strerror(failure));
		return;
	}
	if (is_locked(doctor, path)) {
		doctor_note(doctor, FINDING_WARN, "data",
			"Nothing, if that is the daemon you mean; a second one needs a --data of "
			"its own.",
			"%s is in use: a posed holds its lock", path);
	} else {
		doctor_note(doctor, FINDING_OK, "data", NULL, "rigs %s %s",
			strcmp(where, path) == 0 ? "are kept in" : "will be kept in a new", path);
	}
	look_at_room(doctor, where);
}

/* Where Mesa keeps compiled shaders; NULL when it does not. */
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

static void look_at_shader_cache(struct doctor *doctor) {
	static const char advice[] =
		"Set MESA_SHADER_CACHE_DIR (or HOME) to a directory that posed may write to and "
		"that outlives it.";
	const char *disabled = getenv("MESA_SHADER_CACHE_DISABLE");
	const char *path = shader_cache(doctor), *where = "";
	const int failure = path ? try_directory(doctor, path, &where) : 0;
	if (disabled && (strcmp(disabled, "true") == 0 || strcmp(disabled, "1") == 0)) {
		doctor_note(doctor, FINDING_WARN, "shader cache",
			"Unset MESA_SHADER_CACHE_DISABLE.",
			"it is switched off: each start compiles all shaders anew");
	} else if (!path || failure) {
		doctor_note(doctor, FINDING_WARN, "shader cache", advice,
			"nowhere to keep compiled shaders (%s%s%s), each start takes longer",
			path ? where : "no home directory", path ? ": " : "",
			path ? strerror(failure) : "");
	} else {
		doctor_note(doctor, FINDING_OK, "shader cache", NULL, "Mesa's is %s", path);
	}
}

void doctor_look_at_folders(struct doctor *doctor) {
	look_at_data(doctor);
	look_at_shader_cache(doctor);
}
