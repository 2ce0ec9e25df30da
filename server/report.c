// What the renderer reports about a result, as headers of the answer.
#include "report.h"

#include <stdio.h>
#include <string.h>

void report_add(struct skinning_report *total, const struct skinning_report *frame) {
	total->method = frame->method;
	total->device = frame->device;
	total->times.pose_s += frame->times.pose_s;
	total->times.skin_s += frame->times.skin_s;
	total->times.draw_s += frame->times.draw_s;
	total->times.read_s += frame->times.read_s;
	total->times.encode_s += frame->times.encode_s;
}

void report_set_headers(struct call *call, const struct skinning_report *report) {
	const struct {
		const char *name;
		double seconds;
	} parts[] = {
		{"pose", report->times.pose_s},
		{"skin", report->times.skin_s},
		{"draw", report->times.draw_s},
		{"read", report->times.read_s},
		{"encode", report->times.encode_s},
	};
	char text[256] = "";
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const size_t used = strlen(text);
		if (parts[i].seconds > 0) {
			snprintf(text + used, sizeof text - used, "%s%s;dur=%.3f", used ? ", " : "",
				parts[i].name, parts[i].seconds * 1000);
		}
	}
	call_header(call, "Posed-Skinning", "%s; device=%s", report->method, report->device);
	if (*text) {
		call_header(call, "Server-Timing", "%s", text);
	}
}
