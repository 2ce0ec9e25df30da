// Bytes, errors and times of compressed clips.
//
// bench_clips [--tolerance METRES] [--segment SAMPLES] [--codec NAME] [--ways NUMBER] [--set]
//             [--skin kept|free] FILE...
// bench_clips [--tolerance METRES] [--segment SAMPLES] [--codec NAME] --against TABLE
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/memory.h"
#include "compress/compress.h"
#include "compress/source.h"
#include "pclip.h"
#include "renderer.h"

static struct rig *read_rig(const char *path) {
	struct buffer bytes = {0};
	struct error err = {0};
	FILE *file = fopen(path, "rb");
	char piece[65536];
	for (size_t count; file && (count = fread(piece, 1, sizeof piece, file)) > 0;) {
		buffer_append(&bytes, piece, count);
	}
	struct rig *rig = renderer_import(bytes.data, bytes.size, &err);
	if (file) {
		fclose(file);
	}
	buffer_finish(&bytes);
	if (!rig) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	return rig;
}

static double now_s(void) {
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A clip in the form of peers: "CDMP", joints, samples (u32), rate, tolerance and shell (f32),
 * parents (i32), rest transforms and samples of all joints (translation, rotation, scale; f32), as
 * a rig with one clip. */
static struct rig *read_samples(const char *path, double *shell_m) {
	unsigned counts[2];
	float facts[3];
	char magic[4];
	FILE *file = fopen(path, "rb");
	struct error err = {0};
	if (!file || fread(magic, 4, 1, file) != 1 || fread(counts, sizeof counts, 1, file) != 1 ||
		fread(facts, sizeof facts, 1, file) != 1) {
		fprintf(stderr, "%s cannot be read\n", path);
		exit(1);
	}
	const size_t joints = counts[0], samples = counts[1];
	struct rig *rig = rig_create();
	rig->joint_count = (int)joints;
	rig->joints = rig_storage(rig, joints, sizeof *rig->joints, "joints", &err);
	rig->clips = rig_storage(rig, 1, sizeof *rig->clips, "clips", &err);
	rig->clip_count = 1;
	for (size_t i = 0; i < joints; i++) {
		char name[32];
		snprintf(name, sizeof name, "joint %zu", i);
		rig->joints[i].name = strdup(name);
		if (fread(&rig->joints[i].parent, 4, 1, file) != 1) {
			exit(1);
		}
	}
	for (size_t i = 0; i < joints; i++) {
		if (fread(&rig->joints[i].rest, 40, 1, file) != 1) {
			exit(1);
		}
	}
	struct clip *clip = rig->clips;
	struct transform *all = xcalloc(samples * joints, sizeof *all);
	if (fread(all, sizeof *all, samples * joints, file) != samples * joints) {
		exit(1);
	}
	fclose(file);
	float *times = rig_storage(rig, samples, sizeof *times, "times", &err);
	for (size_t i = 0; i < samples; i++) {
		times[i] = (float)((double)i / (double)facts[0]);
	}
	clip->name = strdup("clip");
	clip->duration_s = (double)times[samples - 1];
	clip->channel_count = (int)(3 * joints);
	clip->channels = xcalloc(3 * joints, sizeof *clip->channels);
	for (size_t i = 0; i < 3 * joints; i++) {
		const int width = i % 3 == 1 ? 4 : 3, at = i % 3 == 0 ? 0 : i % 3 == 1 ? 3 : 7;
		float *values =
			rig_storage(rig, samples * (size_t)width, sizeof *values, "values", &err);
		for (size_t k = 0; k < samples; k++) {
			memcpy(values + k * (size_t)width,
				(const float *)&all[k * joints + i / 3] + at,
				(size_t)width * sizeof *values);
		}
		clip->channels[i] = (struct channel){.joint = (int)(i / 3),
			.path = i % 3 == 0   ? CHANNEL_TRANSLATION
				: i % 3 == 1 ? CHANNEL_ROTATION
					     : CHANNEL_SCALE,
			.interpolation = INTERPOLATION_LINEAR,
			.key_count = (int)samples,
			.width = width,
			.times = times,
			.values = values};
	}
	free(all);
	*shell_m = (double)facts[2];
	return rig;
}

#define POSES 1000
#define ROUNDS 5

/* Times of decoding one clip, the least of all rounds. */
struct times {
	int numbers;                  // that move
	double forward_ns, random_ns; // a pose, between samples in order and at any times
};

static double pose_ns(struct pclip *clip, const struct pclip_info *info, bool forward,
	struct pclip_transform *joints, float *weights) {
	const double step_s =
		info->sample_count > 1 ? info->duration_s / (info->sample_count - 1) : 0;
	unsigned seed = 1;
	const double start = now_s();
	for (int i = 0; i < POSES; i++) {
		seed = seed * 1664525 + 1013904223;
		const double time_s = forward
			? (i % (info->sample_count > 1 ? info->sample_count - 1 : 1) + 0.5) * step_s
			: info->duration_s * seed / 4294967296.0;
		pclip_sample(clip, time_s, joints, weights);
	}
	return (now_s() - start) / POSES * 1e9;
}

static struct times time_decoding(const struct rig *rig, const struct buffer *file, int i) {
	struct pclip_file opened;
	const char *why;
	if (!pclip_read(file->data, file->size, &opened, &why)) {
		fprintf(stderr, "%s\n", why);
		exit(1);
	}
	const size_t joints = (size_t)rig->joint_count;
	struct pclip_transform *rest = xcalloc(joints + 1, sizeof *rest),
			       *out = xcalloc(joints + 1, sizeof *out);
	float *weights = xcalloc((size_t)opened.weight_count + 1, sizeof *weights);
	void *memory = xcalloc(1, pclip_memory(&opened));
	for (size_t k = 0; k < joints; k++) {
		memcpy(&rest[k], &rig->joints[k].rest, sizeof *rest);
	}
	struct pclip_info info;
	struct pclip *clip = pclip_open(&opened, i, rest, memory, &why);
	pclip_describe(&opened, i, &info);
	struct times times = {pclip_numbers(clip, 0, NULL), INFINITY, INFINITY};
	for (int round = 0; round < ROUNDS; round++) {
		times.forward_ns = fmin(times.forward_ns, pose_ns(clip, &info, true, out, weights));
		times.random_ns = fmin(times.random_ns, pose_ns(clip, &info, false, out, weights));
	}
	free(memory);
	free(weights);
	free(out);
	free(rest);
	return times;
}

static void print_times(const struct times *times) {
	printf("%d numbers, forward %.0f ns a pose (%.1f a number), random %.0f ns (%.1f)\n",
		times->numbers, times->forward_ns, times->forward_ns / fmax(1, times->numbers),
		times->random_ns, times->random_ns / fmax(1, times->numbers));
}

struct sums {
	size_t bytes, peer_bytes, samples;
	double seconds;
	int clips;
	const struct codec *codec;
	uint64_t (*counts)[PCLIP_SYMBOLS]; // NULL = they are not asked for
};

/* One line of a peer's table: file, joints, samples, rate, bytes, error, nominal or NAN. */
static void against(
	const char *folder, char *line, int segment, double nominal, struct sums *sums) {
	char name[512], path[4096 + sizeof name];
	int joints, samples;
	double rate, bytes, error, shell_m;
	if (sscanf(line, "%511s %d %d %lf %lf %lf", name, &joints, &samples, &rate, &bytes,
		    &error) != 6) {
		return;
	}
	snprintf(path, sizeof path, "%s/%s", folder, name);
	struct rig *rig = read_samples(path, &shell_m);
	const double tolerance_m = nominal * shell_m / 0.03;
	const struct compress_options how = {.tolerance_m = isnan(nominal)
			? fmax(error, 1e-4 * shell_m / 0.03 / 100)
			: tolerance_m,
		.shell_m = shell_m,
		.rate = rate,
		.codec = sums->codec,
		.segment_samples = segment,
		.counts = sums->counts};
	struct compress_report report;
	struct buffer out = {0};
	struct error err = {0};
	const double start = now_s();
	const int first = 0;
	if (!compress_clips(rig, &first, 1, &how, NULL, &report, &out, &err)) {
		printf("%s: %s\n", name, err.text);
	} else {
		const double seconds = now_s() - start;
		const struct times times = time_decoding(rig, &out, 0);
		printf("%-60s %6d %6zu %6.0f %.3f  %.3g of %.3g  %.3f s  ", name, samples, out.size,
			bytes, (double)out.size / bytes, report.error.max_m, how.tolerance_m,
			seconds);
		print_times(&times);
		sums->bytes += out.size;
		sums->peer_bytes += (size_t)bytes;
		sums->seconds += seconds;
		sums->clips++;
		sums->samples += (size_t)(joints * samples);
	}
	buffer_finish(&out);
	rig_release(rig);
}

static int compare_table(const char *table, const struct codec *codec, int segment, double nominal,
	uint64_t (*counts)[PCLIP_SYMBOLS]) {
	char folder[4096], line[4096];
	struct sums sums = {.codec = codec, .counts = counts};
	snprintf(folder, sizeof folder, "%s", table);
	*(strrchr(folder, '/') ? strrchr(folder, '/') : folder) = '\0';
	FILE *file = fopen(table, "r");
	if (!file) {
		fprintf(stderr, "%s cannot be read\n", table);
		return 1;
	}
	while (fgets(line, sizeof line, file)) {
		against(folder, line, segment, nominal, &sums);
	}
	fclose(file);
	printf("%s: %d clips, %zu bytes, peer's %zu, ratio %.4f, %.2f bits a joint-sample, %.2f "
	       "s\n",
		table, sums.clips, sums.bytes, sums.peer_bytes,
		(double)sums.bytes / (double)sums.peer_bytes,
		8 * (double)sums.bytes / (double)sums.samples, sums.seconds);
	return 0;
}

/* New frequencies: as they were counted, with the old ones as if they had been seen a little. */
static void print_frequencies(uint64_t (*counts)[PCLIP_SYMBOLS]) {
	static struct pclip_tables tables;
	const int whole = 1 << PCLIP_PROBABILITY_BITS;
	pclip_fill_tables(&tables);
	for (int i = 0; i < PCLIP_TABLES; i++) {
		double weights[PCLIP_SYMBOLS], sum = 0;
		int shares[PCLIP_SYMBOLS], left = whole, greatest = 0;
		for (int k = 0; k < PCLIP_SYMBOLS; k++) {
			const double old =
				(double)(tables.first[i][k + 1] - tables.first[i][k]) / whole;
			weights[k] = old > 0 ? (double)counts[i][k] + 20 * old : 0;
			sum += weights[k];
		}
		for (int k = 0; k < PCLIP_SYMBOLS; k++) {
			shares[k] =
				weights[k] > 0 ? (int)fmax(1, round(weights[k] / sum * whole)) : 0;
			left -= shares[k];
			greatest = shares[k] > shares[greatest] ? k : greatest;
		}
		shares[greatest] += left;
		printf("\t{");
		for (int k = 0; k < PCLIP_SYMBOLS; k++) {
			printf("%d%s", shares[k], k + 1 < PCLIP_SYMBOLS ? ", " : "},\n");
		}
	}
}

static void print_clip(const char *name, const struct rig *rig, int i,
	const struct compress_report *report, const struct times *times) {
	printf("%s %d %s: %d samples at %g, %zu bytes, error %.4g p99 %.4g rms %.4g at samples "
	       "%.4g, other %.4g, of %.4g\n\t",
		name, i, rig->clips[i].name, report->sample_count, report->rate, report->bytes,
		report->error.max_m, report->error.p99_m, report->error.rms_m,
		report->error.max_at_samples_m, report->other.max_m, report->tolerance_m);
	print_times(times);
}

/* Compresses some clips of a rig into one file; adds the times of each to sum, and returns the
 * file's size. */
static size_t bench_clips(const char *name, const struct rig *rig, const int *clips, int count,
	const struct compress_options *how, struct times *sum) {
	struct compress_report *reports = xcalloc((size_t)count, sizeof *reports);
	struct buffer out = {0};
	struct error err = {0};
	const double start = now_s();
	if (!compress_clips(rig, clips, count, how, NULL, reports, &out, &err)) {
		printf("%s %d: %s\n", name, clips[0], err.text);
		free(reports);
		return 0;
	}
	const double seconds = now_s() - start;
	for (int i = 0; i < count; i++) {
		const struct times times = time_decoding(rig, &out, i);
		print_clip(name, rig, clips[i], &reports[i], &times);
		sum->numbers += times.numbers;
		sum->forward_ns += times.forward_ns;
		sum->random_ns += times.random_ns;
	}
	const size_t size = out.size;
	printf("\tfile of %zu bytes, encoded in %.3f s\n", size, seconds);
	buffer_finish(&out);
	free(reports);
	return size;
}

/* Compresses a rig's clips, one by one or as a set. The tolerance is that of a shell of 3 cm. */
static size_t bench_file(
	const char *path, struct compress_options how, bool free_unskinned, bool set) {
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	struct rig *rig = read_rig(path);
	const struct skin_metric skin = {.rig = rig, .free_unskinned = free_unskinned};
	how.tolerance_m *= error_shell_default_radius(rig) / 0.03;
	how.skin = how.at_skin ? &skin : NULL;
	const int count = rig->clip_count, together = set ? count : 1;
	int *clips = xcalloc((size_t)count + 1, sizeof *clips);
	struct times sum = {0};
	size_t bytes = 0;
	for (int i = 0; i < count; i++) {
		clips[i] = i;
	}
	for (int i = 0; i < count; i += together) {
		bytes += bench_clips(name, rig, clips + i, together, &how, &sum);
	}
	sum.numbers /= count ? count : 1;
	sum.forward_ns /= count ? count : 1;
	sum.random_ns /= count ? count : 1;
	printf("%s: mean of %d clips: ", name, count);
	print_times(&sum);
	free(clips);
	rig_release(rig);
	return bytes;
}

int main(int argc, char **argv) {
	static const struct option options[] = {{"tolerance", required_argument, NULL, 't'},
		{"segment", required_argument, NULL, 's'}, {"set", no_argument, NULL, 'a'},
		{"against", required_argument, NULL, 'g'}, {"codec", required_argument, NULL, 'c'},
		{"frequencies", no_argument, NULL, 'f'}, {"skin", required_argument, NULL, 'k'},
		{"ways", required_argument, NULL, 'w'}, {0}};
	static uint64_t counts[PCLIP_TABLES][PCLIP_SYMBOLS];
	bool frequencies = false;
	const struct codec *codec = NULL;
	double tolerance_m = NAN;
	int segment = -1, option;
	bool set = false, at_skin = false, free_unskinned = false;
	int ways = 0;
	const char *table = NULL;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 't':
			tolerance_m = strtod(optarg, NULL);
			break;
		case 's':
			segment = atoi(optarg);
			break;
		case 'a':
			set = true;
			break;
		case 'g':
			table = optarg;
			break;
		case 'c':
			codec = codec_find(optarg);
			break;
		case 'w':
			ways = atoi(optarg);
			break;
		case 'f':
			frequencies = true;
			break;
		case 'k':
			at_skin = true;
			free_unskinned = strcmp(optarg, "free") == 0;
			break;
		default:
			return 2;
		}
	}
	if (table) {
		int code = compare_table(
			table, codec, segment, tolerance_m, frequencies ? counts : NULL);
		while (frequencies && code == 0 && optind < argc) {
			code = compare_table(argv[optind++], codec, segment, tolerance_m, counts);
		}
		if (frequencies) {
			print_frequencies(counts);
		}
		return code;
	}
	size_t total = 0;
	for (; optind < argc; optind++) {
		const struct compress_options how = {
			.tolerance_m = isnan(tolerance_m) ? 1e-4 : tolerance_m,
			.at_skin = at_skin,
			.codec = codec,
			.spline_ways = ways,
			.counts = frequencies ? counts : NULL,
			.segment_samples = segment};
		total += bench_file(argv[optind], how, free_unskinned, set);
	}
	printf("total %zu bytes\n", total);
	if (frequencies) {
		print_frequencies(counts);
	}
	return 0;
}
