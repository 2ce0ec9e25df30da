// The doctor's findings for other machines: its messages and its advice.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "check.h"
#include "doctor/doctor_internal.h"
#include "doctor/subprocess.h"

/* A machine on which all is well: libglvnd, Mesa's driver, llvmpipe. */
static struct graphics_facts *facts_create(void) {
	struct graphics_facts *facts = xcalloc(1, sizeof *facts);
	facts->egl.dispatched = true;
	facts->egl.device_count = facts->egl.display_count = facts->display_count = 1;
	facts->vendors.count = 1;
	strcpy(facts->vendors.folders, "/usr/share/glvnd/egl_vendor.d");
	strcpy(facts->vendors.files[0].path, "/usr/share/glvnd/egl_vendor.d/50_mesa.json");
	strcpy(facts->vendors.files[0].library, "libEGL_mesa.so.0");
	struct renderer_display *display = &facts->displays[0].display;
	strcpy(display->name, "device 0");
	strcpy(display->renderer, "llvmpipe");
	strcpy(display->version, "OpenGL ES 3.2");
	display->software = true;
	facts->choice = facts->displays[0];
	return facts;
}

static struct doctor *judge(struct graphics_facts *take_facts, enum renderer_choice choice) {
	static struct config config;
	config.renderer = choice;
	struct doctor *doctor = xcalloc(1, sizeof *doctor);
	doctor->config = &config;
	doctor->arena = arena_create();
	doctor->quiet = true;
	doctor_judge_graphics(doctor, take_facts);
	free(take_facts);
	return doctor;
}

static void doctor_destroy(struct doctor *doctor) {
	arena_destroy(doctor->arena);
	free(doctor);
}

/* True if there is a finding of that level with these words in its message and advice. */
static bool finds(const struct doctor *doctor, enum finding_level level, const char *says,
	const char *advice) {
	for (size_t i = 0; i < doctor->count; i++) {
		const struct finding *finding = &doctor->findings[i];
		if (finding->level == level && strstr(finding->says, says) &&
			(advice ? finding->advice && strstr(finding->advice, advice)
				: !finding->advice)) {
			return true;
		}
	}
	return false;
}

#define assert_finds(doctor, level, says, advice) \
	do { \
		if (!finds(doctor, level, says, advice)) { \
			print_findings(doctor); \
			fail_msg("no finding \"%s\" with advice \"%s\"", says, \
				(advice) ? (advice) : "(none)"); \
		} \
	} while (0)

static void print_findings(const struct doctor *doctor) {
	for (size_t i = 0; i < doctor->count; i++) {
		const struct finding *finding = &doctor->findings[i];
		print_message("%s: %s - %s\n  %s\n", finding_level_name(finding->level),
			finding->what, finding->says, finding->advice ? finding->advice : "");
	}
}

static void cpu_is_enough_for_auto(void **state) {
	(void)state;
	struct graphics_facts *facts = facts_create();
	strcpy(facts->choice.display.renderer, "posed rasteriser");
	struct doctor *doctor = judge(facts, RENDERER_AUTO);
	assert_false(doctor->failed);
	assert_finds(doctor, FINDING_OK, "none found on the bus", NULL);
	assert_finds(doctor, FINDING_OK, "auto draws on the CPU with posed rasteriser", NULL);
	doctor_destroy(doctor);
	doctor = judge(facts_create(), RENDERER_SOFTWARE);
	assert_finds(doctor, FINDING_OK, "--renderer software draws on the CPU", NULL);
	doctor_destroy(doctor);
}

static void gpu_is_as_good_as_it_gets(void **state) {
	(void)state;
	struct graphics_facts *facts = facts_create();
	facts->gpu.nvidia_nodes = facts->gpu.nvidia_usable_nodes = 2;
	facts->vendors.nvidia_library = true;
	strcpy(facts->vendors.files[0].library, "libEGL_nvidia.so.0");
	facts->displays[0].display.software = facts->choice.display.software = false;
	struct doctor *doctor = judge(facts, RENDERER_AUTO);
	for (size_t i = 0; i < doctor->count; i++) {
		assert_int_equal(doctor->findings[i].level, FINDING_OK);
	}
	assert_finds(doctor, FINDING_OK, "--renderer auto draws on the GPU", NULL);
	doctor_destroy(doctor);
}

