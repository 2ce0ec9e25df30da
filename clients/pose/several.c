// Commands with several FILEs.
#include "several.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "asset.h"
#include "files.h"
#include "forms.h"
#include "offline.h"
#include "picture_kind.h"
#include "pictures.h"
#include "problem_print.h"
#include "progress.h"
#include "results.h"
#include "status.h"

/* The parent looks so often what there is to show at a terminal. */
#define LOOK_NS 50000000

/* Of a FILE that no process has ended. */
#define STATUS_NONE 255

/* --- Endings --- */

static const char *ending_of_picture(const struct arguments *arguments) {
	const struct picture_format *format;
	return picture_kind(arguments, &format) ? format->name : NULL;
}

static const char *ending_of(const struct sequence_choice *choice) {
	return choice->map_alone ? form_json.ending : choice->format->ending;
}

static const char *ending_of_sequence(const struct arguments *arguments) {
	struct sequence_choice choice;
	return sequence_kind(arguments, "apng", &choice) ? ending_of(&choice) : NULL;
}

static const char *ending_of_sheet(const struct arguments *arguments) {
	struct sequence_choice choice;
	return sheet_kind(arguments, &choice) ? ending_of(&choice) : NULL;
}

static const char *ending_of_vertices(const struct arguments *arguments) {
	const struct form *form = vertices_form(arguments);
	return !form ? NULL : form->ending ? form->ending : "bin";
}

static const char *ending_of_bake(const struct arguments *arguments) {
	return bake_form(arguments)->ending;
}

static const char *ending_of_glb(const struct arguments *arguments) {
	(void)arguments;
	return form_glb.ending;
}

static const char *ending_of_pose(const struct arguments *arguments) {
	(void)arguments;
	return form_json.ending;
}

/* The commands that take several FILEs, with the ending that results get without -o's. NULL = a
 * mistake, which has been said. */
static const struct kind {
	run_command *run;
	const char *(*ending)(const struct arguments *arguments);
} kinds[] = {
	{run_frame, ending_of_picture},
	{run_frames, ending_of_sequence},
	{run_turntable, ending_of_sequence},
	{run_sheet, ending_of_sheet},
	{run_pose, ending_of_pose},
	{run_vertices, ending_of_vertices},
	{run_mesh, ending_of_glb},
	{run_bake, ending_of_bake},
	{run_convert, ending_of_glb},
};

static const struct kind *find_kind(const struct command *command) {
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (kinds[i].run == command->run) {
			return &kinds[i];
		}
	}
	return NULL;
}

/* --- Targets --- */

bool several_are_given(const struct command *command, const struct arguments *arguments) {
	return find_kind(command) &&
		(arguments->plain_count > 2 ||
			(arguments->plain_count == 2 &&
				file_is_folder(arguments_value(arguments, "-o"))));
}

static bool refuse(const char *words, const char *subject) {
	fprintf(stderr, "pose: %s%s; see pose --help\n", words, subject);
	return false;
}

/* Checks the command line. */
static bool check(const struct arguments *arguments) {
	const char *folder = arguments_value(arguments, "-o");
	for (size_t i = 1; i < arguments->plain_count; i++) {
		if (!offline_is_file(arguments->plain[i]) || file_is_input(arguments->plain[i])) {
			return refuse("several have to be files, unlike ", arguments->plain[i]);
		}
	}
	if (!file_is_folder(folder)) {
		return refuse(
			"several files need a folder as -o, with / at its end if it is to be made",
			"");
	}
	if (arguments_value(arguments, "--show")) {
		return refuse("--show shows the picture of one file", "");
	}
	return true;
}

static bool make_folder(const struct arguments *arguments) {
	const char *folder = arguments_value(arguments, "-o");
	return mkdir(folder, 0777) == 0 || errno == EEXIST || problem_print_file(arguments, folder);
}

/* The paths of all results: [plain_count], the first unused. */
static const char *const *list_targets(
	const struct arguments *arguments, const char *ending, struct arena *arena) {
	const char *folder = arguments_value(arguments, "-o");
	const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
	const char **targets = arena_alloc(arena, arguments->plain_count, sizeof *targets);
	for (size_t i = 1; i < arguments->plain_count; i++) {
		targets[i] = arena_printf(arena, "%s%s%s.%s", folder, slash,
			asset_name(arena, arguments->plain[i]), ending);
	}
	return targets;
}

