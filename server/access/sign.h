/* posed sign: signs a link, as the daemon with the same options will want it. */
#pragma once

/* A command of commands.c: "PATH" and options. Prints /i/SIGNATURE/PATH with the first of
 * --sign-keys. Exits with 2 when PATH is none, the options are wrong, or there are no keys. */
int sign_main(int argument_count, char **arguments);
