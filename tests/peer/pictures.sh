# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Pictures and validations of unmodified programs against software drivers;
# sourced by tests/peer/run, which has $OUT, $kernel and the suite's functions.
#
# The software drivers draw in a guest without a card, because the programs want
# a display. What they drew is kept until a program, a driver or the list changes.

PICTURES=$INSIDE_TOP/tests/peer
DRAWN_BY=(glmark2-es2-drm glmark2-data kmscube piglit libgl1-mesa-dri)

# What the references depend on, as text.
picture_inputs() {
	enter dpkg-query --show "${DRAWN_BY[@]}" &&
		(cd "$TOP/tests/peer" && sha256sum pictures-list pictures-draw frame-clock.c \
			piglit-picture.c)
}

# draw_software DRIVER REFERENCE...: a software driver's pictures of the list.
draw_software() {
	local driver=$1
	shift
	"$TOP/vm/launch" --name="pictures-$driver" --no-card --driver=none --timeout=280 -- \
		"$PICTURES/pictures-draw" "$driver" "$INSIDE_TOP/build/out/peer/pictures-$driver" "$@"
}

validate_llvmpipe() {
	"$TOP/vm/launch" --name=validate-llvmpipe --no-card --driver=none --timeout=280 -- \
		"$INSIDE_TOP/vm/env" llvmpipe glmark2-es2-drm --validate >"$OUT/validate-llvmpipe"
}

# Pictures and validations of the software drivers, unless they are there.
picture_references() {
	local inputs
	inputs=$(picture_inputs) || return
	[[ ! -f $OUT/pictures-inputs || $inputs != "$(<"$OUT/pictures-inputs")" ]] || return 0
	rm -rf "$OUT"/pictures-* "$OUT"/validate-llvmpipe
	draw_software llvmpipe llvmpipe softpipe spread || return
	draw_software softpipe softpipe spread || return
	validate_llvmpipe || return
	echo "$inputs" >"$OUT/pictures-inputs"
}

# Everything of the list on the card, then glmark2's own judgement, in one guest.
draw_pictures() {
	rm -rf "$OUT/pictures" "$OUT/validate"
	# shellcheck disable=SC2154 # the caller's
	guest "pictures-$kernel" -- bash -ec "
		$PICTURES/pictures-draw peer $INSIDE_TOP/build/out/peer/pictures llvmpipe softpipe spread
		$INSIDE_TOP/vm/env peer glmark2-es2-drm --validate >$INSIDE_TOP/build/out/peer/validate"
}

# share OURS REFERENCE NAME: per mille of pixels within the tolerance.
share() {
	enter build/tools/vivgpu-compare "build/out/peer/$1/$3.png" "build/out/peer/$2/$3.png" |
		sed -n 's/.*: \([0-9]*\)\.\([0-9]\).*% of pixels.*/\1\2/p'
}

# The card is nearer to softpipe than llvmpipe is.
picture_in_spread() {
	local ours theirs
	ours=$(share pictures pictures-softpipe "$1")
	theirs=$(share pictures-llvmpipe pictures-softpipe "$1")
	echo "$1: $ours per mille as softpipe's, llvmpipe $theirs per mille"
	[[ $ours && $theirs ]] && ((ours > theirs))
}

# compare_picture NAME REFERENCE
compare_picture() {
	if [[ $2 == spread ]]; then
		picture_in_spread "$1"
	else
		enter build/tools/vivgpu-compare "build/out/peer/pictures/$1.png" \
			"build/out/peer/pictures-$2/$1.png" "build/out/peer/pictures/$1-difference.png"
	fi
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
	local name reference rest
	check "pictures on software drivers" picture_references
	check "pictures on the card" draw_pictures
	while read -r name reference rest; do
		check "picture $name equals $reference" compare_picture "$name" "$reference"
	done < <(grep -v '^\(#\|$\)' "$TOP/tests/peer/pictures-list")
	check "glmark2's validations" compare_validations
}
