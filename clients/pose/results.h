/* Commands for numbers: pose, vertices, mesh, bake, transitions. */
#pragma once

#include "commands.h"

int run_pose(const struct command *command, const struct arguments *arguments);
int run_vertices(const struct command *command, const struct arguments *arguments);
int run_mesh(const struct command *command, const struct arguments *arguments);
int run_bake(const struct command *command, const struct arguments *arguments);
int run_transitions(const struct command *command, const struct arguments *arguments);
