/* What they mean for NVIDIA's GPUs, and for others. */
#pragma once

#include "doctor/doctor_note.h"
#include "doctor/doctor_survey.h"

/* The part of it about NVIDIA's GPUs, and about others. */
void doctor_judge_nvidia(struct doctor *doctor, const struct graphics_facts *facts);
void doctor_judge_render_nodes(struct doctor *doctor, const struct gpu_facts *gpu);

/* Whether a GPU is in the machine, seen or not. */
bool doctor_has_gpu(const struct gpu_facts *gpu);
