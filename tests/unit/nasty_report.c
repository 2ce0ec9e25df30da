// A report made by hand, whose names have all that formats must escape.
#include "nasty_report.h"

#include <math.h>
#include <stdint.h>

#include "base/check_profile.h"

static const struct check_rule_info pop = {.id = "motion/pop",
	.unit = "L",
	.catches = "one frame out of line",
	.definition = "The distance from the path.",
	.effect = "A limb twitches.",
	.fix = "smooth the key",
	.blender = "Select the key & smooth it.",
	.maya = "Use <Smooth>.",
	.message = "{joint} pops",
	.by_clip = true,
	.limits = {INFINITY, .006, .03}};
static const struct check_rule_info still = {.id = "clip/still",
	.unit = "L",
	.catches = "nothing moves",
	.definition = "The sum of steps.",
	.below = true,
	.by_clip = true,
	.limits = {INFINITY, 1e-4, INFINITY}};
static const struct check_rule_info weights = {.id = "rig/weight_sum",
	.unit = "vertices",
	.catches = "weights that do not add up",
	.definition = "Vertices.",
	.khronos = "ACCESSOR_WEIGHTS_NON_NORMALIZED",
	.limits = {1, 1, INFINITY}};
static const struct check_rule_info refused = {.id = "file/refused",
	.unit = "",
	.catches = "a file that cannot be read",
	.limits = {INFINITY, INFINITY, 1}};

const struct check_rule_info *const nasty_rules[NASTY_RULES] = {&pop, &still, &weights, &refused};

static const struct check_clip_facts clips[] = {
	{.name = NASTY_NAME,
		.rate = 24,
		.samples = 18,
		.start_s = 1.0 / 24,
		.duration_s = 0.7083333,
		.loop = true,
		.treadmill = .83,
		.surface_step = 1,
		.seconds = .1},
	{.name = "Idle", .rate = 30, .samples = 1, .treadmill = NAN, .surface_step = 1},
	{.name = "\xff\xfe bad UTF-8 \xc3", .rate = 30, .samples = 2, .treadmill = NAN},
};

/* The head of a PNG is enough. */
static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 1, 2};
static const uint32_t vertices[] = {3, 70000};
static const double times[] = {.375, .4166667, .4583333}, values[] = {.001, .0412378, NAN};

static const struct check_finding findings[] = {
	{.at = {.rule = 0,
		 .clip = 0,
		 .value = .0412378123,
		 .absolute = 6.2938,
		 .time_s = .416666667,
		 .sample = 9,
		 .joint = "b_\"Neck\"</testcase>\n04 --> {{x}}",
		 .joint_index = 7,
		 .vertices = vertices,
		 .vertex_count = 2,
		 .params = {{"ratio", 9.2}, {"unknown", NAN}},
		 .param_count = 2,
		 .pointer = "/animations/1/channels/14"},
		.level = CHECK_ERROR,
		.threshold = .03,
		.error_limit = .03,
		.message = NASTY_NAME " leaves its path",
		.fix = "delete the key of </script> at 0.417 s",
		.count = 3,
		.fingerprint = "9f2c000000000001",
		.state = CHECK_STATE_NEW,
		.has_camera = true,
		.camera = {{0, 60, 30}, 90, 0, 120},
		.pictures = {{"before", "image/png", png, sizeof png},
			{"at", "image/png", png, sizeof png}},
		.picture_count = 2,
		.curve = {times, values, 3}},
	{.at = {.rule = 0,
		 .clip = 2,
		 .value = .01,
		 .absolute = NAN,
		 .time_s = .5,
		 .sample = 3,
		 .joint_index = -1},
		.level = CHECK_WARNING,
		.threshold = .006,
		.error_limit = .03,
		.message = "a pop",
		.fix = "",
		.count = 1,
		.fingerprint = "9f2c000000000002",
		.state = CHECK_STATE_NEW,
		.suppressed = "never seen \"from\" <below>"},
	{.at = {.rule = 1,
		 .clip = 1,
		 .value = 0,
		 .absolute = 0,
		 .time_s = NAN,
		 .sample = -1,
		 .joint_index = -1},
		.level = CHECK_WARNING,
		.threshold = 1e-4,
		.error_limit = INFINITY,
		.message = "Idle does not move",
		.fix = "leave it out",
		.count = 1,
		.fingerprint = "9f2c000000000003",
		.state = CHECK_STATE_UNCHANGED},
	{.at = {.rule = 2,
		 .clip = -1,
		 .value = 52,
		 .absolute = NAN,
		 .time_s = NAN,
		 .sample = -1,
		 .joint_index = -1,
		 .material = "skin|\xf0\x9f\xa6\x8a"},
		.level = CHECK_NOTE,
		.threshold = 1,
		.error_limit = INFINITY,
		.message = "52 vertices",
		.fix = "normalise them",
		.count = 1,
		.fingerprint = "9f2c000000000004",
		.state = CHECK_STATE_NEW},
	{.at = {.rule = 2,
		 .clip = -1,
		 .value = 3,
		 .absolute = NAN,
		 .time_s = NAN,
		 .sample = -1,
		 .joint_index = -1},
		.level = CHECK_WARNING,
		.threshold = 1,
		.error_limit = INFINITY,
		.message = "was here before",
		.fix = NULL,
		.count = 1,
		.fingerprint = "9f2c000000000005",
		.state = CHECK_STATE_ABSENT},
};

