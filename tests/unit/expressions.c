/* Random pose expressions out of a grammar of patterns. In a pattern <a|b> is one of two, and so
 * on,
 * <|a> perhaps a; $ and a letter stand for
 *   p a pose     c a clip of the rig     j a joint of the rig     m a mask
 *   b an input of a blend            l a layer          s a clip in step
 *   r the rig's first joint
 *   g a goal for the end of a chain      i how it is solved
 *   n a number   u one from 0 to 1       w a weight               t a time in seconds
 *   a a way to average rotations
 *   v a vector of three numbers          q a rotation             d an angle in degrees
 * and ' for ". */
#include "expressions.h"

#include <string.h>

#include "base/buffer.h"

struct row {
	const char *name;
	const char *pattern;
};

static const struct row rows[] = {
	{"rest", "'rest'"},
	{"clip",
		"{'clip': $c<, 'time': $t|, 'phase': $u|>"
		"<|, 'loop': <'clamp'|'repeat'|'ping_pong'>>"
		"<||, 'sampler': <'file'|'step'|'linear'|'nlerp'|'catmull_rom', 'rate': 30|'squad'|"
		"'tcb'<|, 'tension': $u><|, 'bias': $u><|, 'continuity': $u>>>}"},
	{"blend", "{'blend': [$b<|, $b<|, $b<|, $b>>>]<|, 'rotation': $a>}"},
	{"crossfade",
		"{'crossfade': [$p, $p], <'share': $u|'elapsed': $t, 'duration': 1.5>"
		"<|, 'easing': <'linear'|'smooth'|'smoother'|'cos'|'exp'>>"
		"<|, 'frozen': <true|false>><|, 'rotation': $a>}"},
	{"playlist",
		"{'playlist': [{'pose': $p, 'start': <0|$u><|, 'fade': $u>}"
		"<|, {'pose': $p, 'start': <1|1.5><|, 'fade': $u><|, 'mask': $m>}"
		"<|, {'pose': $p, 'start': <1.5|2><|, 'fade': $u><|, 'mask': $m>}>>]"
		"<|, 'time': $t><|, 'easing': <'smooth'|'cos'>><|, 'rotation': $a>}"},
	{"sync",
		"{'sync': <[$s<|, $s<|, $s>>]<|, 'markers': <'none'|'feet'>>|"
		"[{'clip': $c, 'markers': [0, 0.2]}, {'clip': $c, 'markers': [0.4, 0.1]}]>"
		"<|, 'time': $t|, 'phase': $u><|, 'rotation': $a>}"},
	{"transition",
		"{'transition': [$c, $c], 'tolerance': <0.5|5><|, 'time': $t><|, 'at': [$u, 0.5]>"
		"<|, 'loop': <'clamp'|'repeat'|'ping_pong'>>}"},
	{"blend_space",
		"{'blend_space': <[{'at': 0, 'pose': $p}<|, {'at': 1, 'pose': $p}"
		"<|, {'at': 2.5, 'pose': $p}>>], 'at': $n|"
		"[{'at': [0, 0], 'pose': $p}, {'at': [1, 0.1], 'pose': $p}<|, {'at': [0.2, 1], "
		"'pose': $p}<|, {'at': [$n, $n], 'pose': 'rest'}>>], 'at': [$n, $n]|"
		"[{'at': 0, 'pose': {'clip': $c}}, {'at': 1, 'pose': {'clip': $c}}], 'at': $u, "
		"'synchronised': true<|, 'time': $t|, 'phase': $u><|, 'markers': <'none'|'feet'>>>"
		"<|, 'mode': <'triangles'|'gradient_band'>><|, 'rotation': $a>}"},
	{"layers", "{'layers': [$p<|, $l<|, $l>>]<|, 'rotation': $a>}"},
	{"add",
		"{'add': $p, 'to': $p<|, 'reference': $p><|, 'weight': $w><|, 'mask': $m>"
		"<|, 'order': 'pre'<|, 'space': 'model'>|, 'order': 'post'>}"},
	{"mirror", "{'mirror': $p<|, 'axis': <'x'|'y'|'z'>><|||, 'pairs': {$j: $j}>}"},
	{"inertialize",
		"{'inertialize': $p, 'from': $p, 'elapsed': $u<|, 'duration': 0.5><|, 'step': "
		"0.01>}"},
	{"limit",
		"{'limit': $p, 'limits': {$j: <{'cone': $d<|, 'twist': [-30, $d]>}|"
		"{'swing': [$d, $d]<|, 'axis': $v><|, 'side': $v>}|{'hinge': {'axis': $v, 'min': "
		"-9, 'max': $d}}|"
		"{'euler': {'min': [-9, -9, -9], 'max': [$d, 20, $d]<|, 'order': "
		"<'XYZ'|'ZYX'>>}}>}}"},
	{"root_motion",
		"{'root_motion': $p, 'mode': <'keep'|'extract'|'zero'|'accumulate'>"
		"<|, 'joint': $j><|, 'vertical': true><|, 'turn': false>}"},
	{"reset",
		"{'reset': $p<|, 'joints': [$j, $j]|, 'mask': $m>"
		"<|, 'channels': [<'translation'|'rotation'|'scale'|'weights'>]>"
		"<|, 'weight': $u>}"},
	{"scale_time", "{'scale_time': $p, 'factor': $w}"},
	{"reverse", "{'reverse': $p}"},
	{"retarget",
		"{'retarget': $p, 'rig': 'other'<|, 'map': <'auto'|'name'|{$j: $j}>>"
		"<|, 'align': <'rest'|'none'|{$j: $q}>><|, 'scale': <'hips'|'none'|2|0.25>>"
		"<|, 'translations': <'root'|'all'>><|, 'unmapped': $p>}"},
	{"copy", "{'copy': $p, 'rig': 'other'<|, 'unmatched': <'refuse'|'ignore'>>}"},
	{"attach",
		"{'attach': $p, 'rig': 'other', 'joint': $j<|, 'to': $p><|, 'translation': $v>"
		"<|, 'rotation': $q><|, 'scale': <$w|[$u, 1, 2]>>}"},
	{"two_bone",
		"{'two_bone': $p, <'end': $j|'chain': [$r, $j, $j]>, 'target': $v<|, 'pole': "
		"$v><|, 'soft': $u>"
		"<|, 'keep_rotation': true|, 'rotation': $q><|, 'weight': $u>"
		"<|, 'limits': {$j: {'cone': $d}}>}"},
	{"look_at",
		"{'look_at': $p, 'joint': $j, 'target': $v<|, 'axis': $v><|, 'up': $v"
		"<|, 'world_up': $v>><|, 'max_angle': $d><|, 'chain': {$r: $u}>"
		"<|, 'weight': $u>"
		"<|, 'limits': {$j: {'cone': $d}}>}"},
	{"look_at", "{'look_at': <$v|{'yaw': $d<|, 'pitch': $n>}><|, 'to': $p>}"},
	{"ccd", "{'ccd': $p, 'goals': [$g<|, $g>]$i}"},
	{"fabrik", "{'fabrik': $p, 'goals': [$g<|, $g>]$i}"},
	{"jacobian", "{'jacobian': $p, 'goals': [$g<|, $g>]$i}"},
	{"jacobian_transpose", "{'jacobian_transpose': $p, 'goals': [$g<|, $g>]$i}"},
	{"foot_lock",
		"{'foot_lock': $p, 'duration': <0.2|0.01><|, 'feet': [$j]>"
		"<|, 'ground': <$n|{'point': $v<|, 'normal': $v>}>><|, 'height': $u><|, 'speed': "
		"$u>"
		"<|, 'ground_velocity': $v><|, 'fade': $u><|, 'weight': $u>}"},
	{"ragdoll",
		"{'ragdoll': $p, 'time': <0|0.02|0.1><|, 'gravity': $v><|, 'ground': <null|$n|"
		"{'point': $v, 'normal': [0, 1, 0.2]}>><|, 'damping': $u><|, 'stiffness': 3>"
		"<|, 'bodies': [$j]><|, 'limits': {$j: {'cone': $d}}>}"},
	{"expression", "{'expression': {<'happy': $u<|, 'blink': $u>|'aa': $u>}<|, 'to': $p>}"},
	{"springs", "{'springs': $p<||, 'seconds': <0.05|$u>><|, 'rate': <60|30>>}"},
	{"constraints", "{'constraints': $p}"},
	{"avatar", "{'avatar': $p}"},
	{"set",
		"{'set': $p<|, 'joints': {$j: {<'rotation': $q|'translation': $v|'scale': $v>}}>"
		"<|||||, 'weights': {<|$j: [$u]>}>}"},
};

