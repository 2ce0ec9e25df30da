// `pose watch FILE [RIG]`.
#include "commands.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "asset.h"
#include "base/arena.h"
#include "files.h"
#include "pictures.h"
#include "problem_print.h"
#include "status.h"

/* A file is looked at when nobody has touched it for so long: programs write in pieces. */
#define QUIET_MS 100

/* A file by its name within a folder that is watched. */
struct place {
	int folder;       // watch descriptor
	const char *name; // NULL = there is none
};

struct watch {
	const struct arguments *arguments;
	struct place own, target;   // as it is named, and where links lead
	char target_path[PATH_MAX]; // whose end is the target's name
	int events, signals;        // file descriptors
};

static bool draws(const struct arguments *arguments) {
	return arguments_value(arguments, "-o") || arguments_value(arguments, "--show");
}

static int put(const struct arguments *arguments, const char *rig) {
	struct buffer asset = {0};
	int status = asset_read(arguments, arguments->plain[1], &asset);
	if (status == STATUS_OK) {
		status = rigs_put(arguments, rig, &asset);
	}
	buffer_finish(&asset);
	return status;
}

/* Whatever is wrong has been said. The exit status. */
static int look(const struct arguments *arguments) {
	const char *path = arguments->plain[1];
	const char *rig = arguments->plain_count > 2 ? arguments->plain[2] : NULL;
	int status = rig ? put(arguments, rig) : STATUS_OK;
	if (status == STATUS_OK && draws(arguments)) {
		status = rig ? pictures_draw_rig(arguments, rig)
			     : pictures_draw_file(arguments, path);
	}
	if (status == STATUS_OK) {
		fprintf(stderr, "pose: %s: %s\n", path, draws(arguments) ? "drawn" : "put");
	}
	return status;
}

static bool is_at(const struct place *place, const struct inotify_event *event) {
	return place->name && event->wd == place->folder && event->len > 0 &&
		strcmp(event->name, place->name) == 0;
}

/* True when the events say that the file was written or replaced. */
static bool has_changed(const struct watch *watch) {
	char events[16 * (sizeof(struct inotify_event) + NAME_MAX + 1)]
		__attribute__((aligned(__alignof__(struct inotify_event))));
	bool changed = false;
	const ssize_t size = read(watch->events, events, sizeof events);
	for (ssize_t at = 0; at < size;) {
		const struct inotify_event *event = (const void *)(events + at);
		changed |= (event->mask & IN_Q_OVERFLOW) != 0 || is_at(&watch->own, event) ||
			is_at(&watch->target, event);
		at += (ssize_t)sizeof *event + event->len;
	}
	return changed;
}

/* Waits until the file was changed and is quiet again. False when it is time to end. */
static bool await_change(const struct watch *watch) {
	struct pollfd ready[] = {
		{.fd = watch->signals, .events = POLLIN},
		{.fd = watch->events, .events = POLLIN},
	};
	bool changed = false;
	for (;;) {
		const int count = poll(ready, 2, changed ? QUIET_MS : -1);
		if (ready[0].revents || (count < 0 && errno != EINTR)) {
			return false;
		}
		if (count == 0) {
			return true;
		}
		changed |= count > 0 && ready[1].revents && has_changed(watch);
	}
}

/* The folder is watched and not the file, which editors replace by another of its name. */
static bool watch_place(
	const struct watch *watch, const char *path, struct arena *arena, struct place *place) {
	const char *slash = strrchr(path, '/');
	const char *folder = slash == path ? "/"
		: slash                    ? arena_strndup(arena, path, (size_t)(slash - path))
					   : ".";
	place->name = slash ? slash + 1 : path;
	place->folder = inotify_add_watch(watch->events, folder, IN_CLOSE_WRITE | IN_MOVED_TO);
	return place->folder >= 0 || problem_print_file(watch->arguments, folder);
}

/* Watches also where the file is, if it is a link, which may lead elsewhere each time. */
static bool watch_target(struct watch *watch, struct arena *arena) {
	watch->target.name = NULL;
	return !realpath(watch->arguments->plain[1], watch->target_path) ||
		watch_place(watch, watch->target_path, arena, &watch->target);
}

static bool open_watch(struct watch *watch, struct arena *arena) {
	sigset_t ends;
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	watch->signals = signalfd(-1, &ends, SFD_CLOEXEC);
	watch->events = inotify_init1(IN_CLOEXEC);
	if (watch->signals < 0 || watch->events < 0) {
		return problem_print_file(watch->arguments, watch->arguments->plain[1]);
	}
	return watch_place(watch, watch->arguments->plain[1], arena, &watch->own);
}

/* Looks at the file each time that it changes, until it is time to end. The exit status; only wrong
 * usage and the lack of a driver end it by itself, since no change of the file would mend them. */
static int keep_looking(struct watch *watch, struct arena *arena) {
	do {
		if (!watch_target(watch, arena)) {
			return STATUS_FAILED;
		}
		const int status = look(watch->arguments);
		if (status == STATUS_USAGE || status == STATUS_NO_DRIVER) {
			return status;
		}
	} while (await_change(watch));
	return STATUS_OK;
}

/* True when an option concerns a picture or its pose. */
static bool describes_picture(const struct arguments *arguments) {
	const struct options *options = arguments->options;
	for (size_t i = 0; i < options->count; i++) {
		if (arguments->values[i] && options->items[i].group != GROUP_PROGRAM) {
			return true;
		}
	}
	return false;
}

static bool check(const struct arguments *arguments) {
	if (file_is_input(arguments->plain[1])) {
		fprintf(stderr,
			"pose: a FILE that changes is watched, and standard input is none\n");
		return false;
	}
	if (arguments->plain_count > 2 && arguments_value(arguments, "--uses")) {
		fprintf(stderr, "pose: --uses is of a FILE that is drawn here, not of a RIG\n");
		return false;
	}
	const bool drawn = draws(arguments);
	if (!drawn && (arguments->plain_count < 3 || describes_picture(arguments))) {
		fprintf(stderr, "pose: where does the picture go? say it with -o or --show\n");
		return false;
	}
	return true;
}

int run_watch(const struct command *command, const struct arguments *arguments) {
	(void)command;
	struct watch watch = {.arguments = arguments, .events = -1, .signals = -1};
	struct arena *arena = arena_create();
	int status = check(arguments) ? STATUS_FAILED : STATUS_USAGE;
	if (status == STATUS_FAILED && open_watch(&watch, arena)) {
		status = keep_looking(&watch, arena);
	}
	if (watch.events >= 0) {
		close(watch.events);
	}
	if (watch.signals >= 0) {
		close(watch.signals);
	}
	arena_destroy(arena);
	return status;
}
