// Completion for each shell. The functions of bash and zsh are the same but for how words come in
// and go out; what is known of commands and options stands in tables made of ours.
#include <stdio.h>
#include <string.h>

#include "completion.h"

static const char *const kinds[] = {
	[COMPLETED_NOTHING] = "nothing",
	[COMPLETED_RIG] = "rig",
	[COMPLETED_FILE] = "file",
	[COMPLETED_RIG_OR_FILE] = "rig_or_file",
	[COMPLETED_CLIP] = "clip",
	[COMPLETED_METHOD] = "method",
	[COMPLETED_RULE] = "rule",
	[COMPLETED_WORDS] = "words",
};

/* "a|b" as "a b". */
static void print_words(const char *words, int length) {
	for (int i = 0; i < length; i++) {
		putchar(words[i] == '|' ? ' ' : words[i]);
	}
}

/* Choices with a space between. */
static void print_choices(const char *const *choices) {
	for (size_t i = 0; choices && choices[i]; i++) {
		printf("%s%s", i ? " " : "", choices[i]);
	}
}

static void print_commands(void) {
	printf("_pose_commands='");
	for (size_t i = 0; commands[i].name; i++) {
		printf("%s%s", i ? " " : "", commands[i].name);
	}
	printf("'\n");
}

/* Sets `options` by the command. */
static void print_options(const struct options *options) {
	printf("_pose_options() {\n\tcase $1 in\n");
	for (size_t c = 0; commands[c].name; c++) {
		printf("\t%s) echo '--help", commands[c].name);
		for (size_t i = 0; i < options->count; i++) {
			if (option_fits(options, i, commands[c].bit)) {
				printf(" %s", options->items[i].flag);
			}
		}
		printf("' ;;\n");
	}
	printf("\tesac\n}\n");
}

/* Says what an argument of a command is, by "command place". */
static void print_arguments(void) {
	printf("_pose_argument() {\n\tcase $1 in\n");
	for (size_t c = 0; commands[c].name; c++) {
		const char *words;
		int length;
		bool endless;
		const size_t places = completed_places(&commands[c], &endless);
		for (size_t i = 0; i < places; i++) {
			const enum completed kind =
				completed_argument(&commands[c], i, &words, &length);
			if (kind == COMPLETED_NOTHING) {
				continue;
			}
			if (endless && i + 1 == places) {
				printf("\t\"%s \"*) echo '%s", commands[c].name, kinds[kind]);
			} else {
				printf("\t\"%s %zu\") echo '%s", commands[c].name, i, kinds[kind]);
			}
			if (kind == COMPLETED_WORDS) {
				putchar(' ');
				print_words(words, length);
			}
			printf("' ;;\n");
		}
	}
	printf("\tesac\n}\n");
}

/* The action for an option's value, behind the pattern of a shell's case. */
static void print_value(const struct option *option) {
	const char *const *words;
	const enum completed kind = completed_option(option, &words);
	printf(") echo '%s ", kinds[kind]);
	print_choices(words);
	printf("' ;;\n");
}

static bool is_first_of_flag(const struct options *options, size_t i) {
	size_t k = 0;
	while (strcmp(options->items[k].flag, options->items[i].flag) != 0) {
		k++;
	}
	return k == i;
}

/* Says what the value of an option is, by "command option" where options of one flag differ;
 * nothing for one that takes none. */
static void print_values(const struct options *options) {
	printf("_pose_value() {\n\tcase \"$2 $1\" in\n");
	for (size_t i = 0; i < options->count; i++) {
		for (size_t c = 0; option_has_namesakes(options, i) && commands[c].name; c++) {
			const struct option *option = &options->items[i];
			if (option->kind != OPTION_SWITCH &&
				option_fits(options, i, commands[c].bit)) {
				printf("\t'%s %s'", commands[c].name, option->flag);
				print_value(option);
			}
		}
	}
	for (size_t i = 0; i < options->count; i++) {
		const struct option *option = &options->items[i];
		if (option->kind != OPTION_SWITCH && is_first_of_flag(options, i)) {
			printf("\t*' %s'", option->flag);
			print_value(option);
		}
	}
	printf("\tesac\n}\n");
}