#define ROW_COUNT (sizeof rows / sizeof *rows)

/* Numbers that arithmetic stumbles over. */
static const char *const wild_numbers[] = {"0", "-0.0", "1e308", "-1e308", "1e-320", "1e38",
	"3.5e38", "-1", "1e-30", "16777217", "1e9", "null", "true", "'x'", "[]", "{}"};

#define WILD_COUNT (sizeof wild_numbers / sizeof *wild_numbers)

struct maker {
	struct decisions *decisions;
	const struct rig *rig;
	struct buffer text;
	int depth; // operations that may still be nested
};

static unsigned next(struct decisions *decisions) {
	if (decisions->left > 0) {
		decisions->left--;
		return *decisions->bytes++;
	}
	decisions->seed = decisions->seed * 1664525u + 1013904223u;
	return decisions->seed >> 16;
}

unsigned decide(struct decisions *decisions, unsigned count) {
	return next(decisions) % count;
}

static void put(struct maker *maker, const char *text) {
	buffer_append(&maker->text, text, strlen(text));
}

static void put_number(struct maker *maker, double least, double most) {
	char text[32];
	if (maker->decisions->wild && decide(maker->decisions, 16) == 0) {
		put(maker, wild_numbers[decide(maker->decisions, WILD_COUNT)]);
		return;
	}
	const double share = decide(maker->decisions, 256) / 255.0;
	snprintf(text, sizeof text, "%.6g", least + share * (most - least));
	put(maker, text);
}

