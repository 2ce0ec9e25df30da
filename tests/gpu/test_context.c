// Contexts that are lost, and rigs that do not fit. No driver here can be made to do either: the
// linker puts functions of this file before egl_is_lost() and gpu_rig_create() (--wrap).
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/check.h"
#include "../unit/rigs.h"
#include "base/memory.h"
#include "context.h"
#include "gl/egl.h"
#include "gl/gpu_rig.h"

/* The number of the next calls that fail, and the number of calls made. */
static int losses, refusals, status_checks, uploads;

bool __real_egl_is_lost(struct egl *egl);
bool __wrap_egl_is_lost(struct egl *egl);
struct gpu_rig *__real_gpu_rig_create(const struct rig *rig, size_t *bytes, struct error *err);
struct gpu_rig *__wrap_gpu_rig_create(const struct rig *rig, size_t *bytes, struct error *err);

bool __wrap_egl_is_lost(struct egl *egl) {
	status_checks++;
	return losses > 0 ? losses-- > 0 : __real_egl_is_lost(egl);
}

struct gpu_rig *__wrap_gpu_rig_create(const struct rig *rig, size_t *bytes, struct error *err) {
	uploads++;
	struct gpu_rig *gpu = __real_gpu_rig_create(rig, bytes, err);
	if (refusals > 0) {
		refusals--;
		gpu_rig_destroy(gpu);
		error_set(err, ERROR_TOO_LARGE, "out of memory, as the test wants it");
		return NULL;
	}
	return gpu;
}

static struct renderer_stats stats(struct renderer *renderer) {
	struct renderer_stats found;
	renderer_stats(renderer, &found);
	return found;
}

static struct buffer picture_of(
	struct renderer *renderer, const struct rig *rig, struct error *err) {
	const struct frame_job job = {
		.subject = {.rig = rig},
		.picture = {.width = 48, .height = 40, .samples = 4, .camera = {.fov_deg = 30}},
	};
	struct buffer png = {0};
	struct skinning_report report;
	if (!renderer_frame(renderer, &job, &png, &report, err)) {
		buffer_finish(&png);
	}
	return png;
}

static bool vertices_of(struct renderer *renderer, const struct rig *rig, enum device device,
	float *out, struct error *err) {
	const enum attribute_bits order[] = {ATTRIBUTE_POSITION};
	const struct vertices_job job = {
		.subject = {.rig = rig, .skinning = {.device = device}},
		.order = order,
		.count = 1,
	};
	struct skinning_report report;
	return renderer_vertices(renderer, &job, out, &report, err);
}

static void assert_same_picture(
	struct renderer *renderer, const struct rig *rig, const struct buffer *before) {
	struct error err = {0};
	struct buffer png = picture_of(renderer, rig, &err);
	if (err.code != ERROR_NONE) {
		fail_msg("%s", err.text);
	}
	assert_int_equal(png.size, before->size);
	assert_memory_equal(png.data, before->data, png.size);
	buffer_finish(&png);
}

static void whole_contexts_are_not_called_lost(void **state) {
	(void)state;
	struct renderer *renderer = gpu_test_renderer();
	struct rig *rig = rig_random(5, 6, 300, 4);
	status_checks = 0;
	struct error err = {0};
	struct buffer png = picture_of(renderer, rig, &err);
	assert_int_equal(err.code, ERROR_NONE);
	assert_true(status_checks > 0);
	assert_false(renderer_is_lost(renderer));
	assert_int_equal(stats(renderer).context_resets, 0);
	buffer_finish(&png);
	rig_release(rig);
}

static void lost_picture_is_an_error(void **state) {
	(void)state;
	struct renderer *renderer = gpu_test_renderer();
	struct rig *rig = rig_random(5, 6, 300, 4);
	struct buffer before = picture_of(renderer, rig, NULL);
	const struct renderer_stats count = stats(renderer);
	losses = 1;
	for (int again = 0; again < 2; again++) {
		// Lost is lost, though the driver says so only once.
		struct error err = {0};
		struct buffer png = picture_of(renderer, rig, &err);
		assert_int_equal(err.code, ERROR_CONTEXT_LOST);
		assert_null(png.data);
		assert_true(renderer_is_lost(renderer));
	}
	assert_int_equal(stats(renderer).context_resets, count.context_resets + 1);
	assert_int_equal(stats(renderer).frames_drawn, count.frames_drawn);
	const struct renderer_info *info = renderer_info(renderer);
	assert_true(renderer_rebuild(renderer, NULL));
	assert_false(renderer_is_lost(renderer));
	assert_ptr_equal(renderer_info(renderer), info);
	assert_same_picture(renderer, rig, &before);
	buffer_finish(&before);
	rig_release(rig);
}