/* Prints candidates, a line each, for the words before the one that is completed: $1 is the word,
 * the rest is what stands before it behind "pose". "@files" asks the shell for names of files. */
static const char candidates[] =
	"_pose_candidates() {\n"
	"\tlocal word=$1 value='' command='' rig='' place=-1 skip=''\n"
	"\tlocal -a server\n"
	"\tserver=()\n"
	"\tshift\n"
	"\twhile [ $# -gt 0 ]; do\n"
	"\t\tif [ -n \"$skip\" ]; then\n"
	"\t\t\tcase $skip in --server|--token-file) server+=(\"$skip\" \"$1\") ;; esac\n"
	"\t\t\tskip=''\n"
	"\t\telif [ -n \"$(_pose_value \"$1\" \"$command\")\" ]; then\n"
	"\t\t\tskip=$1\n"
	"\t\telse\n"
	"\t\t\tcase $1 in\n"
	"\t\t\t--server=*|--token-file=*) server+=(\"$1\") ;;\n"
	"\t\t\t-?*) ;;\n"
	"\t\t\t*)\n"
	"\t\t\t\t[ $place -ge 0 ] || command=$1\n"
	"\t\t\t\tcase \"$(_pose_argument \"$command $((place))\")\" in rig*) rig=$1 ;; esac\n"
	"\t\t\t\tplace=$((place + 1))\n"
	"\t\t\t\t;;\n"
	"\t\t\tesac\n"
	"\t\tfi\n"
	"\t\tshift\n"
	"\tdone\n"
	"\tif [ -n \"$skip\" ]; then\n"
	"\t\tvalue=$(_pose_value \"$skip\" \"$command\")\n"
	"\telif [ $place -lt 0 ]; then\n"
	"\t\tvalue=\"words $_pose_commands --help --version\"\n"
	"\telse\n"
	"\t\tcase $word in\n"
	"\t\t-*) value=\"words $(_pose_options \"$command\")\" ;;\n"
	"\t\t*) value=$(_pose_argument \"$command $place\") ;;\n"
	"\t\tesac\n"
	"\tfi\n"
	"\tcase $value in\n"
	"\t'words '*|'file '?*) echo \"${value#* }\" | tr ' ' '\\n' ;;\n"
	"\trig*) command pose completion rigs \"${server[@]}\" 2>/dev/null ;;\n"
	"\tclip*) command pose completion clips \"$rig\" \"${server[@]}\" 2>/dev/null ;;\n"
	"\trule*) command pose completion rules 2>/dev/null ;;\n"
	"\tmethod*) command pose completion methods \"${server[@]}\" 2>/dev/null ;;\n"
	"\tesac\n"
	"\tcase $value in file*|rig_or_file*) echo @files ;; esac\n"
	"}\n";

static void print_tables(const struct options *options) {
	print_commands();
	print_options(options);
	print_arguments();
	print_values(options);
	fputs(candidates, stdout);
}

void completion_bash(const struct options *options) {
	printf("# Completion of pose for bash: source it, or put it where bash-completion "
	       "looks.\n");
	print_tables(options);
	fputs("# Bash takes words apart at : and =, and wants only what is behind the last of\n"
	      "# these; what has no space between is put together again.\n"
	      "_pose() {\n"
	      "\tlocal line rest=$COMP_LINE part=${COMP_WORDS[COMP_CWORD]} word front i\n"
	      "\tlocal -a words\n"
	      "\twords=()\n"
	      "\tfor ((i = 0; i <= COMP_CWORD; i++)); do\n"
	      "\t\tif [[ $i -gt 0 && $rest != [[:space:]]* ]]; then\n"
	      "\t\t\twords[${#words[@]}-1]+=${COMP_WORDS[i]}\n"
	      "\t\telse\n"
	      "\t\t\trest=${rest#\"${rest%%[![:space:]]*}\"}\n"
	      "\t\t\twords+=(\"${COMP_WORDS[i]}\")\n"
	      "\t\tfi\n"
	      "\t\trest=${rest#\"${COMP_WORDS[i]}\"}\n"
	      "\tdone\n"
	      "\tword=${words[${#words[@]}-1]}\n"
	      "\tunset 'words[${#words[@]}-1]'\n"
	      "\tcase $word in --*=*) words+=(\"${word%%=*}\") word=${word#*=} ;; esac\n"
	      "\tcase $part in [:=]*) front=$word ;; *) front=${word%\"$part\"} ;; esac\n"
	      "\tCOMPREPLY=()\n"
	      "\twhile IFS= read -r line; do\n"
	      "\t\tif [ \"$line\" = @files ]; then\n"
	      "\t\t\tcompopt -o filenames 2>/dev/null\n"
	      "\t\t\twhile IFS= read -r line; do COMPREPLY+=(\"${line#\"$front\"}\"); done \\\n"
	      "\t\t\t\t< <(compgen -f -- \"$word\")\n"
	      "\t\telif [[ $line == \"$word\"* ]]; then\n"
	      "\t\t\tCOMPREPLY+=(\"$(printf %q \"${line#\"$front\"}\")\")\n"
	      "\t\tfi\n"
	      "\tdone < <(_pose_candidates \"$word\" \"${words[@]:1}\")\n"
	      "}\n"
	      "complete -F _pose pose\n",
		stdout);
}

