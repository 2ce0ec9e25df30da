/* What there is to draw with. Plain data of a fixed size, since some of it crosses processes. */
#pragma once

#include "doctor/doctor_gpu.h"
#include "doctor/doctor_vendors.h"
#include "renderer.h"

#define WAYS_MAX 40

/* One way to a driver, or the daemon's own choice. */
struct way_facts {
	struct renderer_way way;
	char crash[128]; // how the process that went it ended; "" = as it should
	char words[400]; // what the driver wrote to standard error
};

struct graphics_facts {
	struct gpu_facts gpu;
	struct vendor_facts vendors;
	struct renderer_survey survey;
	char crash[128]; // how the process that loaded EGL ended; "" = as it should
	struct way_facts ways[WAYS_MAX];
	int way_count;
	struct way_facts choice;
};

/* Goes every way, each in a process of its own. */
void doctor_survey(enum renderer_choice choice, struct graphics_facts *out);