static int by_text(const void *a, const void *b) {
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool are_different(const char *const *targets, size_t count, struct arena *arena) {
	const char **sorted = arena_alloc(arena, count, sizeof *sorted);
	memcpy(sorted, targets + 1, (count - 1) * sizeof *sorted);
	qsort(sorted, count - 1, sizeof *sorted, by_text);
	for (size_t i = 1; i + 1 < count; i++) {
		if (strcmp(sorted[i - 1], sorted[i]) == 0) {
			return refuse("two files would both become ", sorted[i]);
		}
	}
	return true;
}

/* --- Processes --- */

/* Shared by the processes. */
struct queue {
	atomic_size_t next; // FILE, from 1
	atomic_size_t done;
	atomic_uchar statuses[]; // [plain_count] of each FILE
};

static size_t core_count(void) {
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	return cores > 0 ? (size_t)cores : 1;
}

/* Takes FILEs until none is left. */
static void work(const struct command *command, const struct arguments *arguments,
	const char *const *targets, struct queue *queue) {
	for (size_t i; (i = atomic_fetch_add(&queue->next, 1)) < arguments->plain_count;) {
		const char *plain[] = {arguments->plain[0], arguments->plain[i]};
		struct arguments one = *arguments;
		one.plain = plain;
		one.plain_count = 2;
		arguments_set(&one, "-o", targets[i]);
		atomic_store(&queue->statuses[i], (unsigned char)command->run(command, &one));
		atomic_fetch_add(&queue->done, 1);
	}
}

static void await(size_t started, const struct queue *queue, size_t count) {
	const bool shown = isatty(STDERR_FILENO);
	const struct timespec a_while = {.tv_nsec = LOOK_NS};
	while (started > 0) {
		const pid_t ended = waitpid(-1, NULL, shown ? WNOHANG : 0);
		started -= ended > 0;
		if (ended == 0) {
			progress_show("%zu of %zu files", atomic_load(&queue->done), count);
			nanosleep(&a_while, NULL);
		} else if (ended < 0 && errno != EINTR) {
			break;
		}
	}
	progress_end();
}

/* Starts the processes and waits for them. */
static void run_processes(const struct command *command, const struct arguments *arguments,
	const char *const *targets, struct queue *queue) {
	const size_t files = arguments->plain_count - 1, cores = core_count();
	const size_t wanted = files < cores ? files : cores;
	size_t started = 0;
	fflush(NULL);
	while (wanted > 1 && started < wanted) {
		const pid_t process = fork();
		if (process == 0) {
			work(command, arguments, targets, queue);
			fflush(NULL);
			_exit(0);
		}
		if (process < 0) {
			break;
		}
		started++;
	}
	if (started == 0) {
		work(command, arguments, targets, queue);
	}
	await(started, queue, files);
}

/* The status of the first FILE that failed. A process that died has left one without. */
static int collect(const struct arguments *arguments, struct queue *queue) {
	int status = STATUS_OK;
	for (size_t i = 1; i < arguments->plain_count; i++) {
		int own = atomic_load(&queue->statuses[i]);
		if (own == STATUS_NONE) {
			fprintf(stderr, "pose: %s: the process that worked on it ended\n",
				arguments->plain[i]);
			own = STATUS_FAILED;
		}
		status = status == STATUS_OK ? own : status;
	}
	return status;
}

int several_run(const struct command *command, const struct arguments *arguments) {
	struct arguments without = *arguments;
	if (!check(arguments)) {
		return STATUS_USAGE;
	}
	arguments_set(&without, "-o", NULL);
	const char *ending = find_kind(command)->ending(&without);
	struct arena *arena = arena_create();
	const char *const *targets = ending ? list_targets(arguments, ending, arena) : NULL;
	int status = STATUS_USAGE;
	if (targets && are_different(targets, arguments->plain_count, arena) &&
		make_folder(arguments)) {
		const size_t bytes = sizeof(struct queue) + arguments->plain_count;
		struct queue *queue = mmap(
			NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (queue == MAP_FAILED) {
			problem_print_file(arguments, arguments_value(arguments, "-o"));
			status = STATUS_FAILED;
		} else {
			memset(queue, STATUS_NONE, bytes);
			atomic_store(&queue->next, 1);
			atomic_store(&queue->done, 0);
			run_processes(command, arguments, targets, queue);
			status = collect(arguments, queue);
			munmap(queue, bytes);
		}
	}
	arena_destroy(arena);
	return status;
}