static void missing_library_names_its_package(void **state) {
	(void)state;
	struct graphics_facts *facts = facts_create();
	strcpy(facts->egl.missing, "cannot load libEGL.so.1: no such file");
	facts->display_count = 0;
	strcpy(facts->choice.display.failure, "cannot load libEGL.so.1");
	struct doctor *doctor = judge(facts, RENDERER_SOFTWARE);
	assert_finds(doctor, FINDING_FAIL, "cannot load libEGL.so.1",
		"apt-get install libegl1 libgles2");
	assert_true(doctor->failed);
	doctor_destroy(doctor);
}

/* Without a GPU it is no loss, with one it is. */
static void missing_library_is_no_loss_without_a_gpu(void **state) {
	(void)state;
	for (int nodes = 0; nodes < 2; nodes++) {
		struct graphics_facts *facts = facts_create();
		strcpy(facts->egl.missing, "cannot load libEGL.so.1: no such file");
		facts->display_count = 0;
		facts->gpu.node_count = nodes;
		facts->gpu.nodes[0].usable = true;
		struct doctor *doctor = judge(facts, RENDERER_AUTO);
		assert_finds(doctor, nodes ? FINDING_WARN : FINDING_OK, "cannot load libEGL.so.1",
			nodes ? "apt-get install libegl1 libgles2" : NULL);
		assert_false(doctor->failed);
		doctor_destroy(doctor);
	}
}

static void machine_without_driver_files_is_told_mesa(void **state) {
	(void)state;
	unsetenv("__EGL_VENDOR_LIBRARY_DIRS");
	unsetenv("__EGL_VENDOR_LIBRARY_FILENAMES");
	struct graphics_facts *facts = facts_create();
	facts->vendors.count = facts->display_count = facts->egl.device_count = 0;
	strcpy(facts->choice.display.failure, "no display");
	struct doctor *doctor = judge(facts, RENDERER_GPU);
	assert_true(doctor->failed);
	assert_finds(doctor, FINDING_FAIL, "no *.json in /usr/share/glvnd/egl_vendor.d",
		"apt-get install libegl-mesa0 libgl1-mesa-dri");
	doctor_destroy(doctor);
}

static void driver_file_without_its_library_is_named(void **state) {
	(void)state;
	struct graphics_facts *facts = facts_create();
	facts->vendors.count = 2;
	strcpy(facts->vendors.files[1].path, "/x/10_nvidia.json");
	strcpy(facts->vendors.files[1].library, "libEGL_nvidia.so.0");
	strcpy(facts->vendors.files[1].failure, "cannot open shared object file");
	struct doctor *doctor = judge(facts, RENDERER_AUTO);
	assert_finds(doctor, FINDING_WARN, "/x/10_nvidia.json: cannot open shared object file",
		"the package that libEGL_nvidia.so.0 belongs to");
	doctor_destroy(doctor);
}

