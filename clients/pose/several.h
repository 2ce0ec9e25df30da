/* Commands with several FILEs: each as if it were given alone, by as many processes as there are
 * cores. */
#pragma once

#include "commands.h"

/* True when the command line is one: it has several FILEs, or one and a folder as -o, and the
 * command takes several. */
bool several_are_given(const struct command *command, const struct arguments *arguments);

/* Runs the command for each FILE and writes into the folder of -o, with the name of the FILE and
 * the ending of the format. The exit status is that of the first FILE, in their order, for which it
 * is not STATUS_OK; the others are done. To be called before there are other threads. */
int several_run(const struct command *command, const struct arguments *arguments);
