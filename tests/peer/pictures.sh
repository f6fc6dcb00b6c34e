# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Pictures and validations of unmodified programs against llvmpipe's; sourced by
# suites after tests/lib.sh:
#
#	test_pictures peer etnaviv 'GL_RENDERER: *Vivante'
#
# llvmpipe draws in a guest without a card, because the programs want a display.
# What it drew is kept until a program, the driver or the list changes.

PICTURES=$INSIDE_TOP/tests/peer
PICTURES_OUT=$BUILD/out/pictures
DRAWN_BY=(glmark2-es2-drm glmark2-data kmscube piglit libgl1-mesa-dri)

# What the references depend on, as text.
picture_inputs() {
	enter dpkg-query --show "${DRAWN_BY[@]}" &&
		(cd "$TOP/tests/peer" && sha256sum pictures-list pictures-draw pictures.sh frame-clock.c \
			piglit-picture.c)
}

# draw_and_validate WHO: the script for a guest that draws everything of the list
# by a driver of vm/env and asks for glmark2's own judgement.
draw_and_validate() {
	echo "$PICTURES/pictures-draw $1 $INSIDE_TOP/build/out/pictures/$1
		$INSIDE_TOP/vm/env $1 glmark2-es2-drm --validate \
			>$INSIDE_TOP/build/out/pictures/validate-$1"
}

# Pictures and validations of llvmpipe, unless they are there. It does without
# the processor's wider vectors, with which its arithmetic is coarser.
picture_references() {
	local inputs
	inputs=$(picture_inputs) || return
	[[ ! -f $PICTURES_OUT/inputs || $inputs != "$(<"$PICTURES_OUT/inputs")" ]] || return 0
	rm -rf "$PICTURES_OUT"
	mkdir -p "$PICTURES_OUT"
	GALLIUM_OVERRIDE_CPU_CAPS=sse4.1 "$TOP/vm/launch" --name=pictures-llvmpipe --no-card \
		--driver=none --timeout=590 -- bash -ec "
		$(draw_and_validate llvmpipe)" || return
	echo "$inputs" >"$PICTURES_OUT/inputs"
}

# draw_pictures WHO DRIVER SAYS: the same on the card, by a Mesa of vm/env that says
# who it is, on a kernel driver; the display is vkms, whose one mode the references
# have. In virtual time no host is so busy that etnaviv takes a job for hung
# (Documentation/vm/kernel.rst).
draw_pictures() {
	rm -rf "${PICTURES_OUT:?}/$1" "$PICTURES_OUT/validate-$1"
	guest "pictures-$1" --kernel=release --driver="$2" --display=vkms \
		--time=virtual --timeout=300 -- bash -ec "$(draw_and_validate "$1")" || return
	grep -q "$3" "$PICTURES_OUT/validate-$1"
}

# compare_picture WHO NAME PER-MILLE: so many pixels are as llvmpipe's.
compare_picture() {
	local line share
	line=$(enter build/tools/vivgpu-compare "build/out/pictures/$1/$2.png" \
		"build/out/pictures/llvmpipe/$2.png" \
		"build/out/pictures/$1/$2-difference.png" || true)
	echo "$line"
	share=$(sed -n 's/.*: \([0-9]*\)\.\([0-9]\).*% of pixels.*/\1\2/p' <<<"$line")
	[[ $share && $line != *"of one colour" ]] && ((share >= $3))
}

# Scenes that glmark2 finds right, one a line.
valid_scenes() {
	sed -n 's/^\(\[.*\): Validation: Success$/\1/p' "$PICTURES_OUT/validate-$1" | sort
}

# compare_validations WHO: glmark2 knows the colours of its own window size, which
# vkms's is not: a scene counts when llvmpipe's picture of this size is found right.
compare_validations() {
	local wrong
	[[ -n $(valid_scenes llvmpipe) ]] || return
	wrong=$(comm -23 <(valid_scenes llvmpipe) <(valid_scenes "$1"))
	echo "right on llvmpipe: $(valid_scenes llvmpipe | wc -l)," \
		"on the card: $(valid_scenes "$1" | wc -l)"
	[[ -z $wrong ]] || { echo "wrong on the card alone: $wrong"; return 1; }
}

# test_pictures WHO DRIVER SAYS
test_pictures() {
	local name share rest
	check "pictures on llvmpipe" picture_references
	check "pictures on the card" draw_pictures "$@"
	while read -r name share rest; do
		check "picture $name equals llvmpipe's" compare_picture "$1" "$name" "$share"
	done < <(grep -v '^\(#\|$\)' "$TOP/tests/peer/pictures-list")
	check "glmark2's validations" compare_validations "$1"
}
