# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# The blind set: machines and scenes that nobody can have tuned to. Sourced by tests/lab/run.
#
#	make lab BLIND=SECRET [BLIND_MACHINES=N]
#
# All of it follows from the secret, so the same secret gives the same set on each host. What was measured is appended
# to tests/lab/blind.csv, good or bad, with the date, the commit, and a hash of the secret. After a constant was changed
# because of a blind result, the next run has to have another secret.
#
# Scenes of the validation set are drawn in the same way, from the word "validation".

# Scenes of a set, those of them that a blind machine draws, and what draws may be wrong by on average in percent
BLIND_SCENES=6
BLIND_SCENES_EACH=${BLIND_SCENES_EACH:-2}
BLIND_ERROR=1.5

# secret_hash PURPOSE: 16 hexadecimal digits that follow from the secret.
secret_hash() {
	printf '%s\n%s\n' "$BLIND" "$1" | sha256sum | cut -c 1-16
}

# secret_number PURPOSE COUNT: a number from 0 to COUNT - 1.
secret_number() {
	local hash
	hash=$(secret_hash "$1")
	say $((16#${hash:0:8} % $2))
}

# secret_word PURPOSE WORD...: one of the words.
secret_word() {
	local purpose=$1
	shift
	say "${@:$(secret_number "$purpose" $#) + 1:1}"
}

# scene NUMBER: a benchmark of glmark2 with options, and its frames.
scene() {
	local n=$1 frames
	frames=$((40 + $(secret_number "frames $n" 40)))
	case $(secret_number "kind $n" 7) in
	0) say "build:model=$(secret_word "model $n" horse bunny cat):use-vbo=$(secret_word "vbo $n" true false)" ;;
	1) say "shading:shading=$(secret_word "shading $n" gouraud blinn-phong-inf phong cel)" ;;
	2) say "texture:texture-filter=$(secret_word "filter $n" nearest linear mipmap)" ;;
	3) say "pulsar:quads=$((2 + $(secret_number "quads $n" 12))):texture=$(secret_word "texture $n" true false)" ;;
	4) say "function:fragment-steps=$((1 + $(secret_number "steps $n" 12))):fragment-complexity=low" ;;
	5) say "loop:fragment-steps=$((1 + $(secret_number "steps $n" 8))):vertex-steps=$((1 + $(secret_number "vertices $n" 8)))" ;;
	6) say "effect2d:kernel=$(secret_word "kernel $n" '0,1,0;1,-4,1;0,1,0;' '1,1,1,1,1;1,1,1,1,1;1,1,1,1,1;')" ;;
	esac
	say "$frames"
}

# shorten: of standard input, experiments, those that take longest; the machines are many.
shorten() {
	sed -E '/^flush\t/s/\t4000$/\t400/; /^gears\t/s/\t400$/\t60/'
}

# draw_scenes: add the scenes to the file of experiments.
draw_scenes() {
	local n benchmark frames
	for ((n = 1; n <= BLIND_SCENES; n++)); do
		{ read -r benchmark && read -r frames; } < <(scene "$n")
		printf 'scene-%d\t-\tdraw\t3\terror=%s\tvendor\tglmark2\t%s\t%d\n' "$n" "$BLIND_ERROR" "$benchmark" \
			"$frames" >>"$EXPERIMENTS"
	done
}

# draw_machines: write the file of machines, which is in no folder that the guest can see.
draw_machines() {
	local n i scenes jitter first
	# Swaps are copies of groups of their own on the GC2000 only.
	local -a personalities=(gc2000 gc3000) calibrations=('clear,swap,texture-load' 'clear,texture-load')
	for ((n = 1; n <= ${BLIND_MACHINES:-16}; n++)); do
		# Neighbours with each personality draw others.
		first=$(((n - 1) / 2 * BLIND_SCENES_EACH))
		scenes=$(for ((i = first; i < first + BLIND_SCENES_EACH; i++)); do say "scene-$((i % BLIND_SCENES + 1))"; done | paste -sd,)
		jitter=$((n % 4 ? 0 : 1 + $(secret_number "jitter $n" 1000000)))
		printf 'blind-%d\t%s\tsecret:%u\t%d\t1\t%s,gears,%s%s\n' "$n" "${personalities[n % 2]}" \
			"$((16#$(secret_hash "machine $n")))" "$jitter" "${calibrations[n % 2]}" "$scenes" \
			"$( ((!jitter)) || say ,still)"
	done >"$MACHINES"
}

# append_blind: a line for each machine, experiment and predictor, in the table of all blind runs.
append_blind() {
	local table=$TOP/tests/lab/blind.csv machine name kind start
	start=$(date -u +%F),$(git -C "$TOP" rev-parse --short=12 HEAD),$(secret_hash public)
	[[ -e $table ]] || printf '%s\n' '# SPDX-License-Identifier: MIT' \
		'# Results of all blind runs, appended by make lab BLIND=SECRET (tests/lab/blind.sh)' \
		"date,commit,secret,machine,experiment,predictor,groups,mean_us,error_us,error_percent,largest_us,within_bound,fragments_percent,beyond_us,median_bound_us" >"$table"
	while read -r machine name; do
		read -r _ _ kind _ < <(experiment_line "$name")
		awk -F, -v OFS=, -v kind="$kind" -v start="$start,$machine,$name" -v bound="$(median_bound)" \
			'$1 == kind { print start, $2, $3, $4, $5, $6, $7, $8, $10, $11, $2 == "ours" ? bound : "" }' \
			"$LAB/$machine/$name.errors.csv"
	done < <(pairs) >>"$table"
	echo "appended to tests/lab/blind.csv"
}