static void lost_vertices_are_an_error_and_the_cpu_goes_on(void **state) {
	(void)state;
	struct renderer *renderer = gpu_test_renderer();
	struct rig *rig = rig_random(5, 6, 300, 4);
	float *cpu = xcalloc(300 * 3, sizeof *cpu), *gpu = xcalloc(300 * 3, sizeof *gpu);
	float *again = xcalloc(300 * 3, sizeof *again);
	assert_true(vertices_of(renderer, rig, DEVICE_CPU, cpu, NULL));
	assert_true(vertices_of(renderer, rig, DEVICE_GPU, gpu, NULL));
	losses = 1;
	for (int i = 0; i < 2; i++) {
		struct error err = {0};
		assert_false(vertices_of(renderer, rig, DEVICE_GPU, again, &err));
		assert_int_equal(err.code, ERROR_CONTEXT_LOST);
		assert_true(vertices_of(renderer, rig, DEVICE_CPU, again, NULL));
		assert_memory_equal(again, cpu, 300 * 3 * sizeof *cpu);
	}
	assert_true(renderer_rebuild(renderer, NULL));
	assert_true(vertices_of(renderer, rig, DEVICE_GPU, again, NULL));
	assert_memory_equal(again, gpu, 300 * 3 * sizeof *gpu);
	free(cpu);
	free(gpu);
	free(again);
	rig_release(rig);
}

static void loss_hides_the_errors_that_come_of_it(void **state) {
	(void)state;
	struct renderer *renderer = gpu_test_renderer();
	struct rig *rig = rig_random(5, 6, 300, 4);
	// In a lost context memory cannot be had, either.
	losses = 1;
	refusals = 2;
	struct error err = {0};
	struct buffer png = picture_of(renderer, rig, &err);
	assert_int_equal(err.code, ERROR_CONTEXT_LOST);
	assert_null(png.data);
	refusals = 0;
	assert_true(renderer_rebuild(renderer, NULL));
	rig_release(rig);
}

static void rigs_are_uploaded_again(void **state) {
	(void)state;
	struct renderer *renderer = gpu_test_renderer();
	struct rig *rig = rig_random(5, 6, 300, 4);
	struct buffer before = picture_of(renderer, rig, NULL);
	uploads = 0;
	assert_same_picture(renderer, rig, &before);
	assert_int_equal(uploads, 0);
	assert_true(renderer_rebuild(renderer, NULL));
	// The warm-up's own rig.
	assert_int_equal(stats(renderer).gpu_rig_count, 1);
	uploads = 0;
	assert_same_picture(renderer, rig, &before);
	assert_int_equal(uploads, 1);
	assert_int_equal(stats(renderer).gpu_rig_count, 2);
	buffer_finish(&before);
	rig_release(rig);
}

static void rebuild_that_fails_leaves_the_cpu(void **state) {
	(void)state;
	struct renderer *renderer = gpu_test_renderer();
	struct rig *rig = rig_random(5, 6, 300, 4);
	struct buffer before = picture_of(renderer, rig, NULL);
	const struct renderer_info *info = renderer_info(renderer);
	losses = 1;
	struct error err = {0};
	assert_false(renderer_rebuild(renderer, &err));
	assert_int_equal(err.code, ERROR_NO_RENDERER);
	assert_string_equal(renderer_info(renderer)->device, "none");
	assert_string_equal(renderer_info(renderer)->why_none, err.text);
	assert_false(renderer_is_lost(renderer));
	err = (struct error){0};
	struct buffer png = picture_of(renderer, rig, &err);
	assert_int_equal(err.code, ERROR_NO_RENDERER);
	assert_null(png.data);
	float *positions = xcalloc(300 * 3, sizeof *positions);
	assert_true(vertices_of(renderer, rig, DEVICE_AUTO, positions, NULL));
	free(positions);
	assert_true(renderer_rebuild(renderer, NULL));
	assert_ptr_equal(renderer_info(renderer), info);
	assert_same_picture(renderer, rig, &before);
	buffer_finish(&before);
	rig_release(rig);
}

static int open_descriptors(void) {
	DIR *directory = opendir("/proc/self/fd");
	assert_non_null(directory);
	int count = 0;
	while (readdir(directory)) {
		count++;
	}
	closedir(directory);
	return count;
}

static double resident_mib(void) {
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long pages = 0, resident = 0;
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%lu %lu", &pages, &resident), 2);
	fclose(file);
	return (double)resident * 4096 / (1 << 20);
}