/* The advice for each state of an NVIDIA machine. */
static void nvidia_without_its_egl(void **state) {
	(void)state;
	static const struct {
		bool container, library;
		const char *capabilities, *advice;
	} rows[] = {
		{false, true, "", "10_nvidia.json"},
		{true, false, "", "now it is not set"},
		{true, false, "compute,utility", "now it is compute,utility"},
		{true, false, "all", "only the compute part"},
		{true, false, "graphics,compute", "The host has only"},
		{false, false, "", "Debian: apt-get install nvidia-egl-icd"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct graphics_facts *facts = facts_create();
		facts->gpu.nvidia_nodes = facts->gpu.nvidia_usable_nodes = 2;
		facts->gpu.container = rows[i].container;
		facts->vendors.nvidia_library = rows[i].library;
		strcpy(facts->gpu.capabilities, rows[i].capabilities);
		struct doctor *doctor = judge(facts, RENDERER_AUTO);
		assert_finds(doctor, FINDING_WARN, "not its driver for EGL", rows[i].advice);
		assert_finds(doctor, FINDING_WARN, "though there is a GPU", "--renderer gpu");
		doctor_destroy(doctor);
	}
}

static void nvidia_that_is_not_let_in(void **state) {
	(void)state;
	struct graphics_facts *facts = facts_create();
	facts->gpu.nvidia_on_bus = 1;
	facts->gpu.container = true;
	struct doctor *doctor = judge(facts, RENDERER_AUTO);
	assert_finds(doctor, FINDING_WARN, "no /dev/nvidia0", "--gpus all");
	doctor_destroy(doctor);
	facts = facts_create();
	facts->gpu.nvidia_nodes = 2;
	facts->gpu.mig = true;
	doctor = judge(facts, RENDERER_AUTO);
	assert_finds(doctor, FINDING_WARN, "2 of 2 device files", "usermod -aG video");
	assert_finds(doctor, FINDING_WARN, "divided by MIG", "--renderer software");
	doctor_destroy(doctor);
}

static void drm_devices_that_may_not_be_used(void **state) {
	(void)state;
	struct graphics_facts *facts = facts_create();
	facts->gpu.amd_on_bus = 1;
	struct doctor *doctor = judge(facts, RENDERER_AUTO);
	assert_finds(doctor, FINDING_WARN, "no /dev/dri/renderD*", "--device /dev/dri");
	doctor_destroy(doctor);
	facts = facts_create();
	facts->gpu.node_count = 2;
	facts->gpu.nodes[0] = (struct render_node){"/dev/dri/renderD128", "render", false, true};
	facts->gpu.nodes[1] = (struct render_node){"/dev/dri/renderD129", "root", false, false};
	doctor = judge(facts, RENDERER_AUTO);
	assert_finds(doctor, FINDING_WARN,
		"renderD128 may not be opened by this user, but by "
		"group render",
		"usermod -aG render");
	assert_finds(doctor, FINDING_WARN, "renderD129 may not", "chgrp render");
	doctor_destroy(doctor);
}

static void driver_that_crashes_is_named(void **state) {
	(void)state;
	struct graphics_facts *facts = facts_create();
	facts->display_count = 2;
	strcpy(facts->displays[1].display.name, "device 1");
	strcpy(facts->displays[1].crash, "crashed: signal 11");
	strcpy(facts->displays[1].output, "MESA: error: ouch");
	struct doctor *doctor = judge(facts, RENDERER_AUTO);
	assert_false(doctor->failed);
	assert_finds(doctor, FINDING_WARN, "crashed: signal 11; the driver says: MESA: error: ouch",
		NULL);
	doctor_destroy(doctor);
	facts = facts_create();
	strcpy(facts->choice.crash, "crashed: signal 11");
	doctor = judge(facts, RENDERER_GPU);
	assert_finds(doctor, FINDING_FAIL, "--renderer gpu: crashed", "--renderer cpu");
	doctor_destroy(doctor);
	facts = facts_create();
	strcpy(facts->crash, "did not come back within 30 s");
	doctor = judge(facts, RENDERER_SOFTWARE);
	assert_finds(doctor, FINDING_FAIL, "loading libEGL did not come back", "is broken");
	doctor_destroy(doctor);
}

static void work(int what, void *out) {
	strcpy(out, "begun");
	if (what == 1) {
		fprintf(stderr, "same\nsame\nother\n");
		abort();
	}
	if (what == 2) {
		pause();
	}
	if (what == 3) {
		_exit(7);
	}
	strcpy(out, "done");
}

static void a_subprocess_may_crash_or_hang(void **state) {
	(void)state;
	static const struct {
		const char *out, *output, *err;
	} rows[] = {
		{"done", "", ""},
		{"begun", "same; other", "signal 6"},
		{"begun", "", "did not come back within 0.2 s"},
		{"begun", "", "status 7"},
	};
	for (int i = 0; i < 4; i++) {
		char out[16] = "before", output[64];
		const struct subprocess subprocess = {.work = work,
			.argument = i,
			.out = out,
			.out_bytes = sizeof out,
			.seconds = i == 2 ? 0.2 : 20,
			.output = output,
			.output_bytes = sizeof output};
		struct error err = {0};
		assert_int_equal(subprocess_run(&subprocess, &err), i == 0);
		assert_string_equal(out, rows[i].out);
		assert_string_equal(output, rows[i].output);
		assert_non_null(strstr(err.text, rows[i].err));
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(missing_library_names_its_package),
		cmocka_unit_test(missing_library_is_no_loss_without_a_gpu),
		cmocka_unit_test(machine_without_driver_files_is_told_mesa),
		cmocka_unit_test(driver_file_without_its_library_is_named),
		cmocka_unit_test(nvidia_without_its_egl),
		cmocka_unit_test(nvidia_that_is_not_let_in),
		cmocka_unit_test(drm_devices_that_may_not_be_used),
		cmocka_unit_test(driver_that_crashes_is_named),
		cmocka_unit_test(cpu_is_enough_for_auto),
		cmocka_unit_test(gpu_is_as_good_as_it_gets),
		cmocka_unit_test(a_subprocess_may_crash_or_hang),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
