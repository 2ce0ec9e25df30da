// What joints are called in pictures.
#include "shading/joint_label.h"

#include "image/canvas.h"

const char *joint_label(const struct joint *joint, struct arena *arena) {
	return joint->name[0] && text_has_letters(joint->name)
		? joint->name
		: arena_printf(arena, "#%d", joint->index);
}
