// The kinds of pictures that a terminal shows.
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "show_ways.h"

/* A terminal on the other side of the world has answered by then. */
#define ANSWER_MS 500

static bool variable_has(const char *name, const char *part) {
	const char *value = getenv(name);
	return value && strstr(value, part);
}

/* Between us and the terminal it takes the sequences away, or shows them as text. */
static bool is_multiplexed(void) {
	return getenv("TMUX") || getenv("STY");
}

static const char *by_environment(void) {
	static const struct {
		const char *variable, *part, *way;
	} signs[] = {
		{"KITTY_WINDOW_ID", "", "kitty"},
		{"TERM", "kitty", "kitty"},
		{"TERM", "ghostty", "kitty"},
		{"TERM_PROGRAM", "ghostty", "kitty"},
		{"TERM_PROGRAM", "iTerm", "iterm2"},
		{"LC_TERMINAL", "iTerm", "iterm2"}, // passed on by ssh
		{"TERM_PROGRAM", "WezTerm", "iterm2"},
		{"TERM_PROGRAM", "mintty", "iterm2"},
		{"TERM", "mlterm", "sixel"},
		{"TERM", "foot", "sixel"},
		{"TERM", "sixel", "sixel"},
	};
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		if (variable_has(signs[i].variable, signs[i].part)) {
			return signs[i].way;
		}
	}
	return NULL;
}

/* Reads until the terminal's attributes have ended ("…c"), which every terminal sends last. */
static void read_answer(int terminal, char *answer, size_t room) {
	size_t length = 0;
	struct pollfd ready = {.fd = terminal, .events = POLLIN};
	const char *attributes = NULL;
	do {
		const ssize_t count = poll(&ready, 1, ANSWER_MS) == 1
			? read(terminal, answer + length, room - 1 - length)
			: 0;
		if (count <= 0) {
			break;
		}
		length += (size_t)count;
		answer[length] = '\0';
		attributes = strstr(answer, "\033[?");
	} while (length < room - 1 && !(attributes && strchr(attributes, 'c')));
	answer[length] = '\0';
}

/* True when the attributes "\033[?62;4;22c" have a 4: sixels. */
static bool has_sixels(const char *answer) {
	const char *rest = strstr(answer, "\033[?");
	for (rest = rest ? rest + 3 : NULL; rest && *rest && *rest != 'c';) {
		char *end;
		if (strtol(rest, &end, 10) == 4) {
			return true;
		}
		rest = *end == ';' ? end + 1 : NULL;
	}
	return false;
}

/* Asks Kitty's way first, for a picture of one pixel that is not kept; who does not know it says
 * nothing to that. */
static const char *ask(int terminal) {
	static const char question[] = "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\\033[c";
	char answer[256] = "";
	struct termios before, raw;
	if (tcgetattr(terminal, &before) != 0) {
		return NULL;
	}
	raw = before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	tcsetattr(terminal, TCSANOW, &raw);
	if (write(terminal, question, sizeof question - 1) == (ssize_t)sizeof question - 1) {
		read_answer(terminal, answer, sizeof answer);
	}
	tcsetattr(terminal, TCSANOW, &before);
	return strstr(answer, "_Gi=31;OK") ? "kitty" : has_sixels(answer) ? "sixel" : NULL;
}

const char *show_detect(void) {
	if (!isatty(STDOUT_FILENO)) {
		return NULL;
	}
	const char *way = is_multiplexed() ? NULL : by_environment();
	if (way) {
		return way;
	}
	const int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal >= 0) {
		way = ask(terminal);
		close(terminal);
	}
	return way;
}