static void put_numbers(struct maker *maker, int count, double reach) {
	for (int i = 0; i < count; i++) {
		put(maker, i ? ", " : "[");
		put_number(maker, -reach, reach);
	}
	put(maker, "]");
}

static void put_name(struct maker *maker, const char *name) {
	put(maker, "\"");
	put(maker, maker->decisions->wild && decide(maker->decisions, 64) == 0 ? "x" : name);
	put(maker, "\"");
}

static void put_clip(struct maker *maker) {
	const struct rig *rig = maker->rig;
	put_name(maker, rig->clips[decide(maker->decisions, (unsigned)rig->clip_count)].name);
}

static void put_joint(struct maker *maker) {
	const struct rig *rig = maker->rig;
	put_name(maker, rig->joints[decide(maker->decisions, (unsigned)rig->joint_count)].name);
}

static void fill(struct maker *maker, const char *pattern, size_t length);

static void put_pose(struct maker *maker) {
	// Half of the rows at least are not leaves: the depth ends what chance would not.
	const size_t row = maker->depth > 0 ? decide(maker->decisions, ROW_COUNT)
					    : decide(maker->decisions, 2);
	maker->depth--;
	fill(maker, rows[row].pattern, strlen(rows[row].pattern));
	maker->depth++;
}

static void fill_text(struct maker *maker, const char *pattern) {
	fill(maker, pattern, strlen(pattern));
}