/* A context costs 15 MB: sixty that stay would be 900. */
static void sixty_rebuilds_leak_nothing(void **state) {
	(void)state;
	struct renderer *renderer = gpu_test_renderer();
	struct rig *rig = rig_random(5, 6, 300, 4);
	struct buffer before = picture_of(renderer, rig, NULL);
	int descriptors = 0;
	double mib = 0;
	for (int i = 0; i < 80; i++) {
		if (i == 20) {
			descriptors = open_descriptors();
			mib = resident_mib();
		}
		losses = 1;
		struct error err = {0};
		picture_of(renderer, rig, &err);
		assert_int_equal(err.code, ERROR_CONTEXT_LOST);
		assert_true(renderer_rebuild(renderer, NULL));
	}
	assert_same_picture(renderer, rig, &before);
	assert_int_equal(open_descriptors(), descriptors);
	print_message("%.1f MiB more after 60 rebuilds\n", resident_mib() - mib);
#ifndef __SANITIZE_ADDRESS__ // which keeps what is freed for a while
	assert_true(resident_mib() - mib < 32);
#endif
	buffer_finish(&before);
	rig_release(rig);
}

static void rig_that_does_not_fit_takes_the_room_of_others(void **state) {
	(void)state;
	struct renderer *renderer = gpu_test_renderer();
	struct rig *rigs[3];
	struct buffer before[3];
	for (int i = 0; i < 3; i++) {
		rigs[i] = rig_random(5 + (unsigned)i, 6, 300, 4);
		before[i] = picture_of(renderer, rigs[i], NULL);
	}
	assert_true(renderer_rebuild(renderer, NULL));
	assert_same_picture(renderer, rigs[0], &before[0]);
	assert_same_picture(renderer, rigs[1], &before[1]);
	const unsigned long long evictions = stats(renderer).gpu_rig_evictions;
	refusals = 1;
	assert_same_picture(renderer, rigs[2], &before[2]);
	assert_int_equal(stats(renderer).gpu_rig_count, 1);
	assert_int_equal(stats(renderer).gpu_rig_evictions, evictions + 3);
	for (int i = 0; i < 3; i++) {
		assert_same_picture(renderer, rigs[i], &before[i]);
		buffer_finish(&before[i]);
		rig_release(rigs[i]);
	}
}

static void rig_that_never_fits_is_refused(void **state) {
	(void)state;
	struct renderer *renderer = gpu_test_renderer();
	struct rig *rig = rig_random(5, 6, 300, 4), *other = rig_random(6, 6, 300, 4);
	struct buffer before = picture_of(renderer, other, NULL);
	refusals = 2;
	struct error err = {0};
	struct buffer png = picture_of(renderer, rig, &err);
	assert_int_equal(err.code, ERROR_OVERLOADED);
	assert_null(png.data);
	assert_int_equal(refusals, 0);
	assert_same_picture(renderer, other, &before);
	buffer_finish(&before);
	rig_release(other);
	rig_release(rig);
}

static void rig_beyond_the_budget_is_too_large(void **state) {
	(void)state;
	const bool gpu = strcmp(renderer_info(gpu_test_renderer())->device, "gpu") == 0;
	gpu_test_finish();
	const struct renderer_options options = {
		.choice = gpu ? RENDERER_GPU : RENDERER_SOFTWARE, .gpu_budget_bytes = 1000};
	struct renderer *renderer = renderer_create(&options, NULL);
	struct rig *rig = rig_random(5, 6, 300, 4);
	struct error err = {0};
	refusals = 1;
	picture_of(renderer, rig, &err);
	assert_int_equal(err.code, ERROR_TOO_LARGE);
	// But where the driver has room it is drawn all the same.
	struct buffer png = picture_of(renderer, rig, NULL);
	assert_non_null(png.data);
	buffer_finish(&png);
	rig_release(rig);
	renderer_destroy(renderer);
}

int main(void) {
	gpu_test_renderer();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_contexts_are_not_called_lost),
		cmocka_unit_test(lost_picture_is_an_error),
		cmocka_unit_test(lost_vertices_are_an_error_and_the_cpu_goes_on),
		cmocka_unit_test(loss_hides_the_errors_that_come_of_it),
		cmocka_unit_test(rigs_are_uploaded_again),
		cmocka_unit_test(rebuild_that_fails_leaves_the_cpu),
		cmocka_unit_test(sixty_rebuilds_leak_nothing),
		cmocka_unit_test(rig_that_does_not_fit_takes_the_room_of_others),
		cmocka_unit_test(rig_that_never_fits_is_refused),
		cmocka_unit_test(rig_beyond_the_budget_is_too_large),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	gpu_test_finish();
	return failed;
}
