/* What the renderer reports about a result, as headers of the answer. */
#pragma once

#include "call.h"
#include "renderer.h"

/* Adds the times of one more frame. The method and the device are those of the last. */
void report_add(struct skinning_report *total, const struct skinning_report *frame);

/* Sets Posed-Skinning, and Server-Timing with the parts that took time. */
void report_set_headers(struct call *call, const struct skinning_report *report);
