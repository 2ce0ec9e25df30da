// The joints' names of MikuMikuDance in English.
#include <string.h>

#include "pose/humanoid/joint_words.h"

size_t joint_words_japanese(const char *text, const char **word) {
	// A word stands before those that it begins with.
	static const char *const words[][2] = {
		{"左", "left"},
		{"右", "right"},
		{"センター", "center"},
		{"下半身", "lowerbody"},
		{"上半身", "spine"},
		{"腰", "waist"},
		{"首", "neck"},
		{"頭", "head"},
		{"目", "eye"},
		{"胸", "breast"},
		{"肩", "shoulder"},
		{"腕", "upperarm"},
		{"ひじ", "elbow"},
		{"肘", "elbow"},
		{"手首", "wrist"},
		{"手", "hand"},
		{"足首", "ankle"},
		{"足先", "toe"},
		{"つま先", "toe"},
		{"爪先", "toe"},
		{"足", "thigh"},
		{"ひざ", "knee"},
		{"膝", "knee"},
		{"親指", "thumb"},
		{"人差し指", "index"},
		{"人差指", "index"},
		{"人指", "index"},
		{"中指", "middle"},
		{"薬指", "ring"},
		{"小指", "little"},
		{"捩", "twist"},
		{"先", "tip"},
		{"ＩＫ", "ik"},
		{"キャンセル", "cancel"},
		{"補助", "helper"},
		{"ダミー", "helper"},
		{"髪", "hair"},
		{"スカート", "skirt"},
		{"０", "0"},
		{"１", "1"},
		{"２", "2"},
		{"３", "3"},
		{"４", "4"},
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const size_t length = strlen(words[i][0]);
		if (strncmp(text, words[i][0], length) == 0) {
			*word = words[i][1];
			return length;
		}
	}
	return 0;
}
