/* Commands of posed: programs of their own that share its options, such as "posed health". */
#pragma once

/* Gets the arguments from the command's name on. Returns the exit status. */
typedef int (*command_main)(int argument_count, char **arguments);

/* The command of a name; NULL if there is none. */
command_main command_find(const char *name);

/* Prints names and purposes, for --help. */
void commands_print(void);