void completion_zsh(const struct options *options) {
	printf("#compdef pose\n"
	       "# Completion of pose for zsh: put it as _pose into a folder of $fpath.\n");
	print_tables(options);
	fputs("_pose() {\n"
	      "\tlocal line\n"
	      "\tlocal -a found before\n"
	      "\tfound=()\n"
	      "\tbefore=(\"${(@)words[2,CURRENT-1]}\")\n"
	      "\tlocal flag=${PREFIX%%=*}\n"
	      "\tif compset -P '--[a-z-]#='; then before+=(\"$flag\"); fi\n"
	      "\twhile IFS= read -r line; do\n"
	      "\t\tif [ \"$line\" = @files ]; then _files; else found+=(\"$line\"); fi\n"
	      "\tdone < <(_pose_candidates \"$PREFIX\" \"${(@)before}\")\n"
	      "\tcompadd -a found\n"
	      "}\n"
	      "if [ \"$funcstack[1]\" = _pose ]; then _pose \"$@\"; else compdef _pose pose; fi\n",
		stdout);
}

/* Text within single quotes of fish. */
static void print_quoted(const char *text) {
	putchar('\'');
	for (; *text; text++) {
		printf(*text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
	}
	putchar('\'');
}

static const char *fish_source(enum completed kind) {
	switch (kind) {
	case COMPLETED_RIG:
	case COMPLETED_RIG_OR_FILE:
		return "(_pose_known rigs)";
	case COMPLETED_CLIP:
		return "(_pose_known clips (_pose_rig))";
	case COMPLETED_METHOD:
		return "(_pose_known methods)";
	case COMPLETED_RULE:
		return "(_pose_known rules)";
	case COMPLETED_NOTHING:
	case COMPLETED_FILE:
	case COMPLETED_WORDS:
		return "";
	}
	return "";
}

static void print_fish_arguments(const struct command *command) {
	bool endless;
	const size_t places = completed_places(command, &endless);
	for (size_t i = 0; i < places; i++) {
		const char *words = "";
		int length = 0;
		const enum completed kind = completed_argument(command, i, &words, &length);
		const bool files = kind == COMPLETED_FILE || kind == COMPLETED_RIG_OR_FILE;
		if (kind == COMPLETED_NOTHING) {
			continue;
		}
		printf("complete -c pose -n '_pose_at %s %zu %s' %s-a '", command->name, i,
			endless && i + 1 == places ? "-ge" : "-eq", files ? "-F " : "");
		print_words(words, kind == COMPLETED_WORDS ? length : 0);
		printf("%s'\n", fish_source(kind));
	}
}

/* The commands that an option is for, as a condition; none for one that is for all. */
static void print_fish_condition(const struct options *options, size_t option) {
	const bool for_most = options->items[option].commands == FOR_ANY;
	if (for_most && !option_has_namesakes(options, option)) {
		return;
	}
	printf(" -n '%s_pose_is", for_most ? "not " : "");
	for (size_t c = 0; commands[c].name; c++) {
		if (option_fits(options, option, commands[c].bit) != for_most) {
			printf(" %s", commands[c].name);
		}
	}
	printf("'");
}

static void print_fish_option(const struct options *options, size_t i) {
	const struct option *option = &options->items[i];
	const bool is_short = option->flag[1] != '-';
	const char *const *words;
	const enum completed kind = completed_option(option, &words);
	printf("complete -c pose");
	print_fish_condition(options, i);
	printf(" -%c %s", is_short ? 's' : 'l', option->flag + (is_short ? 1 : 2));
	if (option->kind != OPTION_SWITCH) {
		printf(kind == COMPLETED_FILE ? " -r -F -a '" : " -x -a '");
		print_choices(words);
		printf("%s'", fish_source(kind));
	}
	printf(" -d ");
	print_quoted(option->help);
	printf("\n");
}

/* Prints what stands on the line so far: "plain", what is neither an option nor the value of one,
 * or "given", what says which daemon. */
static void print_fish_words(const struct options *options) {
	printf("function _pose_words\n\tset -l valued");
	for (size_t i = 0; i < options->count; i++) {
		if (options->items[i].kind != OPTION_SWITCH && is_first_of_flag(options, i)) {
			printf(" %s", options->items[i].flag);
		}
	}
	printf("\n\tset -l valued_of_one");
	for (size_t i = 0; i < options->count; i++) {
		for (size_t c = 0; !is_first_of_flag(options, i) && commands[c].name; c++) {
			if (options->items[i].kind != OPTION_SWITCH &&
				option_fits(options, i, commands[c].bit)) {
				printf(" '%s %s'", commands[c].name, options->items[i].flag);
			}
		}
	}
	fputs("\n\tset -l plain\n"
	      "\tset -l given\n"
	      "\tset -l flag\n"
	      "\tfor word in (commandline -opc)[2..]\n"
	      "\t\tif test -n \"$flag\"\n"
	      "\t\t\tcontains -- $flag --server --token-file; and set -a given $flag $word\n"
	      "\t\t\tset flag\n"
	      "\t\telse if contains -- $word $valued; or contains -- \"$plain[1] $word\" "
	      "$valued_of_one\n"
	      "\t\t\tset flag $word\n"
	      "\t\telse if string match -qr -- '^--(server|token-file)=' $word\n"
	      "\t\t\tset -a given $word\n"
	      "\t\telse if not string match -q -- '-?*' $word\n"
	      "\t\t\tset -a plain $word\n"
	      "\t\tend\n"
	      "\tend\n"
	      "\ttest (count $$argv[1]) -gt 0; and printf '%s\\n' $$argv[1]\n"
	      "end\n",
		stdout);
}

void completion_fish(const struct options *options) {
	fputs("# Completion of pose for fish: put it into ~/.config/fish/completions.\n"
	      "function _pose_known\n"
	      "\tcommand pose completion $argv (_pose_words given) 2>/dev/null\n"
	      "end\n",
		stdout);
	print_fish_words(options);
	fputs("function _pose_plain\n"
	      "\t_pose_words plain\n"
	      "end\n"
	      "function _pose_is\n"
	      "\tset -l plain (_pose_plain)\n"
	      "\tcontains -- \"$plain[1]\" $argv\n"
	      "end\n"
	      "function _pose_begins\n"
	      "\ttest (count (_pose_plain)) -eq 0\n"
	      "end\n"
	      "function _pose_at\n"
	      "\tset -l plain (_pose_plain)\n"
	      "\ttest (count $plain) $argv[3] (math $argv[2] + 1); and test \"$plain[1]\" = "
	      "$argv[1]\n"
	      "end\n"
	      "function _pose_rig\n"
	      "\tset -l plain (_pose_plain)\n"
	      "\tcontains -- \"$plain[1]\" clip example; and echo $plain[3]; or echo $plain[2]\n"
	      "end\n"
	      "complete -c pose -f\n"
	      "complete -c pose -l help -d 'all commands and options'\n"
	      "complete -c pose -l version\n",
		stdout);
	for (size_t c = 0; commands[c].name; c++) {
		printf("complete -c pose -n _pose_begins -a %s -d ", commands[c].name);
		print_quoted(commands[c].help);
		printf("\n");
		print_fish_arguments(&commands[c]);
	}
	for (size_t i = 0; i < options->count; i++) {
		print_fish_option(options, i);
	}
}
