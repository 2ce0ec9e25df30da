// Milliseconds and memory that it takes to import files: those named as arguments, else the demo
// rigs and some of the real files, where they are.
//
// Each file gets a process of its own, so that no import profits from the memory of the one before.
// Its first import is measured for memory, and the median of the following ones for time.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "import/import.h"

#define ROUNDS 21

/* Files that real users have, below POSED_SHARED_FILES: many clips, many vertices, small ones. */
static const char *const shared_files[] = {
	"kaykit-adventurers/Characters/gltf/Knight.glb",
	"derived-public-fox/Fox.subdivided3.glb",
	"khronos-Fox/glTF-Binary/Fox.glb",
	"derived-public-fox/Fox.datauri.gltf",
	"raylib/gltf/robot.glb",
	"godot-mannequiny/mannequiny.glb",
};

static const char *const demo_files[] = {
	"assets/demo/humanoid.glb",
	"assets/demo/head.glb",
	"assets/demo/tube23.glb",
};

static struct buffer read_file(const char *path) {
	struct buffer file = {0};
	FILE *stream = fopen(path, "rb");
	if (!stream) {
		perror(path);
		exit(1);
	}
	fseek(stream, 0, SEEK_END);
	const size_t size = (size_t)ftell(stream);
	rewind(stream);
	file.size = fread(buffer_reserve(&file, size), 1, size, stream);
	fclose(stream);
	return file;
}

/* Milliseconds of imports: by the clock on the wall, and of the processor. */
struct taken {
	double wall, cpu;
};

static double cpu_now_s(void) {
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static struct taken import_once(const struct buffer *file) {
	struct error err = {0};
	const double wall = clock_now_s(), cpu = cpu_now_s();
	struct rig *rig = import_rig(file->data, file->size, &err);
	const struct taken taken = {(clock_now_s() - wall) * 1e3, (cpu_now_s() - cpu) * 1e3};
	if (!rig) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	rig_release(rig);
	return taken;
}

static int ascending(const void *a, const void *b) {
	const double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

static struct taken median(const struct buffer *file) {
	double wall[ROUNDS], cpu[ROUNDS];
	for (int i = 0; i < ROUNDS; i++) {
		const struct taken taken = import_once(file);
		wall[i] = taken.wall;
		cpu[i] = taken.cpu;
	}
	qsort(wall, ROUNDS, sizeof *wall, ascending);
	qsort(cpu, ROUNDS, sizeof *cpu, ascending);
	return (struct taken){wall[ROUNDS / 2], cpu[ROUNDS / 2]};
}

static size_t resident_bytes(void) {
	size_t all, resident = 0;
	FILE *stream = fopen("/proc/self/statm", "r");
	if (!stream || fscanf(stream, "%zu %zu", &all, &resident) != 2) {
		fprintf(stderr, "cannot read /proc/self/statm\n");
		exit(1);
	}
	fclose(stream);
	return resident * (size_t)sysconf(_SC_PAGESIZE);
}

static size_t peak_bytes(void) {
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return (size_t)usage.ru_maxrss << 10;
}

static size_t picture_bytes(const struct rig *rig) {
	size_t bytes = 0;
	for (int i = 0; i < rig->image_count; i++) {
		bytes += (size_t)rig->images[i].width * (size_t)rig->images[i].height * 4;
	}
	return bytes;
}

/* Brings in the code, which is there in a daemon that has been running for a while. */
static void import_nothing(void) {
	static const char document[] = "{\"asset\": {\"version\": \"2.0\"}}";
	rig_release(import_rig(document, sizeof document - 1, NULL));
}

/* The growth is that of a process which had no rig; the file is in it. */
static void measure(const char *path) {
	import_nothing();
	const size_t idle = resident_bytes();
	const struct buffer file = read_file(path);
	struct error err = {0};
	struct rig *rig = import_rig(file.data, file.size, &err);
	if (!rig) {
		fprintf(stderr, "%s: %s\n", path, err.text);
		exit(1);
	}
	const double growth = (double)(peak_bytes() - idle), pictures = (double)picture_bytes(rig);
	const double of_file = (growth - pictures) / (double)file.size;
	const int vertices = rig->vertex_count, clips = rig->clip_count;
	rig_release(rig);
	const struct taken taken = median(&file);
	printf("%8.2f %8.2f %8.2f %9.2f %9.2f %7.2f %9d %5d  %s\n", taken.wall, taken.cpu,
		(double)file.size * 1e-6, growth * 1e-6, pictures * 1e-6, of_file, vertices, clips,
		path);
}

static int measure_apart(const char *path) {
	fflush(stdout);
	const pid_t child = fork();
	if (child == 0) {
		measure(path);
		exit(0);
	}
	int status = 1;
	waitpid(child, &status, 0);
	return status;
}

static int measure_those_there(const char *folder, const char *const *names, size_t count) {
	int failed = 0;
	for (size_t i = 0; i < count; i++) {
		char path[4096];
		snprintf(path, sizeof path, "%s%s", folder, names[i]);
		if (access(path, R_OK) == 0) {
			failed |= measure_apart(path);
		}
	}
	return failed;
}

static int measure_default(void) {
	const char *shared = getenv("POSED_SHARED_FILES");
	char folder[2048];
	snprintf(folder, sizeof folder, "%s/", shared ? shared : "../shared/files");
	return measure_those_there("", demo_files, sizeof demo_files / sizeof *demo_files) |
		measure_those_there(
			folder, shared_files, sizeof shared_files / sizeof *shared_files);
}

int main(int argc, char **argv) {
	printf("importing, medians; growth is of the peak of a process that holds the file, "
	       "too;\n");
	printf("x file is the growth without the pictures, as a multiple of the file\n");
	printf("%8s %8s %8s %9s %9s %7s %9s %5s\n", "wall ms", "CPU ms", "file MB", "growth MB",
		"pictures", "x file", "vertices", "clips");
	int failed = argc > 1 ? 0 : measure_default();
	for (int i = 1; i < argc; i++) {
		failed |= measure_apart(argv[i]);
	}
	return failed != 0;
}
