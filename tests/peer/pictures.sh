# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Pictures and validations of unmodified programs against llvmpipe's; sourced by
# tests/peer/run, which has $OUT, $kernel and the suite's functions.
#
# llvmpipe draws in a guest without a card, because the programs want a display.
# What it drew is kept until a program, the driver or the list changes.

PICTURES=$INSIDE_TOP/tests/peer
DRAWN_BY=(glmark2-es2-drm glmark2-data kmscube piglit libgl1-mesa-dri)

# What the references depend on, as text.
picture_inputs() {
	enter dpkg-query --show "${DRAWN_BY[@]}" &&
		(cd "$TOP/tests/peer" && sha256sum pictures-list pictures-draw pictures.sh frame-clock.c \
			piglit-picture.c)
}

# Pictures and validations of llvmpipe, unless they are there. It does without
# the processor's wider vectors, with which its arithmetic is coarser.
picture_references() {
	local inputs
	inputs=$(picture_inputs) || return
	[[ ! -f $OUT/pictures-inputs || $inputs != "$(<"$OUT/pictures-inputs")" ]] || return 0
	rm -rf "$OUT"/pictures-* "$OUT"/validate-llvmpipe
	GALLIUM_OVERRIDE_CPU_CAPS=sse4.1 "$TOP/vm/launch" --name=pictures-llvmpipe --no-card \
		--driver=none --timeout=590 -- bash -ec "
		$PICTURES/pictures-draw llvmpipe $INSIDE_TOP/build/out/peer/pictures-llvmpipe
		$INSIDE_TOP/vm/env llvmpipe glmark2-es2-drm --validate \
			>$INSIDE_TOP/build/out/peer/validate-llvmpipe" || return
	echo "$inputs" >"$OUT/pictures-inputs"
}

# Everything of the list on the card, then glmark2's own judgement, in one guest.
draw_pictures() {
	rm -rf "$OUT/pictures" "$OUT/validate"
	# shellcheck disable=SC2154 # the caller's
	guest "pictures-$kernel" -- bash -ec "
		$PICTURES/pictures-draw peer $INSIDE_TOP/build/out/peer/pictures
		$INSIDE_TOP/vm/env peer glmark2-es2-drm --validate >$INSIDE_TOP/build/out/peer/validate"
}

# compare_picture NAME PER-MILLE: so many pixels are as llvmpipe's.
compare_picture() {
	local line share
	line=$(enter build/tools/vivgpu-compare "build/out/peer/pictures/$1.png" \
		"build/out/peer/pictures-llvmpipe/$1.png" \
		"build/out/peer/pictures/$1-difference.png" || true)
	echo "$line"
	share=$(sed -n 's/.*: \([0-9]*\)\.\([0-9]\).*% of pixels.*/\1\2/p' <<<"$line")
	[[ $share && $line != *"of one colour" ]] && ((share >= $2))
}

# Scenes that glmark2 finds right, one a line.
valid_scenes() {
	sed -n 's/^\(\[.*\): Validation: Success$/\1/p' "$1" | sort
}

# glmark2 knows the colours of its own window size, which vkms's is not: a scene
# counts when llvmpipe's picture of this size is found right.
compare_validations() {
	local wrong
	[[ -n $(valid_scenes "$OUT/validate-llvmpipe") ]] || return
	wrong=$(comm -23 <(valid_scenes "$OUT/validate-llvmpipe") <(valid_scenes "$OUT/validate"))
	echo "right on llvmpipe: $(valid_scenes "$OUT/validate-llvmpipe" | wc -l)," \
		"on the card: $(valid_scenes "$OUT/validate" | wc -l)"
	[[ -z $wrong ]] || { echo "wrong on the card alone: $wrong"; return 1; }
}

test_pictures() {
	local name share rest
	check "pictures on llvmpipe" picture_references
	check "pictures on the card" draw_pictures
	while read -r name share rest; do
		check "picture $name equals llvmpipe's" compare_picture "$name" "$share"
	done < <(grep -v '^\(#\|$\)' "$TOP/tests/peer/pictures-list")
	check "glmark2's validations" compare_validations
}