#define VALUE(rule_index, clip_index, number) \
	{ \
		.rule = rule_index, .clip = clip_index, .value = number, .absolute = NAN, \
		.time_s = NAN, .sample = -1, .joint_index = -1 \
	}

static const struct check_measurement measurements[] = {VALUE(0, 0, .0412378123), VALUE(0, 1, 0),
	VALUE(0, 2, .01), VALUE(1, 0, 1e300), VALUE(1, 1, 0), VALUE(2, -1, INFINITY)};
static const struct check_skip skipped[] = {{1, 2, "no \"skin\" <at> all"}};
static const struct check_more more[] = {{0, 0, 12}};
static const char *const not_covered[] = {"KHR_materials_diffuse_transmission"};

static const struct check_finding refusal = {.at = {.rule = 3,
						     .clip = -1,
						     .value = 1,
						     .absolute = NAN,
						     .time_s = NAN,
						     .sample = -1,
						     .joint_index = -1},
	.level = CHECK_ERROR,
	.threshold = 1,
	.error_limit = 1,
	.message = "cut off at byte 12",
	.fix = "export it again",
	.count = 1,
	.fingerprint = "9f2c000000000006",
	.state = CHECK_STATE_NEW};

static const struct check_file files[] = {
	{.path = "rigs/a \"b\" <c>&%:,\n\xf0\x9f\xa6\x8a.glb",
		.content = "sha256:00",
		.length = 152.6241234,
		.clips = clips,
		.clip_count = 3,
		.findings = findings,
		.finding_count = sizeof findings / sizeof *findings,
		.measurements = measurements,
		.measurement_count = sizeof measurements / sizeof *measurements,
		.skipped = skipped,
		.skip_count = 1,
		.more = more,
		.more_count = 1,
		.not_covered = not_covered,
		.not_covered_count = 1,
		.has_bounds = true,
		.bounds_min = {-1, 0, -1},
		.bounds_max = {1, 2, 1},
		.seconds = .2125},
	{.path = "/abs/broken\xff.glb",
		.length = NAN,
		.findings = &refusal,
		.finding_count = 1,
		.refused = "cut off at byte 12 <&\">"},
};

static const char *const remarks[] = {"the baseline is of <another> profile\nthan this | run"};

const struct check_report *nasty_report(void) {
	static struct check_profile profile;
	static struct check_report report;
	profile = check_profile_builtin(CHECK_PROFILE_GAME);
	report = (struct check_report){.build = "posed 0.1.0 (\"abc\" <d>)",
		.profile = "game",
		.digest = "sha256:1234",
		.skinning = "lbs",
		.resolved = &profile,
		.rules = nasty_rules,
		.rule_count = NASTY_RULES,
		.files = files,
		.file_count = 2,
		.has_baseline = true,
		.remarks = remarks,
		.remark_count = 1};
	return &report;
}