static void put_letter(struct maker *maker, char letter) {
	switch (letter) {
	case 'p':
		put_pose(maker);
		return;
	case 'b':
		fill_text(maker, "{'pose': $p<|, 'weight': $w><|, 'mask': $m>}");
		return;
	case 's':
		fill_text(maker, "{'clip': $c<|, 'weight': $w><|, 'mask': $m>}");
		return;
	case 'l':
		fill_text(maker,
			"{'pose': $p<|, 'weight': $u><|, 'mask': $m>"
			"<|, 'space': <'local'|'model'>>"
			"<|, 'mode': 'replace'|, 'mode': 'add'<|, 'reference': $p>>}");
		return;
	case 'c':
		put_clip(maker);
		return;
	case 'j':
		put_joint(maker);
		return;
	case 'm':
		fill_text(maker, "{$j: <$u|{'weight': $u, 'fade': <1|2|3>}>}");
		return;
	case 'a':
		fill_text(maker, "<'nlerp'|'slerp'|'markley'|'karcher'>");
		return;
	case 'r':
		put_name(maker, maker->rig->joints[0].name);
		return;
	case 'g':
		fill_text(maker,
			"{'root': $r, 'end': $j, 'target': $v<|, 'rotation': $q><|, 'weight': "
			"$u>}");
		return;
	case 'i':
		fill_text(maker,
			"<|, 'limits': {$j: {'cone': $d}}><|, 'iterations': <1|9>>"
			"<|, 'tolerance': $u><|, 'weight': $u>");
		return;
	case 'u':
		put_number(maker, 0, 1);
		return;
	case 'w':
		put_number(maker, 0, 2);
		return;
	case 't':
		put_number(maker, -1, 3);
		return;
	case 'd':
		put_number(maker, 0, 180);
		return;
	case 'v':
		put_numbers(maker, 3, 2);
		return;
	case 'q':
		put_numbers(maker, 4, 1);
		return;
	default:
		put_number(maker, -3, 3);
	}
}

/* Past the choice that pattern[i] opens; *count is set to how many there are to choose from. */
static size_t choice_end(const char *pattern, size_t i, unsigned *count) {
	int nesting = 0;
	*count = 1;
	for (;; i++) {
		nesting += (pattern[i] == '<') - (pattern[i] == '>');
		*count += pattern[i] == '|' && nesting == 1;
		if (nesting == 0) {
			return i + 1;
		}
	}
}

/* One of the choices between < and >, which are not in [begin, end). */
static void put_choice(struct maker *maker, const char *begin, const char *end, unsigned chosen) {
	int nesting = 0;
	const char *from = begin;
	for (const char *c = begin; c < end; c++) {
		nesting += (*c == '<') - (*c == '>');
		if (*c == '|' && nesting == 0 && chosen-- == 0) {
			fill(maker, from, (size_t)(c - from));
			return;
		}
		from = *c == '|' && nesting == 0 ? c + 1 : from;
	}
	fill(maker, from, (size_t)(end - from));
}

static void fill(struct maker *maker, const char *pattern, size_t length) {
	for (size_t i = 0; i < length;) {
		if (pattern[i] == '$') {
			put_letter(maker, pattern[i + 1]);
			i += 2;
		} else if (pattern[i] == '<') {
			unsigned count;
			const size_t end = choice_end(pattern, i, &count);
			put_choice(maker, pattern + i + 1, pattern + end - 1,
				decide(maker->decisions, count));
			i = end;
		} else {
			buffer_append(&maker->text, pattern[i] == '\'' ? "\"" : pattern + i, 1);
			i++;
		}
	}
}

static const char *finish(struct maker *maker, struct arena *arena) {
	const char *text = arena_strndup(arena, (const char *)maker->text.data, maker->text.size);
	buffer_finish(&maker->text);
	return text;
}

const char *expression_fill(struct decisions *decisions, const struct rig *rig, struct arena *arena,
	int depth, const char *pattern) {
	struct maker maker = {.decisions = decisions, .rig = rig, .depth = depth};
	fill_text(&maker, pattern);
	return finish(&maker, arena);
}

const char *expression_make(
	struct decisions *decisions, const struct rig *rig, struct arena *arena, int depth) {
	return expression_fill(decisions, rig, arena, depth, "$p");
}

const char *expression_row_name(size_t row) {
	return row < ROW_COUNT ? rows[row].name : NULL;
}

const char *expression_of_row(struct decisions *decisions, const struct rig *rig,
	struct arena *arena, int depth, size_t row) {
	return row < ROW_COUNT
		? expression_fill(decisions, rig, arena, depth - 1, rows[row].pattern)
		: NULL;
}
